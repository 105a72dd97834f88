/** The questions about traders of the perps venue, by accounts made by hand: who earned, how they trade, what they hold, who is suspected of knowing before others. */
import assert from 'node:assert/strict'
import { computeTraders } from '../../stages/traders/computeTraders.js'
import { digest, infoAnswer, insertHeard, message } from '../support/hyperliquid.js'
import { addressOf, file, hour, minute, roundTrip, start } from '../support/traders.js'
import { startService, type Service } from './support/service.js'

describe('answers about traders of the perps venue', function () {
  this.timeout(120_000)
  let service: Service
  const now = Date.now(), hash = `0x${'cd'.repeat(32)}`
  const informed = addressOf(7), steady = addressOf(8), idle = addressOf(9), long = addressOf(10)
  const get = async (path: string) => { const { status, body } = await service.call(`GET /v1/feed/hl/${path}`, { key: null }); assert.equal(status, 200, path); return body }
  /** When the informed one bought, and milliseconds after the start of ledgers. */
  const bought = now - 60 * hour, since = (at: number): number => at - start
  before(async () => {
    service = await startService()
    const told = (at: number, px: number, tid: number) => ({ coin: 'BTC', side: 'B', px: px.toFixed(4), sz: '1', time: at, hash, tid, users: [addressOf(98), addressOf(99)] })
    const ledger = (kind: string, at: number, usdc: string) => ({ time: at, hash, delta: { type: kind, usdc } })
    const position = (coin: string, szi: string, more: object) => ({ type: 'oneWay', position: { coin, szi, leverage: { type: 'cross', value: 10 }, entryPx: '90', positionValue: '1000', unrealizedPnl: '100', returnOnEquity: '1', liquidationPx: '80', marginUsed: '100', maxLeverage: 40, cumFunding: { allTime: '0', sinceOpen: '0', sinceChange: '0' }, ...more } })
    const state = (user: string, time: number, assetPositions: object[]) => infoAnswer({ type: 'clearinghouseState', user }, { marginSummary: { accountValue: '5000.5', totalNtlPos: '0', totalRawUsd: '0', totalMarginUsed: '0' }, crossMarginSummary: { accountValue: '5000.5', totalNtlPos: '0', totalRawUsd: '0', totalMarginUsed: '0' }, crossMaintenanceMarginUsed: '0', withdrawable: '4000', assetPositions, time })
    await insertHeard(service.store, 1, [
      // A week of prices that go a ten thousandth up and down, then 20 % up within the hour after it bought.
      message('trades', [...Array.from({ length: 400 }, (_, nth) => told(bought - 399.5 * 30 * minute + nth * 30 * minute, nth % 2 === 0 ? 100 : 100.01, 1_000 + nth)), told(bought + 59 * minute, 120, 5_000), told(bought + 3 * hour, 121, 5_001)]),
      infoAnswer({ type: 'userNonFundingLedgerUpdates', user: informed }, [ledger('deposit', bought - 5 * hour, '50000'), ledger('withdraw', bought + 20 * hour, '100000')]),
      file([...roundTrip(7, 1, { at: since(bought), hold: 4 * hour, exit: 120, size: 3_000, fee: 1 }), ...Array.from({ length: 12 }, (_, trip) => roundTrip(8, trip + 1, { at: since(now - 30 * 24 * hour + trip * 48 * hour), hold: 5 * hour, exit: trip % 2 === 0 ? 103 : 98, coin: 'ETH' })).flat(), ...[10, 12].flatMap((nth) => roundTrip(nth, 1, { at: since(nth === 12 ? now - 30 * minute : now - 10 * 24 * hour), hold: hour, exit: 100 }).slice(0, 1))]),
      state(long, now - 3 * hour, []),
      state(steady, now - 2 * minute, [position('ETH', '10', {}), position('SOL', '-5', { positionValue: '500', liquidationPx: null, entryPx: '110', leverage: { type: 'isolated', value: 5, rawUsd: '1' } })]),
      state(steady, now - minute, [position('ETH', '10', {})]), state(idle, now - 3 * minute, [position('DOGE', '-1000', { positionValue: '2000', liquidationPx: '3' })]),
    ])
    await digest(service.store, 1, 1)
    await computeTraders(service.store, { chain: 'HL', upto: 1 })
    await service.store.insert('heads', [{ chain: 'HL', number: 1, hash: 'x', block_time: new Date().toISOString(), finalized: 1, endpoint: 'venue', observed_at: new Date().toISOString() }])
  })
  after(() => service.stop())

  it('who earned most, with as many round trips as asked for', async () => {
    const { traders } = await get('traders?min_trades=1')
    assert.deepEqual(traders.map(({ rank, address, trades, realised_pnl_usd: pnl, win_rate: rate, style }: any) => [rank, address, trades, pnl, rate, style]), [[1, informed, 1, 59_998, null, null], [2, steady, 12, 6, 0.5, 'DIRECTIONAL']])
    assert.deepEqual((await get('traders')).traders.map(({ address }: any) => address), [steady])
    assert.equal((await get('traders?min_trades=13')).count, 0)
  })

  it('a list says of how many on it the venue has not said yet what they are: they may be vaults', async () => {
    const unsaid = async (path: string): Promise<string[]> => (await get(path)).coverage_status.warnings.filter((one: string) => one.includes('vault'))
    const words = (count: number): string[] => [`The venue has not said yet whether ${count} of the accounts listed ${count === 1 ? 'is a vault' : 'are vaults'}`]
    assert.deepEqual([await unsaid('traders?min_trades=1'), await unsaid('traders/styled'), await unsaid('suspects?min_return=1'), await unsaid('copytrade/curated')], [words(2), words(1), words(1), []])
    await service.store.execute(`INSERT INTO hl_records (chain, type, account, item) VALUES ('HL', 'userRole', '${steady}', '{"role":"user"}')`)
    assert.deepEqual([await unsaid('traders?min_trades=1&limit=3'), await unsaid('traders/styled?limit=3')], [words(1), []])
  })

  it('styles with what they were judged by', async () => {
    const { traders: [one, more] } = await get('traders/styled')
    assert.deepEqual([one.address, one.style, one.trades, one.payoff, one.net_to_gross, one.median_hold_seconds, one.reasons[0], one.window_days, more], [steady, 'DIRECTIONAL', 12, 1.5, 1, 18_000, 'directional version 1', 90, undefined])
  })

  it('one account: skill, margin, what it holds by its newest observation, its newest fills; null where it is not known', async () => {
    const { trader, positions, fills, count, coverage_status: { warnings } } = await get(`trader/${steady}?limit=3`)
    assert.ok(!warnings.some((text: string) => text.includes('account value')))
    assert.deepEqual([trader.trades, trader.account_value_usd, trader.withdrawable_usd, trader.account_observed_at, trader.liquidations, trader.history_truncated, count], [12, 5_000.5, 4_000, new Date(now - minute).toISOString(), 0, false, 3])
    assert.deepEqual(positions.map(({ coin, size, side, mark_price: mark, liquidation_distance: distance }: any) => [coin, size, side, mark, distance]), [['ETH', '10', 'long', 100, 0.2]])
    assert.deepEqual(fills.map(({ coin, direction, price, closed_pnl_usd: pnl, taker, liquidation }: any) => [coin, direction, price, pnl, taker, liquidation]), [['ETH', 'Close Long', 98, -2, true, false], ['ETH', 'Open Long', 100, 0, true, false], ['ETH', 'Close Long', 103, 3, true, false]])
    const other = await get(`trader/${addressOf(11)}`)
    assert.deepEqual([other.trader, other.positions, other.fills], [null, [], []])
    for (const bad of ['0x12', 'vitalik.eth', `${steady}0`]) assert.equal((await service.call(`GET /v1/feed/hl/trader/${bad}`, { key: null })).status, 422, bad)
  })

  it('what an account is worth is told with when the venue said it: where that is long ago with a warning, and of one it was not asked about with null', async () => {
    const { trader: unseen, positions, coverage_status: { warnings: said } } = await get(`trader/${informed}`), unasked = 'The venue was never asked about this account: what it holds is not known'
    assert.deepEqual([positions, said.filter((text: string) => text === unasked)], [[], [unasked]])
    assert.deepEqual([unseen.account_value_usd, unseen.account_observed_at], [null, null])
    const { trader, coverage_status: { warnings } } = await get(`trader/${long}`)
    assert.deepEqual([trader.account_value_usd, trader.account_observed_at], [5_000.5, new Date(now - 3 * hour).toISOString()])
    assert.ok(!warnings.includes(unasked))
    assert.ok(warnings.includes(`The account value was seen last at ${new Date(now - 3 * hour).toISOString()}: it may be another now`))
  })

  it('the largest positions of all, those that are gone left out', async () => {
    const { positions } = await get('positions')
    assert.deepEqual(positions.map(({ address, coin, value_usd: usd, leverage, margin, liquidation_price: price }: any) => [address, coin, usd, leverage, margin, price]), [[idle, 'DOGE', 2_000, 10, 'cross', 3], [steady, 'ETH', 1_000, 10, 'cross', 80]])
    assert.equal((await get('positions?top_n=1')).positions[0].coin, 'DOGE')
  })

  it('trades opened before a move, and who made much of what was put in: suspected, with evidence', async () => {
    const { trades: [trade, more] } = await get('insider-trades')
    assert.deepEqual([trade.address, trade.coin, trade.side, trade.entry_price, trade.value_usd, trade.leverage, trade.pnl_usd, more], [informed, 'BTC', 'long', 100, 300_000, 6, 59_998, undefined])
    assert.deepEqual(trade.evidence.map(({ rule, points }: any) => [rule, points]), [['timing', 25], ['freshness', 20], ['concentration', 15], ['size', 15], ['leaving', 10]])
    assert.deepEqual([trade.score, trade.moved, trade.moved_hours], [85, 0.2, 1])
    assert.equal((await get('insider-trades?hours=48')).count, 0)
    const { suspects: [suspect] } = await get('suspects?min_return=1')
    assert.deepEqual([suspect.address, suspect.score, suspect.pnl_usd, suspect.return_multiple, suspect.top_coin, suspect.top_coin_share, suspect.trades, suspect.win_rate], [informed, 85, 59_998, 1.19996, 'BTC', 1, 1, null], 'one trade is no rate')
    assert.equal((await get('suspects')).count, 0)
    assert.equal((await get('suspects?min_return=1&min_pnl=60000')).count, 0)
  })

  it('nobody is fit to be copied of whom it is not known what following costs: an answer without rows that is evidence', async () => {
    const { traders, _meta: meta } = await get('copytrade/curated')
    assert.deepEqual([traders, meta.empty], [[], { is_successful_empty: true, empty_reason: 'no_signal' }])
  })

  it('say as of when traders were judged, where what was told since has waited long for it', async () => {
    const { store } = service, paths = ['traders', 'traders/styled', 'suspects', 'copytrade/curated', 'insider-trades', `trader/${steady}`, 'alerts', 'signals', 'positions']
    const said = async (): Promise<string[]> => {
      // Answers of the second before are given again.
      await new Promise((resolve) => { setTimeout(resolve, 1_100) })
      return Promise.all(paths.map(async (path) => ((await get(path)).coverage_status.warnings as string[]).filter((one) => one.startsWith('Traders of the venue were judged last as of ')).join()))
    }
    const landed = (minutes: number) => store.insert('batches', [{ chain: 'HL', stage: 'enrich', from_block: 2, to_block: 9, hash: '0xab', generation: 0, rows: 1, bytes: 1, milliseconds: 1, endpoint: '', finished_at: new Date(now - minutes * minute).toISOString() }])
    await landed(50)
    assert.deepEqual(await said(), paths.map(() => ''), 'nothing was told of anybody')
    // A fill of an hour long past, as a file that is read late tells it.
    await store.execute(`INSERT INTO hl_touched SELECT 'HL', 3, unhex(substring('${idle}', 3)), 'BTC', now64(3) - INTERVAL 9 DAY, now64(3) - INTERVAL 9 DAY, 0`)
    const [first, ...others] = await said()
    assert.match(first ?? '', /^Traders of the venue were judged last as of \d{4}-.*Z: what was told since waits for it, the first of it for 5\d min$/)
    assert.deepEqual(others, [...others.slice(0, -1).map(() => first), ''])
    assert.deepEqual((await get('copytrade/curated'))._meta.empty, { is_successful_empty: false, empty_reason: 'stale_pipeline' })
    await store.execute("DELETE FROM batches WHERE chain = 'HL' AND from_block = 2")
    await landed(5)
    assert.deepEqual(await said(), paths.map(() => ''), 'minutes of it always wait')
  })
})
