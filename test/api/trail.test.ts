import assert from 'node:assert/strict'
import { busyTransfers } from '../../api/operations/wallets/trace.js'
import { startService, type Service } from './support/service.js'

const of = (digit: string): string => digit.repeat(40)
const hash = (block: number): string => block.toString(16).padStart(64, '0')
const [me, friend, exchange, source, late, mixer, busy, dust] = ['1', '2', '3', '4', '5', '6', '7', '8'].map(of) as [string, string, string, string, string, string, string, string]

describe('the trail of funds', () => {
  let service: Service
  /** `from` gave `to` so many USD in `block`. */
  const paid = (from: string, to: string, block: number, usd: number | null, kind = 'native') => service.store.execute(
    `INSERT INTO address_transfers SELECT 'ETH', unhex({to:String}), {block:UInt64}, {kind:String}, 0, 0, 'in', toDateTime64(1700000000 + {block:UInt64}, 3), unhex({hash:String}), unhex(repeat('00', 20)), unhex({from:String}), 5, 0, {usd:Nullable(Float64)}, 0`,
    { from, to, block, usd, kind, hash: hash(block) })
  const trail = async (query = '') => (await service.call(`GET /v1/wallets/trail/0x${me}${query}`)).body
  const told = (body: any) => body.trail.map((step: any) => [step.hop, step.from_address.slice(2, 3), step.to_address.slice(2, 3), step.value_usd, step.stopped_because])

  before(async function () {
    this.timeout(90_000)
    service = await startService()
    const label = (address: string, text: string, category: string) => ({
      chain: 'ETH', address: `0x${address}`, label: text, entity: text, category, source: 'test', rule: '', confidence: 90, licence: '', valid_from: '2020-01-01T00:00:00Z', removed: false, version: 1,
    })
    await service.store.insert('labels', [label(exchange, 'Some Exchange', 'exchange'), label(mixer, 'Some Mixer', 'mixer')])
    await service.store.execute('SYSTEM RELOAD DICTIONARY label_of')
    await paid(friend, me, 10, 600)
    await paid(friend, me, 12, 400)
    await paid(exchange, me, 11, 1_000)
    await paid(dust, me, 13, 2)
    await paid(friend, me, 14, null)
    await paid(friend, me, 15, 700, 'wrap')
    await paid(source, friend, 9, 900)
    await paid(late, friend, 13, 5_000)
    await paid(busy, friend, 8, 300)
    await paid(me, friend, 7, 200)
    await paid(mixer, source, 3, 800)
    await paid(exchange, busy, 2, 800)
    await service.store.execute(`INSERT INTO address_segments SELECT 'ETH', unhex({busy:String}), toDateTime(0), 0, {most:UInt64}, 0, 1, 0, 1, 2, now64(3), now64(3), 1`, { busy, most: busyTransfers })
  })
  after(() => service.stop())

  it('follows what came before it went, and says why each branch ends', async () => {
    const body = await trail('?hops=4')
    assert.deepEqual(told(body), [
      [1, '2', '1', 1_000, null], [1, '3', '1', 1_000, 'service'], [1, '8', '1', 2, 'small'],
      [2, '4', '2', 900, null], [2, '7', '2', 300, 'busy'], [2, '1', '2', 200, 'seen'],
      [3, '6', '4', 800, 'mixer'],
    ])
    const [first] = body.trail
    assert.deepEqual([first.transfers, first.tx_hash, first.amount, first.share], [2, `0x${hash(10)}`, '5', 1_000 / 2_002])
    assert.deepEqual(body.origins.map((origin: any) => [origin.classification, origin.entity, origin.value_usd]), [['exchange', 'Some Exchange', 1_000], ['mixer', 'Some Mixer', 800], ['unknown', '', 302]])
    assert.equal(body.too_busy, false)
  })

  it('goes as far and as wide as asked', async () => {
    assert.deepEqual(told(await trail('?hops=1')), [[1, '2', '1', 1_000, 'depth'], [1, '3', '1', 1_000, 'service'], [1, '8', '1', 2, 'small']])
    assert.deepEqual(told(await trail('?limit=1')), [[1, '2', '1', 1_000, null], [2, '4', '2', 900, 'depth']])
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
