/** What is told beside the newest block of a chain is that block's own: a block of Bitcoin may be dated before the one below it. */
import assert from 'node:assert/strict'
import { startService, type Service } from './support/service.js'

describe('the newest block of a chain', function () {
  this.timeout(90_000)
  let service: Service
  before(async () => {
    service = await startService()
    await service.store.execute(`INSERT INTO blocks (chain, block_number, block_hash, block_time, internal_complete, tx_count)
      SELECT 'BTC', number, unhex(leftPad(hex(number), 64, '0')), toDateTime64(1700000000 + if(number = 3, 700, number * 600), 3), true, number FROM numbers(1, 3)`)
  })
  after(() => service.stop())

  it('has its own time in the answers that name it', async () => {
    const { chains } = (await service.call('GET /v1/dashboard/chains')).body
    const bitcoin = chains.find(({ chain }: any) => chain === 'BTC')
    assert.deepEqual([bitcoin.number, bitcoin.txCount, bitcoin.blockTime], [3, 3, '2023-11-14T22:25:00.000Z'])
    const { latest_block: block, latest_block_time: time, hourly } = (await service.call('GET /v1/network/summary?chain=BTC')).body
    assert.deepEqual([block, time, hourly.blocks], [3, '2023-11-14T22:25:00.000Z', 3])
  })
})
