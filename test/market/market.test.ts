/** The made market: both sides of every trade, money that nobody made out of nothing, and every word of it read. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { landMarket, makeMarket, sayMarket, type Market } from '../../scripts/market/market.js'
import { digest } from '../support/hyperliquid.js'
import { freshStore } from '../support/servers.js'

/** Payloads older than thirty days are dropped at once. */
const until = Math.floor(Date.now() / 86_400_000) * 86_400_000
const one = async (store: Store, sql: string): Promise<Record<string, string | number>> => (await store.query(sql, {}, z.record(z.string(), z.union([z.string(), z.number()]))))[0] ?? {}

describe('the made market', function () {
  this.timeout(120_000)
  let store: Store, market: Market
  before(async () => {
    ({ store } = await freshStore())
    market = await makeMarket(store, { seed: 3, traders: 20, days: 12, until, slices: 2 })
    await sayMarket(store, market, { asked: 5 })
    const { first, last } = await landMarket(store, market, 4)
    assert.equal(first, 1)
    for (let number = first; number <= last; number += 1) await digest(store, number, number)
  })

  it('sums to nothing: sizes, results with what is still open, funding', async () => {
    assert.deepEqual(await one(store, `SELECT toString(sum(q)) AS sizes, uniqExact(seq) * 2 = count() AS paired FROM made_fills`), { sizes: '0', paired: 1 })
    const { off } = await one(store, `SELECT abs(sum(pnl) + sum(open)) AS off FROM (SELECT sum(toFloat64(closed_pnl)) AS pnl,
      argMax(before + q, (seq, crossed)) * (joinGet('made_prices', 'px', toUInt32(c * 4194304)) - argMax(entry, (seq, crossed))) / exp10(any(sd)) AS open FROM made_fills INNER JOIN made_coins USING (c) GROUP BY trader, c)`)
    assert.ok(Number(off) < 0.01, `results are off by ${String(off)} dollars`)
    const { most } = await one(store, 'SELECT max(abs(paid)) AS most FROM (SELECT toFloat64(sum(usdc)) AS paid FROM made_payments GROUP BY c, hour)')
    assert.ok(Number(most) < 0.0001, `an hour's funding is off by ${String(most)} dollars`)
  })

  it('says nothing that the pipeline does not read, and nothing of it twice', async () => {
    assert.deepEqual(await one(store, 'SELECT toString(count()) AS unknown FROM hl_unknown'), { unknown: '0' })
    const counts = await one(store, `SELECT toString((SELECT count() FROM hl_fills)) AS fills, toString((SELECT count() FROM hl_trades)) AS trades,
      toString((SELECT count() FROM hl_forced)) AS forced, toString((SELECT countIf(bust) FROM made_trades)) AS busts`)
    assert.equal(counts['fills'], String(market.fills))
    assert.equal(counts['trades'], String(market.trades))
    assert.equal(counts['forced'], counts['busts'])
    assert.notEqual(counts['busts'], '0')
    for (const table of ['hl_contexts', 'hl_mids', 'hl_books', 'hl_funding_rates', 'hl_funding_payments', 'hl_ledger_updates', 'hl_positions', 'hl_accounts', 'hl_candles', 'hl_coins', 'hl_predicted_fundings', 'hl_leaderboard']) {
      assert.notEqual((await one(store, `SELECT toString(count()) AS rows FROM ${table}`))['rows'], '0', table)
    }
  })

  it('keeps to the cent what the fills earned', async () => {
    // Each position walked anew from its decimals: average entry, exact but for the division.
    const { off } = await one(store, `SELECT max(abs(told - walked)) AS off FROM (
      SELECT account, coin, sum(toFloat64(closed_pnl)) AS told,
        arrayFold((state, fill) -> multiIf(
          state.1 = 0 OR (state.1 > 0) = (fill.1 > 0), (state.1 + fill.1, (state.2 * abs(state.1) + abs(fill.1) * fill.2) / (abs(state.1) + abs(fill.1)), state.3),
          abs(fill.1) <= abs(state.1), (state.1 + fill.1, state.2, state.3 + abs(fill.1) * (fill.2 - state.2) * sign(state.1)),
          (state.1 + fill.1, fill.2, state.3 + abs(state.1) * (fill.2 - state.2) * sign(state.1))),
          arrayMap(one -> (one.3, one.4), arraySort(groupArray((time, -abs(toFloat64(start_position)) * if((side = 'buy') = (start_position < 0), 1, -1), toFloat64(sz) * if(side = 'buy', 1, -1), toFloat64(px))))), (0., 0., 0.)).3 AS walked
      FROM hl_fills GROUP BY account, coin HAVING uniqExact(time) = count())`)
    assert.ok(Number(off) < 0.01, `results are off by ${String(off)} dollars`)
  })

  it('ranks its traders as the venue does: what each is worth and earned, marked as made', async () => {
    const traded = Number((await one(store, `SELECT toString(uniqExact(trader)) AS count FROM made_fills WHERE trader < ${market.traders}`))['count'])
    assert.deepEqual(await one(store, `SELECT toString(count()) AS rows, toString(uniqExact(account)) AS accounts, toString(countIf(source != 'synthetic' OR NOT startsWith(hex(account), '53594E54') OR NOT startsWith(ifNull(display_name, 'SYN-'), 'SYN-'))) AS unmarked,
      toString(countIf(display_name IS NULL) > 0 AND countIf(pnl < 0) > 0 AND countIf(pnl > 0) > 0) AS mixed FROM hl_leaderboard`), { rows: String(4 * traded), accounts: String(traded), unmarked: '0', mixed: '1' })
    const { off, compared } = await one(store, `SELECT max(abs(toFloat64(l.account_value) - toFloat64(a.account_value))) AS off, count() AS compared FROM hl_leaderboard AS l INNER JOIN hl_accounts AS a ON a.account = l.account WHERE l.period = 'month'`)
    assert.ok(Number(compared) === 5 && Number(off) < 0.01, `${String(compared)} accounts are off by ${String(off)} dollars`)
  })

  it('is the same from the same seed, and says that it is made', async () => {
    const sums = await one(store, 'SELECT toString(sum(cityHash64(seq, px, lots, taker, maker))) AS sum FROM made_trades')
    const second = (await freshStore()).store
    await makeMarket(second, { seed: 3, traders: 20, days: 12, until, slices: 2, funding: false })
    assert.deepEqual(await one(second, 'SELECT toString(sum(cityHash64(seq, px, lots, taker, maker))) AS sum FROM made_trades'), sums)
    assert.deepEqual(await one(store, "SELECT uniqExact(p.endpoint) AS endpoints, any(p.endpoint) AS endpoint FROM raw_payloads AS p"), { endpoints: '1', endpoint: 'synthetic' })
    assert.deepEqual(await one(store, "SELECT toString(countIf(NOT startsWith(coin, 'SYN-') OR NOT startsWith(hex(account), '53594E54'))) AS unmarked FROM hl_fills"), { unmarked: '0' })
  })
})
