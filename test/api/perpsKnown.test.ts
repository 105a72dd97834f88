/** What is not known of the perps venue is not told: beyond a full book, of positions seen long ago, of who was deleveraged, of versions given up. */
import assert from 'node:assert/strict'
import { digest, infoAnswer, insertHeard, listened, message } from '../support/hyperliquid.js'
import { addressOf, day, hour, minute } from '../support/traders.js'
import { startService, type Service } from './support/service.js'

const buyer = `0x${'11'.repeat(20)}`, winner = `0x${'22'.repeat(20)}`, loser = `0x${'33'.repeat(20)}`
/** `count` levels of one coin each, `step` from each other, from a middle of 100,000 on. */
const side = (count: number, step: number) => Array.from({ length: count }, (_, nth) => ({ px: (100_000 + (nth + 1) * step).toFixed(1), sz: '1.0', n: 1 }))
const bands = (...dollars: (number | null)[]) => [5, 10, 25, 50, 100].map((width, nth) => [width, dollars[2 * nth], dollars[2 * nth + 1]])

describe('what is not known of the perps venue', function () {
  this.timeout(90_000)
  let service: Service
  const now = Date.now(), hash = `0x${'cd'.repeat(32)}`
  const get = async (path: string): Promise<any> => { const { status, body, text } = await service.call(`GET /v1/${path}`); assert.equal(status, 200, `${path} ${text}`); return body }
  const state = (user: string, time: number, value: number) => {
    const sums = { accountValue: '5000', totalNtlPos: '0', totalRawUsd: '0', totalMarginUsed: '0' }
    const position = { coin: 'ETH', szi: '10', leverage: { type: 'cross', value: 10 }, entryPx: '90', positionValue: String(value), unrealizedPnl: '100', returnOnEquity: '1', liquidationPx: '80', marginUsed: '100', maxLeverage: 40, cumFunding: { allTime: '0', sinceOpen: '0', sinceChange: '0' } }
    return infoAnswer({ type: 'clearinghouseState', user }, { marginSummary: sums, crossMarginSummary: sums, crossMaintenanceMarginUsed: '0', withdrawable: '4000', assetPositions: [{ type: 'oneWay', position }], time })
  }
  const forced = (tid: number, kind: string, who: string, ago: number) => service.store.execute(`INSERT INTO hl_liquidations (chain, block_number, source, heard_at, coin, market, dex, time, tid, extra, kind, liquidated, side, px, sz, mark_px, method, hash, generation)
    VALUES ('HL', 1, 'ws', {time:String}, 'BTC', 'perp', '', {time:String}, {tid:UInt64}, 0, {kind:String}, unhex({who:String}), 'sell', 100000, 2, NULL, 'backstop', unhex({hash:String}), 0)`, { tid, kind, who: who.slice(2), time: new Date(now - ago).toISOString().replace('Z', ''), hash: hash.slice(2) })
  before(async () => {
    service = await startService()
    await listened(service.store)
    await insertHeard(service.store, 1, [
      // Twenty levels a side that end 2 of 10,000 from the middle; that end 30 away below and are whole above.
      message('l2Book', { coin: 'BTC', time: now, levels: [side(20, -1), side(20, 1)] }), message('l2Book', { coin: 'ETH', time: now, levels: [side(20, -15), side(19, 15)] }),
      message('trades', [{ coin: 'BTC', side: 'A', px: '100000.0', sz: '2.0', time: now - 2_000, hash, tid: 2, users: [buyer, winner] }]),
      state(addressOf(1), now - 40 * day, 9_000_000), state(addressOf(2), now - 3 * hour, 2_000), state(addressOf(3), now - minute, 1_000),
    ])
    await digest(service.store, 1, 1)
    await forced(1, 'liquidation', loser, 1_000)
    await forced(2, 'adl', winner, 2_000)
    await forced(3, 'adl', winner, 3_000)
    await service.store.insert('heads', [{ chain: 'HL', number: 1, hash: 'x', block_time: new Date().toISOString(), finalized: 1, endpoint: 'venue', observed_at: new Date().toISOString() }])
  })
  after(() => service.stop())

  it('beyond the last level of a full side rests nobody knows what; a side of fewer levels is whole', async () => {
    const { books: [btc, eth] } = await get('feed/hl/depth?coins=BTC,ETH')
    const of = (book: any) => book.bands.map(({ basis_points: width, bid_usd: bid, ask_usd: ask }: any) => [width, bid, ask])
    const sum = (levels: readonly { readonly px: string }[], most: number): number => levels.slice(0, most).reduce((total, { px }) => total + Number(px), 0)
    assert.deepEqual(of(btc), bands(null, null, null, null, null, null, null, null, null, null))
    assert.equal(btc.imbalance, null)
    const asks = side(19, 15), bids = side(20, -15)
    assert.deepEqual(of(eth), bands(sum(bids, 3), sum(asks, 3), sum(bids, 6), sum(asks, 6), sum(bids, 16), sum(asks, 16), null, sum(asks, 19), null, sum(asks, 19)))
    assert.equal(eth.imbalance, (sum(bids, 16) - sum(asks, 16)) / (sum(bids, 16) + sum(asks, 16)), 'of the widest band known on both sides')
  })

  it('who was auto-deleveraged was not liquidated', async () => {
    const { events } = await get('feed/hl/recent?hours=1')
    assert.deepEqual(events.map(({ trade_id: id, kind, liquidated, method, buyer: bought, seller, taker }: any) => [id, kind, liquidated, method, bought, seller, taker]),
      [['1', 'liquidation', loser, 'backstop', null, loser, null], ['2', 'trade', null, null, buyer, winner, winner], ['3', 'trade', null, null, null, winner, null]])
    const { pulse } = await get('feed/hl/pulse')
    assert.deepEqual([pulse.liquidations, pulse.liquidated_long_usd, pulse.liquidated_short_usd], [1, 200_000, null])
    const { flow } = await get('feed/hl/flow-history?coin=BTC&buckets=4')
    assert.equal(flow.reduce((total: number, bucket: any) => total + bucket.liquidated_usd, 0), 200_000)
    assert.deepEqual((await get('whales/recent?chain=HL')).whales.map(({ kind, from_address: from }: any) => [kind, from]), [['perp_liquidation', loser], ['perp_trade', winner], ['perp_trade', winner]])
    assert.deepEqual((await get('dashboard/whale-txs?chain=HL')).items.map(({ type, description }: any) => [type, description.includes('by force')]), [['perp_liquidation', true], ['perp_trade', false], ['perp_trade', false]])
  })

  it('a position seen long ago is none of the largest now; what was seen hours ago is told with its age', async () => {
    const seen = (at: number) => `Of the positions some were seen last at ${new Date(at).toISOString()}: they may be closed since`
    const all = await get('feed/hl/positions')
    assert.deepEqual(all.positions.map(({ address }: any) => address), [addressOf(2), addressOf(3)])
    assert.deepEqual(all.coverage_status.warnings.slice(1), ['Positions are those of 2 accounts that the venue was asked about within a day of the newest answer; others may hold larger ones', seen(now - 3 * hour)])
    const old = await get(`feed/hl/trader/${addressOf(1)}`)
    assert.deepEqual([old.positions.length, old.coverage_status.warnings.includes(seen(now - 40 * day))], [1, true])
    assert.ok(!(await get(`feed/hl/trader/${addressOf(3)}`)).coverage_status.warnings.some((text: string) => text.includes('positions')))
  })

  it('an archived version that was not asked for as such is no silence', async () => {
    const log = async (query: string) => { const { coverage_status: { warnings }, _meta: { empty }, count } = await get(`feed/hl/signal-log?${query}`); return [count, empty.empty_reason, empty.is_successful_empty, warnings.slice(1)] }
    const left = [0, 'unsupported_input', false, ['This version is archived: it is told with archived=true alone']]
    // Looked at, and nothing was seen: without a look the silence of all of them would be a gap.
    await service.store.execute("INSERT INTO hl_signal_runs (chain, from_time, to_time, through, open_since, done, told, at) VALUES ('HL', now(), now(), 1, now(), true, true, now())")
    for (const query of ['version=v4', 'version=v6&status=open']) assert.deepEqual(await log(query), left, query)
    for (const query of ['', 'version=v4&archived=true', 'version=v5', 'version=all']) assert.deepEqual(await log(query), [0, 'no_signal', true, []], query)
  })
})
