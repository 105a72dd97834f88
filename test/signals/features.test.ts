/** What is known of a coin, by markets made by hand. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { giveSignals } from '../../stages/signals/giveSignals.js'
import { infoAnswer, message, type Heard } from '../support/hyperliquid.js'
import { freshStore } from '../support/servers.js'
import { calm, context, hear, hour, maker, minute, start, taker, trade } from './market.js'

const known = async (heard: readonly Heard[]): Promise<Store> => {
  const { store } = await freshStore()
  await hear(store, 1, heard)
  await giveSignals(store, { chain: 'HL', now: Date.now(), seconds: 60 })
  return store
}
const at = async (store: Store, minutes: number, columns: string): Promise<Record<string, unknown> | undefined> =>
  (await store.query(`SELECT ${columns} FROM hl_features WHERE coin = 'BTC' AND toUnixTimestamp(time) * 1000 = {at:UInt64}`, { at: start + minutes * minute }, z.record(z.string(), z.unknown())))[0]
const position = (account: string, when: number, szi: string, value: string, liquidationPx: string | null): Heard => infoAnswer({ type: 'clearinghouseState', user: account }, {
  marginSummary: { accountValue: '10.0', totalNtlPos: '1.0', totalRawUsd: '0.0', totalMarginUsed: '1.0' }, withdrawable: '0.0', time: start + when,
  assetPositions: [{ type: 'oneWay', position: { coin: 'BTC', szi, leverage: { type: 'cross', value: 20 }, entryPx: '100.0', positionValue: value, unrealizedPnl: '0.0', returnOnEquity: '0.0', liquidationPx, marginUsed: '1.0', maxLeverage: 40, cumFunding: { allTime: '0.0', sinceOpen: '0.0', sinceChange: '0.0' } } }],
}, start + when)

describe('features of the perps market', function () {
  this.timeout(180_000)

  it('changes are against an hour and four before, open interest in units of the coin; what is not known is null', async () => {
    const store = await known([...calm(0, 6 * hour, 100), context(10_000, 100, 1_000), context(hour + 5_000, 100, 1_000), trade(5 * hour + 3 * minute + 30_000, 102, 100), context(5 * hour + 4 * minute, 102, 1_100, '0.00002')])
    assert.deepEqual(await at(store, 305, 'round(change_4h, 9) AS change, open_interest_usd AS usd, round(open_interest_change_4h, 9) AS interest, rate, rate_4h_ago AS before, smart_flow, vpin, cluster_distance AS cluster'),
      { change: 0, usd: 110_000, interest: 0.1, rate: 0.00002, before: 0.0000125, smart_flow: null, vpin: null, cluster: null })
    assert.deepEqual(await at(store, 30, 'change_1h, change_4h, open_interest_change_4h AS interest, rate_z, volume_ratio'), { change_1h: null, change_4h: null, interest: null, rate_z: null, volume_ratio: null })
  })

  it('funding is held against the hours before this one alone', async () => {
    const rates = Array.from({ length: 200 }, (_, index) => ({ coin: 'BTC', fundingRate: index % 2 === 0 ? '0.00001' : '0.00003', premium: '0.0', time: start - (200 - index) * hour }))
    const store = await known([infoAnswer({ type: 'fundingHistory', coin: 'BTC', startTime: 0 }, rates, start + 1_000), ...calm(0, 20 * minute, 100), context(30_000, 100, 1_000, '0.00005')])
    const row = await at(store, 5, 'rate_z AS z, rate_hours AS hours')
    assert.equal(row?.['hours'], 200)
    const spread = Math.sqrt((200 * 0.00001 ** 2) / 199)
    assert.ok(Math.abs(Number(row?.['z']) - 0.00003 / spread) < 1e-6)
  })

  it('VPIN: fifty equal buckets of the day, minutes split over those they fill', async () => {
    // Fifty minutes: of each $200 three quarters are bought, so every bucket leans by a half.
    const store = await known(Array.from({ length: 65 }, (_, index) => [trade(index * minute, 100, 150), trade(index * minute + 1_000, 100, 50, 'A')]).flat())
    assert.equal((await at(store, 60, 'round(vpin, 9) AS vpin'))?.['vpin'], 0.5)
    // Bought for an hour's half, sold for the other: each bucket is one side's, though the sum is nothing.
    const turned = await known(Array.from({ length: 70 }, (_, index) => trade(index * minute, 100, 100, index < 30 ? 'B' : 'A')))
    assert.equal((await at(turned, 60, 'round(vpin, 9) AS vpin'))?.['vpin'], 1)
  })

  it('order flow at the best prices: what was put there less what was taken', async () => {
    const book = (when: number, bid: number, bidSize: number, ask: number, askSize: number): Heard => message('l2Book', { coin: 'BTC', time: start + when, levels: [[{ px: bid.toFixed(1), sz: bidSize.toFixed(1), n: 1 }], [{ px: ask.toFixed(1), sz: askSize.toFixed(1), n: 1 }]] }, {}, start + when)
    // The bid grows by 3, then the ask falls away from 2 at 101 to 5 at 102: 3 + 0, then 2 more.
    const store = await known([...calm(0, 12 * minute, 100), book(minute, 99, 2, 101, 2), book(2 * minute, 99, 5, 101, 2), book(3 * minute, 99, 5, 102, 5), book(4 * minute, 99.9, 3, 100.1, 1)])
    const [row] = await store.query("SELECT groupArray((toMinute(start), ofi_usd)) AS flow FROM (SELECT * FROM hl_bars WHERE ofi_usd IS NOT NULL AND toMinute(start) < 4 ORDER BY start)", {}, z.object({ flow: z.array(z.tuple([z.number(), z.number()])) }))
    assert.deepEqual(row?.flow, [[2, 300], [3, 201]])
    assert.deepEqual(await at(store, 5, 'round(book, 6) AS book'), { book: 0.49925 })
  })

  it('what rests beyond the twentieth level is not known: dollars within 1 % are null there, the leaning is that of the widest band known on both sides', async () => {
    const levels = (count: number, step: number, size: number) => Array.from({ length: count }, (_, nth) => ({ px: (100 + (nth + 1) * step).toFixed(4), sz: size.toFixed(1), n: 1 }))
    const book = (when: number, bids: object[], asks: object[]): Heard => message('l2Book', { coin: 'BTC', time: start + when, levels: [bids, asks] }, {}, start + when)
    // Twenty bids end at 0.3 %, nineteen asks at 0.95 %; then twenty of both end at 0.02 %; then twenty of both reach 1 %.
    const store = await known([...calm(0, 16 * minute, 100), book(minute, levels(20, -0.015, 10), levels(19, 0.05, 20)), book(6 * minute, levels(20, -0.001, 10), levels(20, 0.001, 20)), book(11 * minute, levels(20, -0.06, 10), levels(20, 0.06, 20))])
    const rests = await store.query('SELECT toMinute(start) AS minute, bid_usd IS NULL AS unseen, round(ask_usd) AS ask, round(book, 4) AS book FROM hl_bars WHERE toMinute(start) IN (1, 6, 11) ORDER BY start', {}, z.object({ minute: z.number(), unseen: z.coerce.boolean(), ask: z.number().nullable(), book: z.number().nullable() }))
    const mid = 100 + (0.05 - 0.015) / 2, sum = (side: readonly { px: string; sz: string }[], width: number): number => side.reduce((total, { px, sz }) => total + (Math.abs(Number(px) / mid - 1) <= width ? Number(px) * Number(sz) : 0), 0)
    const [bid, ask] = [sum(levels(20, -0.015, 10), 0.0025), sum(levels(19, 0.05, 20), 0.0025)]
    assert.deepEqual(rests.map(({ minute: at, unseen, book: leans }) => [at, unseen, leans]), [[1, true, Number(((bid - ask) / (bid + ask)).toFixed(4))], [6, true, null], [11, false, rests[2]?.book]])
    assert.deepEqual(rests.map(({ ask: usd }) => usd), [Math.round(sum(levels(19, 0.05, 20), 1)), null, rests[2]?.ask])
    assert.ok(rests[2]?.book !== null && Math.abs((rests[2]?.book ?? 0) + 1 / 3) < 0.01)
    assert.deepEqual(await at(store, 10, 'book'), { book: null })
  })

  it('leaders are those of the days before: their trades are told apart, what they earn later makes nobody one', async () => {
    const line = (account: string, when: number, tid: number, pnl: string, side = 'A'): string => JSON.stringify([account, { coin: 'BTC', px: '100.0', sz: '60000.0', side, time: start + when, startPosition: '60000.0', dir: 'Close Long', closedPnl: pnl, hash: `0x${'cd'.repeat(32)}`, oid: tid, crossed: true, fee: '1.0', tid, feeToken: 'USDC' }])
    const fills: Heard = { kind: 'node_fills', payload: [line(taker, -26 * hour, 900_001, '5000.0'), line(maker, -25 * hour, 900_002, '0.5')].join('\n'), at: start - 24 * hour }
    const store = await known([fills, ...calm(0, 20 * minute, 100), trade(7 * minute, 100, 40_000)])
    const [row] = await store.query('SELECT sum(smart_bought_usd) AS bought, sum(smart_sold_usd) AS sold FROM hl_bars WHERE start >= {start:UInt32}', { start: start / 1_000 }, z.object({ bought: z.number(), sold: z.number() }))
    // One leads: it bought 100 a minute and 40,000 at once, and sold 100 a minute.
    assert.ok(row !== undefined && row.bought - row.sold > 39_000 && row.sold > 0)
  })

  it('liquidation levels are estimates of what is seen: without a price or too far away nothing, coverage of open interest', async () => {
    const store = await known([...calm(0, 12 * minute, 100), context(minute, 100, 100_000), position(taker, 2 * minute, '20000.0', '2000000.0', '99.2'), position(maker, 2 * minute, '-1000.0', '100000.0', '160.0'), position(`0x${'33'.repeat(20)}`, 2 * minute, '1000.0', '100000.0', null)])
    const levels = await store.query('SELECT toString(side) AS side, round(px, 6) AS px, round(distance, 6) AS distance, usd, accounts, round(coverage, 6) AS coverage FROM hl_liquidation_levels', {}, z.record(z.string(), z.unknown()))
    assert.deepEqual(levels, [{ side: 'long', px: 99.25, distance: -0.0075, usd: 2_000_000, accounts: 1, coverage: 0.22 }])
    assert.deepEqual(await at(store, 5, 'toString(cluster_side) AS side, round(cluster_distance, 6) AS distance, cluster_usd AS usd, round(cluster_share, 6) AS share'), { side: 'long', distance: -0.0075, usd: 2_000_000, share: 0.2 })
  })
})
