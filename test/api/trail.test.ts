import assert from 'node:assert/strict'
import { busyTransfers } from '../../api/operations/wallets/trail/unlessBusy.js'
import { seedBlocks, seedMoves } from './support/handmade.js'
import { startService, type Service } from './support/service.js'

const of = (digit: string): string => digit.repeat(40)
const hash = (block: number): string => block.toString(16).padStart(64, '0')
const [me, friend, exchange, source, late, mixer, busy, dust] = ['1', '2', '3', '4', '5', '6', '7', '8'].map(of) as [string, string, string, string, string, string, string, string]

describe('the trail of funds', () => {
  let service: Service
  /** `from` gave `to` so many USD in `block`: 5 of the coin. */
  const paid = (from: string, to: string, block: number, usd: number | null) => seedMoves(service.store, [{ from: from.slice(0, 1), to: to.slice(0, 1), block, amount: 5, usd, token: '0', kind: 'native', position: 0 }])
  const trail = async (query = '') => (await service.call(`GET /v1/wallets/trail/0x${me}${query}`)).body
  const told = (body: any) => body.trail.map((step: any) => [step.hop, step.from_address.slice(2, 3), step.to_address.slice(2, 3), step.value_usd, step.stopped_because])
  const order = (body: any, [, , end]: any[]) => body.origins.findIndex((origin: any) => origin.stopped_because === end)
  const poisoned = (body: any) => body.origins.map((origin: any) => [origin.classification, origin.entity, origin.stopped_because, origin.addresses])

  before(async function () {
    this.timeout(90_000)
    service = await startService()
    const label = (address: string, text: string, category: string) => ({
      chain: 'ETH', address: `0x${address}`, label: text, entity: text, category, source: 'test', rule: '', confidence: 90, licence: '', valid_from: '2020-01-01T00:00:00Z', removed: false, version: 1,
    })
    await service.store.insert('labels', [label(exchange, 'Some Exchange', 'exchange'), label(mixer, 'Some Mixer', 'mixer')])
    await service.store.execute('SYSTEM RELOAD DICTIONARY label_of')
    await seedBlocks(service.store, 1, 99)
    await paid(friend, me, 10, 600)
    await paid(friend, me, 12, 400)
    await paid(exchange, me, 11, 1_000)
    await paid(dust, me, 13, 2)
    await paid(friend, me, 14, null)
    await paid(source, friend, 9, 900)
    await paid(late, friend, 15, 5_000)
    await paid(busy, friend, 8, 300)
    await paid(mixer, source, 3, 800)
    await paid(exchange, busy, 2, 800)
    await service.store.execute(`INSERT INTO address_segments SELECT 'ETH', unhex({busy:String}), toDateTime(0), 0, {most:UInt64}, 0, 1, 0, 1, 2, now64(3), now64(3), 1`, { busy, most: busyTransfers + 1 })
  })
  after(() => service.stop())

  it('follows what came before it went, and says why each branch ends', async () => {
    const body = await trail('?hops=4')
    assert.deepEqual(told(body), [
      [1, '2', '1', 1_000, null], [1, '3', '1', 1_000, 'service'], [1, '8', '1', 2, 'small'],
      [2, '4', '2', 900, null], [2, '7', '2', 300, 'high_degree'],
      [3, '6', '4', 800, 'mixer'],
    ])
    const [first] = body.trail
    assert.deepEqual([first.transfers, first.tx_hash, first.largest, first.amount, first.fifo_share, first.gap, body.trail[3].gap], [3, `0x${hash(14)}`, '5', '15', 0.6, null, 'overdrawn'])
    assert.deepEqual(poisoned(body), [['unknown', '', 'high_degree', 1], ['exchange', 'Some Exchange', 'service', 1], ['mixer', 'Some Mixer', 'mixer', 1], ['unknown', '', 'small', 1]].sort((a, b) => order(body, a) - order(body, b)))
    assert.deepEqual(body.traced, [{ token: `0x${'0'.repeat(40)}`, amount: '25', value_usd: null }])
    const [check] = body.checks
    assert.deepEqual([check.branches, check.fifo], [3, { considered: '25', in_branches: '25', beyond_limit: '0', held: '0', unknown: '0', not_carried: '0', difference: '0' }])
    assert.ok(body.checks.every((one: any) => one.fifo.difference === '0' && one.haircut.difference === '0'))
    assert.equal(body.too_busy, false)
  })

  it('goes as far and as wide as asked', async () => {
    assert.deepEqual(told(await trail('?hops=1')), [[1, '2', '1', 1_000, 'depth'], [1, '3', '1', 1_000, 'service'], [1, '8', '1', 2, 'small']])
    assert.deepEqual(told(await trail('?limit=1')), [[1, '2', '1', 1_000, null], [2, '4', '2', 900, 'depth']])
    const second = await trail(`?limit=1&hops=1&cursor=${(await trail('?limit=1&hops=1')).next_cursor}`)
    assert.deepEqual([told(second), second.has_more], [[[1, '3', '1', 1_000, 'service']], true])
    assert.deepEqual([(await trail('?limit=3')).has_more, (await trail(`?limit=1&hops=2&cursor=${second.next_cursor}`)).as_of_block], [false, 99])
  })

  it('forwards, within a time, of one token', async () => {
    const went = (await service.call(`GET /v1/wallets/trail/0x${mixer}?direction=destination`)).body
    assert.deepEqual(told(went), [[1, '6', '4', 800, null], [2, '4', '2', 900, 'depth']])
    const since = new Date((1_700_000_000 + 12 * 9) * 1_000).toISOString()
    assert.deepEqual(told(await trail(`?since=${since}`)).slice(3), [[2, '4', '2', 900, 'depth'], [2, '7', '2', 300, 'window']])
    assert.deepEqual(told(await trail(`?hops=1&until=${since}`)), [])
    assert.deepEqual(told(await trail(`?token=0x${'f'.repeat(40)}`)), [])
  })

  it('says what it did not look into', async () => {
    const empty = async (path: string) => (await service.call(`GET /v1/wallets/trail/${path}`)).body
    const crowded = await empty(`0x${busy}`)
    assert.deepEqual([crowded.too_busy, crowded.trail, crowded._meta.empty], [true, [], { is_successful_empty: false, empty_reason: 'data_gap' }])
    assert.deepEqual((await empty('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa?chain=BTC'))._meta.empty, { is_successful_empty: false, empty_reason: 'data_gap' })
    assert.deepEqual((await empty('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'))._meta.empty, { is_successful_empty: false, empty_reason: 'unsupported_input' })
    assert.deepEqual((await empty(`0x${me}?chain=SOL`))._meta.empty.empty_reason, 'unsupported_input')
  })
})
