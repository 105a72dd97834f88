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
    assert.deepEqual([bitcoin.gasUsed, bitcoin.gasLimit, bitcoin.baseFee], [null, null, null], 'Bitcoin has no gas')
    const { latest_block: block, latest_block_time: time, hourly } = (await service.call('GET /v1/network/summary?chain=BTC')).body
    assert.deepEqual([block, time, hourly.blocks], [3, '2023-11-14T22:25:00.000Z', 3])
  })
})

describe('the last hour of Bitcoin', function () {
  this.timeout(90_000)
  let service: Service
  before(async () => {
    service = await startService()
    // The hour ends at the third block and begins below the first; the second says it was before both.
    const time = 'toDateTime64(1700000000 + [0, -3000, 3000][number], 3)', hash = "unhex(leftPad(hex(number), 64, '0'))", numbers = 'FROM numbers(1, 3)'
    await service.store.execute(`INSERT INTO blocks (chain, block_number, block_hash, block_time, internal_complete, tx_count, log_count) SELECT 'BTC', number, ${hash}, ${time}, true, 10, 5 ${numbers}`)
    await service.store.execute(`INSERT INTO prices (chain, token, block_number, block_time, usd, method) SELECT 'BTC', toFixedString('', 20), number, ${time}, 20000, 'oracle' ${numbers}`)
    await service.store.execute(`INSERT INTO transfers (chain, block_number, block_time, tx_hash, kind, amount, value_usd) SELECT 'BTC', number, ${time}, ${hash}, 'utxo', 1000000000, 200000 ${numbers}`)
    await service.store.execute(`INSERT INTO alerts (chain, id, block_number, block_time, version) SELECT 'BTC', toString(number), number, ${time}, 1 ${numbers}`)
  })
  after(() => service.stop())

  it('counts no block that is dated before it, whatever its height', async () => {
    const get = async (path: string): Promise<any> => (await service.call(`GET /v1/${path}`)).body
    const { hourly, whales_1h: whales } = await get('network/summary?chain=BTC')
    assert.deepEqual([hourly.blocks, hourly.transactions, hourly.logs, hourly.transfers, hourly.alerts, whales, hourly.whale_usd], [2, 20, 10, 2, 2, 2, 400_000])
    assert.deepEqual((await get('dashboard/overview')).last_hours, [{ chain: 'BTC', blocks: 2, transactions: 20, transfers: 2, whales: 2, swaps: 0, alerts: 2 }])
    const { whale_activity: activity } = await get('dashboard/market?chain=BTC')
    assert.deepEqual([activity.count, activity.usd], [2, 400_000])
  })
})
