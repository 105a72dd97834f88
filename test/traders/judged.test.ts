/** What positions tell of a trader, by numbers worked out by hand: metrics and their minimum samples, returns, styles, fitness to be copied. */
import assert from 'node:assert/strict'
import type { Store } from '../../schemas/clickhouse.js'
import { loadSql } from '../../schemas/sql.js'
import { computeTraders } from '../../stages/traders/computeTraders.js'
import { addressOf, day, file, hour, minute, near, openJudging, roundTrip, start } from '../support/traders.js'
import { digest, infoAnswer, insertHeard, message, type Heard } from '../support/hyperliquid.js'
import { freshStore } from '../support/servers.js'

describe('what traders are judged by', function () {
  this.timeout(120_000)
  let judging: Awaited<ReturnType<typeof openJudging>>
  before(async () => { judging = await openJudging() })
  const hear = (...heard: Heard[]) => judging.hear(...heard), judged = (nth: number) => judging.judged(nth)

  it('shares and ratios need ten ended positions, sums none', async () => {
    // Bought 1 at 100, sold at 110 or at 95; a fee of 0.5 a fill: +9 or -6.
    const trips = (nth: number, count: number) => Array.from({ length: count }, (_, trip) => roundTrip(nth, trip + 1, { at: trip * 2 * hour, hold: hour, exit: trip % 5 === 4 ? 95 : 110, fee: 0.5 })).flat()
    await hear(file([...trips(1, 9), ...trips(2, 10)]))
    const [few, enough] = [(await judged(1)).metrics, (await judged(2)).metrics]
    assert.deepEqual(['win_rate', 'payoff', 'profit_factor', 'sharpe', 'net_to_gross', 'best_share'].filter((name) => name in few), [])
    near(few['net_usd'], 8 * 9 - 6)
    for (const [name, value] of Object.entries({ trips: 10, win_rate: 0.8, payoff: 1.5, profit_factor: 72 / 12, expectancy_usd: 6, net_usd: 60, fees_usd: 10, gross_usd: 70, best_share: 9 / 60, worst_loss: 6 / 9, median_hold_seconds: 3_600, maker_share: 0, net_to_gross: 1, volume_usd: 8 * 210 + 2 * 195, efficiency: 60 / (8 * 210 + 2 * 195) })) near(enough[name], value)
    assert.ok(!('sharpe' in enough))
  })

  it('what was dealt on the day in which the window begins, and before it began, is in no sum', async () => {
    // The window of 90 days ends with the last fill: it begins at noon, two hours after the first position was over.
    const { metrics } = await (async () => {
      const own = await openJudging()
      await own.hear(file([...roundTrip(1, 0, { at: 9 * hour, hold: hour, exit: 110, size: 7 }), ...roundTrip(1, 1, { at: 14 * hour, hold: hour, exit: 110 }), ...roundTrip(1, 2, { at: 90 * day + 11 * hour, hold: hour, exit: 110 })]))
      return own.judged(1)
    })()
    assert.deepEqual(['trips', 'fills', 'volume_usd', 'net_usd', 'net_flow_share', 'active_days', 'first_ms', 'recent_ms'].map((name) => [name, metrics[name]]),
      Object.entries({ trips: 2, fills: 4, volume_usd: 420, net_usd: 20, net_flow_share: 20 / 420, active_days: 2, first_ms: start + 9 * hour, recent_ms: start + 14 * hour }))
  })

  it('returns on the capital that came first, by day; the draw-down from the highest; none where history is truncated', async () => {
    const deposit = (nth: number, at: number, usdc: string) => infoAnswer({ type: 'userNonFundingLedgerUpdates', user: addressOf(nth) }, [{ time: start + at, hash: `0x${'cd'.repeat(32)}`, delta: { type: 'deposit', usdc } }])
    // 1,000 came; +100 (10 %), -220 (-20 %), then 120 came, +50 of 1,000 (5 %).
    const trips = (nth: number) => [[110, 1], [78, 2], [105, 3]].map(([exit, on], trip) => roundTrip(nth, trip + 1, { at: Number(on) * day, hold: hour, exit: Number(exit), size: 10 })).flat()
    await hear(deposit(3, 0, '1000'), deposit(3, 3 * day, '120'), file(trips(3)), file(trips(4)))
    const { metrics } = await judged(3)
    near(metrics['twr'], 1.1 * 0.8 * 1.05 - 1)
    near(metrics['max_drawdown'], 0.2)
    near(metrics['put_in_usd'], 1_120)
    near(metrics['crash'], 0.2)
    assert.ok(!('twr' in (await judged(4)).metrics))
    assert.deepEqual((await judged(3)).copy_reasons.includes('too few positions'), true)
  })

  it('what is held is marked to market by the hour: a draw-down on the way counts though the position gained in the end', async () => {
    const told = (at: number, px: string, tid: number) => ({ coin: 'AVAX', side: 'B', px, sz: '1', time: start + at, hash: `0x${'ef'.repeat(32)}`, tid, users: [addressOf(98), addressOf(99)] })
    // 1,000 came; ten bought at 100, worth 70 each after two hours and 120 after five, sold at 110 the day after with one day of 120 between; funding of 20 paid meanwhile.
    await hear(message('trades', [told(day + 2 * hour + minute, '70', 700_001), told(day + 5 * hour + minute, '120', 700_002)]),
      infoAnswer({ type: 'userNonFundingLedgerUpdates', user: addressOf(6) }, [{ time: start, hash: `0x${'cd'.repeat(32)}`, delta: { type: 'deposit', usdc: '1000' } }]),
      infoAnswer({ type: 'userFunding', user: addressOf(6) }, [{ time: start + day + 6 * hour, hash: `0x${'cd'.repeat(32)}`, delta: { type: 'funding', coin: 'AVAX', usdc: '-20', szi: '10', fundingRate: '0.0000125', nSamples: null } }]),
      file(roundTrip(6, 1, { at: day, hold: 30 * hour, exit: 110, size: 10, coin: 'AVAX' })))
    const { metrics } = await judged(6)
    near(metrics['max_drawdown'], 0.3)
    near(metrics['twr'], 0.08)
    near(metrics['net_usd'], 80)
    // The second day begins at 1,180 and ends at 1,080.
    near(metrics['crash'], 1 - 1_080 / 1_180)
    near(metrics['capital_usd'], 1_000)
  })

  it('a round trip of one moment leaves what was held before it, whichever of its fills is read first', async () => {
    const own = await openJudging()
    const told = (at: number, px: string, tid: number) => ({ coin: 'BTC', side: 'B', px, sz: '1', time: start + at, hash: `0x${'ef'.repeat(32)}`, tid, users: [addressOf(98), addressOf(99)] })
    const fill = (at: number, tid: number, delta: number, px: string, before: string) => [addressOf(7), { coin: 'BTC', px, sz: String(Math.abs(delta)), side: delta > 0 ? 'B' : 'A', time: start + at, startPosition: before, dir: 'Open Long', closedPnl: '0', hash: `0x${'ab'.repeat(32)}`, oid: tid, tid, crossed: true, fee: '0', feeToken: 'USDC' }]
    // 1,000 came; 5 held from 100 over 110 and 90 to 100. Two hours after it was bought 3 more are bought and sold within one moment; the sale has the lower id.
    await own.hear(infoAnswer({ type: 'userNonFundingLedgerUpdates', user: addressOf(7) }, [{ time: start, hash: `0x${'cd'.repeat(32)}`, delta: { type: 'deposit', usdc: '1000' } }]),
      message('trades', [told(5 * hour + minute, '110', 1), told(7 * hour + minute, '90', 2), told(9 * hour + minute, '100', 3)]),
      file([fill(hour, 10, 5, '100', '0'), fill(3 * hour, 30, 3, '100', '5'), fill(3 * hour, 20, -3, '100', '8'), fill(10 * hour, 40, -5, '100', '5')]))
    const { metrics } = await own.judged(7)
    near(metrics['max_drawdown'], 1 - 950 / 1_050)
    near((metrics['twr'] ?? NaN) + 1, 1)
  })

  it('a history that begins with something held is truncated: told, and not fit to be copied', async () => {
    await hear(file([[addressOf(5), { ...(roundTrip(5, 1, { at: 0, hold: hour, exit: 110 })[1] as [string, object])[1], startPosition: '2', closedPnl: '3.5' }]]))
    const { metrics, flags, copy_score: score, copy_reasons: reasons } = await judged(5)
    assert.deepEqual([metrics['truncated'], flags, score, reasons.includes('history is truncated')], [1, ['history_truncated'], 0, true])
    near(metrics['net_usd'], 3.5)
  })

  it('a vault is told by its address, whatever else the venue says of it', async () => {
    const vault = (nth: number, more: object) => infoAnswer({ type: 'vaultSummaries' }, [{ name: 'v', vaultAddress: addressOf(nth), leader: addressOf(90), tvl: '1.0', isClosed: false, relationship: { type: 'normal' }, createTimeMillis: start, ...more }])
    await hear(vault(8, {}), vault(9, { summary: 'What it does and how it has done, in more letters than an address has.' }), ...[8, 9, 10].map((nth) => file(roundTrip(nth, 1, { at: 0, hold: hour, exit: 110 }))))
    assert.deepEqual(await Promise.all([8, 9, 10].map(async (nth) => (await judged(nth)).flags)), [['vault'], ['vault'], []])
  })

  it('a vault of which the venue said late that it is one is told by then, though it did nothing since', async () => {
    const own = await openJudging()
    await own.hear(...[8, 9].map((nth) => file(roundTrip(nth, 1, { at: 0, hold: hour, exit: 110 }))))
    assert.deepEqual((await own.judged(8)).flags, [])
    await own.hear(infoAnswer({ type: 'userRole', user: addressOf(8) }, { role: 'vault' }), infoAnswer({ type: 'userRole', user: addressOf(9) }, { role: 'user' }), file(roundTrip(10, 1, { at: 2 * hour, hold: hour, exit: 110 })))
    assert.deepEqual(await Promise.all([8, 9, 10].map(async (nth) => (await own.judged(nth)).flags)), [['vault'], [], []])
  })

  it('each style by its rule, and none where none fits', async () => {
    const many = (nth: number, count: number, each: (trip: number) => Parameters<typeof roundTrip>[2]) => Array.from({ length: count }, (_, trip) => roundTrip(nth, trip + 1, each(trip))).flat()
    // What a sniper bought is worth more an hour later; prices are said by trades.
    const prices = Array.from({ length: 24 * 24 }, (_, nth) => ({ coin: 'BTC', side: 'B', px: nth % 48 < 1 ? '100' : String(104 + (nth % 5) / 10), sz: '1', time: start + nth * hour, hash: `0x${'ef'.repeat(32)}`, tid: 900_000 + nth, users: [addressOf(98), addressOf(99)] }))
    await hear(message('trades', prices))
    await hear(
      file(many(11, 12, (trip) => ({ at: trip * 48 * hour + minute, hold: 5 * hour, exit: trip % 4 === 3 ? 98 : 104 }))),
      file(many(12, 12, (trip) => ({ at: trip * 8 * hour, hold: hour, exit: trip % 10 === 9 ? 90 : 100.5 }))),
      file([...many(13, 12, (trip) => ({ at: trip * 24 * hour, hold: 20 * hour, exit: 101, coin: 'ETH' })), ...many(13, 12, (trip) => ({ at: trip * 24 * hour, hold: 20 * hour, exit: 99.5, side: 'short', coin: 'SOL', tids: 500 }))]),
      file(many(14, 12, (trip) => ({ at: trip * 24 * hour, hold: 20 * hour, exit: trip % 2 === 0 ? 103 : 98 }))),
      // In and out, one side and the other, on the same days: half its time weighed out, half not.
      file([...many(15, 12, (trip) => ({ at: trip * 24 * hour, hold: 20 * hour, exit: trip % 2 === 0 ? 101 : 99, coin: 'ETH' })), ...many(15, 12, (trip) => ({ at: trip * 24 * hour, hold: 20 * hour, exit: trip % 2 === 0 ? 101 : 99, side: 'short', coin: 'SOL', size: 0.4, tids: 500 }))]),
    )
    const styles = await Promise.all([11, 12, 13, 14, 15].map(async (nth) => (await judged(nth)).style))
    assert.deepEqual(styles, ['SNIPER', 'STEAMROLLER', 'HEDGER', 'DIRECTIONAL', ''])
    assert.equal((await judged(11)).reasons[0], 'sniper version 1')
  })

  it('so is what was filled last before the window and is held still, where the window shows that it is', async () => {
    const told = (at: number, px: string, tid: number) => ({ coin: 'AVAX', side: 'B', px, sz: '1', time: start + at, hash: `0x${'ef'.repeat(32)}`, tid, users: [addressOf(98), addressOf(99)] })
    // 1,000 came long ago, and ten were bought at 100: worth 70 each for three hours of the window, then 120. Of one account nobody says later that it still has them, of another not after three hours.
    const own = await openJudging(), deposit = (nth: number) => infoAnswer({ type: 'userNonFundingLedgerUpdates', user: addressOf(nth) }, [{ time: start - 201 * day, hash: `0x${'cd'.repeat(32)}`, delta: { type: 'deposit', usdc: '1000' } }])
    const paid = (nth: number, at: number) => infoAnswer({ type: 'userFunding', user: addressOf(nth) }, [{ time: start + at + 5, hash: `0x${'cd'.repeat(32)}`, delta: { type: 'funding', coin: 'AVAX', usdc: '0.0', szi: '10', fundingRate: '0.0000125', nSamples: null } }])
    const old = (nth: number) => [roundTrip(nth, 1, { at: -200 * day, hold: hour, exit: 110, size: 10, coin: 'AVAX' })[0], ...roundTrip(nth, 2, { at: 2 * day, hold: hour, exit: 100 })]
    await own.hear(message('trades', [told(day, '100', 700_001), told(day + 2 * hour + minute, '70', 700_002), told(day + 5 * hour + minute, '120', 700_003)]), deposit(6), deposit(7), deposit(8), file([...old(6), ...old(7), ...old(8)]),
      paid(6, day + 6 * hour), paid(8, day + 3 * hour))
    const { metrics } = await own.judged(6)
    near(metrics['max_drawdown'], 0.3)
    near(metrics['twr'], 0.2)
    // The last that was heard of its position was when each was worth 70.
    near((await own.judged(8)).metrics['twr'], -0.3)
    const { metrics: unshown } = await own.judged(7)
    near(unshown['max_drawdown'], 0)
    near(unshown['twr'], 0)
    assert.ok(Number(metrics['funding_known']) < 0.01 && Number(metrics['funding_known']) > 0)
    assert.equal(unshown['funding_known'], 0)
  })

  it('spot that is held weighs out what is sold of perps', async () => {
    const spot = (at: number, tid: number, side: string, before: string) => [addressOf(16), { coin: '@151', px: '100', sz: '1', side, time: start + at, startPosition: before, dir: side === 'B' ? 'Buy' : 'Sell', closedPnl: '0', hash: `0x${'ab'.repeat(32)}`, oid: tid, crossed: true, fee: '0', tid, feeToken: 'USDC' }] as const
    const shorts = (nth: number) => Array.from({ length: 12 }, (_, trip) => roundTrip(nth, trip + 1, { at: trip * 24 * hour, hold: 20 * hour, exit: trip % 2 === 0 ? 101 : 99, side: 'short', coin: 'ETH' })).flat()
    await hear(file([...shorts(16), spot(-hour, 990_001, 'B', '0'), ...shorts(17)]))
    const [hedged, bare] = [await judged(16), await judged(17)]
    assert.deepEqual([hedged.style, hedged.metrics['net_to_gross'], bare.style, bare.metrics['net_to_gross']], ['HEDGER', 0, 'DIRECTIONAL', 1])
    // Sold after the second of twelve: from then on nothing weighs the shorts out.
    await hear(file([spot(2 * 24 * hour, 990_002, 'A', '1')]), file([roundTrip(16, 99, { at: 13 * 24 * hour, hold: hour, exit: 100, side: 'short', coin: 'ETH' })].flat()))
    assert.deepEqual([(await judged(16)).style], ['DIRECTIONAL'])
  })

  it('what is held since before the window weighs as long as it is held', async () => {
    const own = await openJudging()
    const long = roundTrip(18, 99, { at: -200 * day, hold: hour, exit: 100, coin: 'SOL' })[0]
    const shorts = (nth: number) => Array.from({ length: 12 }, (_, trip) => roundTrip(nth, trip + 1, { at: trip * 7 * day, hold: 7 * day - hour, exit: 99, side: 'short', coin: 'ETH' })).flat()
    const paid = infoAnswer({ type: 'userFunding', user: addressOf(18) }, [{ time: start + 12 * 7 * day - hour + 5, hash: `0x${'cd'.repeat(32)}`, delta: { type: 'funding', coin: 'SOL', usdc: '0.0', szi: '1', fundingRate: '0.0000125', nSamples: null } }])
    await own.hear(file([long, ...shorts(18), ...shorts(19)]), paid)
    const [hedged, bare] = [await own.judged(18), await own.judged(19)]
    assert.deepEqual([hedged.style, hedged.metrics['net_to_gross'], bare.style, bare.metrics['net_to_gross']], ['HEDGER', 0, 'DIRECTIONAL', 1])
  })

  it('and does not where nothing in the window shows that it is, nor after what showed it last', async () => {
    const own = await openJudging()
    const long = (nth: number) => roundTrip(nth, 99, { at: -200 * day, hold: hour, exit: 100, size: 10, coin: 'SOL' })[0]
    // Two sides weigh each other out, for twelve weeks.
    const both = (nth: number) => Array.from({ length: 12 }, (_, trip) => [...roundTrip(nth, trip + 1, { at: trip * 7 * day, hold: 7 * day - hour, exit: 99, side: 'short', coin: 'ETH' }), ...roundTrip(nth, trip + 1, { at: trip * 7 * day, hold: 7 * day - hour, exit: 101, coin: 'BTC', tids: 500 })]).flat()
    const paid = (nth: number, at: number) => infoAnswer({ type: 'userFunding', user: addressOf(nth) }, [{ time: start + at + 5, hash: `0x${'cd'.repeat(32)}`, delta: { type: 'funding', coin: 'SOL', usdc: '0.0', szi: '10', fundingRate: '0.0000125', nSamples: null } }])
    await own.hear(file([...both(20), long(21), ...both(21), long(22), ...both(22), long(23), ...both(23)]), paid(22, 12 * 7 * day - hour), paid(23, 12 * day))
    const told = await Promise.all([20, 21, 22, 23].map(async (nth) => { const { style, metrics } = await own.judged(nth); return [style, Number(metrics['net_to_gross']).toFixed(1), Number(metrics['directional_days']) > 0.5] }))
    assert.deepEqual(told, [['HEDGER', '0.0', false], ['HEDGER', '0.0', false], ['DIRECTIONAL', '0.8', true], ['HEDGER', '0.0', false]])
  })

  it('what is left for one who follows: later prices, both fees, slippage and the funding of the hours', async () => {
    const told = (at: number, px: string, tid: number) => ({ coin: 'DOGE', side: 'B', px, sz: '1', time: start + at, hash: `0x${'ef'.repeat(32)}`, tid, users: [addressOf(98), addressOf(99)] })
    // It buys at 100 and sells at 110; half a minute later 101 and 109 are paid. Held over two full hours, of which each cost 0.0001.
    const times = Array.from({ length: 12 }, (_, trip) => trip * 12 * hour + 30 * minute)
    await hear(message('trades', times.flatMap((at, trip) => [told(at + 20_000, '101', 800_000 + trip), told(at + 2 * hour + 20_000, '109', 810_000 + trip)])),
      infoAnswer({ type: 'fundingHistory', coin: 'DOGE' }, Array.from({ length: 24 * 7 }, (_, nth) => ({ coin: 'DOGE', fundingRate: '0.0001', premium: '0', time: start + (nth - 2) * hour }))),
      file(times.flatMap((at, trip) => roundTrip(21, trip + 1, { at, hold: 2 * hour, exit: 110, coin: 'DOGE' }))))
    const { metrics, copy_score: score, copy_reasons: reasons } = await judged(21)
    near(metrics['edge_after_cost'], 109 / 101 - 1 - 2 * (0.00045 + 0.0005) - 2 * 0.0001)
    // 25 for the edge, 20 for its weeks, 15 for holding two hours, 1.2 for 12 of 100 positions; the rest is not known.
    near(score, 61.2)
    assert.ok(reasons.includes('edge 25'))
  })

  it('where not every hour of funding was told, what following costs is not known', async () => {
    const told = (at: number, px: string, tid: number) => ({ coin: 'SUI', side: 'B', px, sz: '1', time: start + at, hash: `0x${'ef'.repeat(32)}`, tid, users: [addressOf(98), addressOf(99)] })
    const times = Array.from({ length: 12 }, (_, trip) => trip * 12 * hour + 30 * minute)
    // A rate each six hours, and of every other position one payment of three.
    const paid = (nth: number) => infoAnswer({ type: 'userFunding', user: addressOf(nth) }, times.map((at) => ({ time: start + at + 31 * minute, hash: `0x${'cd'.repeat(32)}`, delta: { type: 'funding', coin: 'SUI', usdc: '-1', szi: '1', fundingRate: '0.0001', nSamples: null } })))
    await hear(message('trades', times.flatMap((at, trip) => [told(at + 20_000, '101', 820_000 + trip), told(at + 3 * hour + 20_000, '109', 830_000 + trip)])),
      infoAnswer({ type: 'fundingHistory', coin: 'SUI' }, Array.from({ length: 28 }, (_, nth) => ({ coin: 'SUI', fundingRate: '0.0001', premium: '0', time: start + (6 * nth - 2) * hour }))), paid(23),
      ...[22, 23].map((nth) => file(times.flatMap((at, trip) => roundTrip(nth, trip + 1, { at, hold: 3 * hour, exit: 110, coin: 'SUI' })))))
    for (const nth of [22, 23]) { const { metrics, copy_score: score, copy_reasons: reasons } = await judged(nth); assert.deepEqual([metrics['edge_after_cost'], score, reasons], [undefined, 0, ['what following costs is not known']]) }
  })

  it('what a full book does not show is not known: neither fit nor unfit to be taken', async () => {
    const side = (count: number, step: number, size: number) => Array.from({ length: count }, (_, nth) => ({ px: (100 + (nth + 1) * step).toFixed(4), sz: size.toFixed(1), n: 1 }))
    const book = (coin: string, count: number, size: number) => message('l2Book', { coin, time: start + 90 * day, levels: [side(count, -0.0005, size), side(count, 0.0005, size)] })
    // All within 5 of 10,000 of the middle. Twenty levels of $200 and of $10: more may rest beyond. Nineteen of $10: that is all. Twenty of $10 and fills of $50.
    await hear(book('SEEN', 20, 2), book('FULL', 20, 0.1), book('THIN', 19, 0.1), ...[['SEEN', 31, 2], ['FULL', 32, 3], ['THIN', 33, 3], ['FULL', 34, 1]].map(([coin, nth, size]) =>
      file(Array.from({ length: 10 }, (_, trip) => roundTrip(Number(nth), trip + 1, { at: (70 + trip) * day, hold: hour, exit: 110, size: Number(size), coin: String(coin) })).flat())))
    const [seen, full, thin, small] = await Promise.all([31, 32, 33, 34].map(async (nth) => (await judged(nth)).metrics['executable']))
    assert.deepEqual([seen, full, thin, small], [1, undefined, 0, 1])
  })

  it('a look that finds nothing told since reads no trader and writes nothing', async () => {
    const { store: quiet } = await freshStore()
    await insertHeard(quiet, 1, [file(roundTrip(41, 1, { at: 0, hold: hour, exit: 110 }))])
    await digest(quiet, 1, 1)
    assert.equal((await computeTraders(quiet, { chain: 'HL', upto: 1 }))?.accounts, 1)
    // Judged long ago, as an account is of which nothing stands any more: it is not looked at again and again.
    await quiet.execute("INSERT INTO hl_traders (chain, account, judged_at, version) SELECT 'HL', toFixedString(reinterpretAsString(number), 20), toDateTime64('2020-01-01 00:00:00', 3, 'UTC'), 1 FROM numbers(20000)")
    const asked: string[] = []
    const watched: Store = { ...quiet, query: (sql, ...rest) => { asked.push(typeof sql === 'string' ? sql : sql.name); return quiet.query(sql, ...rest) }, execute: (sql) => { throw new Error(`${typeof sql === 'string' ? sql : sql.name} was run`) } }
    assert.equal(await computeTraders(watched, { chain: 'HL', upto: 1 }), null)
    assert.deepEqual(asked, ['plan'])
    const { text } = loadSql(new URL('../../stages/traders/computeTraders.ts', import.meta.url).href, 'plan.sql')
    const { summary } = await quiet.client.command({ query: text, query_params: { chain: 'HL', upto: 1 } })
    assert.ok(Number(summary?.read_rows) < 100, `${summary?.read_rows} rows were read`)
  })
})
