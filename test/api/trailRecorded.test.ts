/** Trails on recorded mainnet blocks: facts that anybody can look up, with history missing and nothing invented for it. */
import assert from 'node:assert/strict'
import { fillRecorded } from './support/recorded.js'
import { startService, type Service } from './support/service.js'

describe('trails of recorded blocks', function () {
  this.timeout(120_000)
  let service: Service
  const trail = async (query: string): Promise<any> => (await service.call(`GET /v1/wallets/trail/${query}`)).body
  before(async () => {
    service = await startService()
    await fillRecorded(service.store, [16_899_757, 22_869_878])
  })
  after(() => service.stop())

  it('end at the mixer, in both directions', async () => {
    const went = await trail('0xc7a03d30982fd5118491eefb3594032bb451393c?direction=destination')
    const [into] = went.trail.filter((step: any) => step.stopped_because === 'mixer')
    assert.deepEqual([into.hop, into.to_address, into.entity, into.amount, into.fifo, into.haircut, into.value_usd, into.tx_hash],
      [1, '0xcdd37ada79f589c15bd4f8fd2083dc88e34a2af2', 'sideshift', '18366096', '18366096', '18366096', null, '0xdc21a938c8bf250e9341a7c7824c97a7aa30ade4e901ac14d7596fb6559e4829'])
    const came = await trail('0xb7f163f17e58187381da0634c2b2d00c57306568')
    const [out] = came.trail.filter((step: any) => step.stopped_because === 'mixer')
    assert.deepEqual([out.hop, out.from_address, out.token, out.amount, Math.round(out.value_usd)], [1, '0xcdd37ada79f589c15bd4f8fd2083dc88e34a2af2', '0xdac17f958d2ee523a2206206994597c13d831ec7', '86316023', 86])
  })

  it('say that history is missing beyond the first hop', async () => {
    const [{ address }] = await service.store.query(`SELECT concat('0x', lower(hex(from_address))) AS address FROM transfers WHERE kind = 'erc20' AND block_number = 22869878
      GROUP BY from_address HAVING count() = 1 ORDER BY max(value_usd) DESC NULLS LAST, address LIMIT 1`, {}, { parse: (row: unknown) => row } as any) as any
    const body = await trail(`${address}?direction=destination&hops=4&limit=100`)
    const later = body.trail.filter((step: any) => step.hop > 1)
    assert.ok(body.count > 0 && later.every((step: any) => step.gap !== null && step.fifo === null && step.haircut === null && step.poison !== '0'))
    assert.ok(body.checks.every((check: any) => check.fifo.difference === '0' && check.haircut.difference === '0'))
  })
})
