/** Positions opened before a move: their size against what the account had when it opened them, and the coin it deals most in within the window. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { computeTraders } from '../../stages/traders/computeTraders.js'
import { digest, infoAnswer, insertHeard, message } from '../support/hyperliquid.js'
import { freshStore } from '../support/servers.js'
import { addressOf, day, file, hour, minute, roundTrip, start } from '../support/traders.js'

describe('positions opened before a move', function () {
  this.timeout(120_000)
  let store: Store
  const bought = 300 * hour, hash = `0x${'cd'.repeat(32)}`
  const coinOf = (nth: number) => store.query("SELECT toString(top_coin) AS coin, if(mapContains(metrics, 'top_coin_share'), toNullable(metrics['top_coin_share']), NULL) AS share, arraySort(arrayFilter(name -> startsWith(name, 'opening'), mapKeys(metrics))) AS other FROM hl_traders FINAL WHERE account = toFixedString(unhex({account:String}), 20)", { account: addressOf(nth).slice(2) }, z.object({ coin: z.string(), share: z.number().nullable(), other: z.array(z.string()) }))
  before(async () => {
    ({ store } = await freshStore())
    const told = (at: number, px: number, tid: number) => ({ coin: 'BTC', side: 'B', px: px.toFixed(4), sz: '1', time: start + at, hash, tid, users: [addressOf(98), addressOf(99)] })
    const came = (nth: number, at = bought - 30 * hour, usdc = '50000') => infoAnswer({ type: 'userNonFundingLedgerUpdates', user: addressOf(nth) }, [{ time: start + at, hash, delta: { type: 'deposit', usdc } }])
    await insertHeard(store, 1, [
      // A week of prices that go a ten thousandth up and down, then 20 % up within the hour after they bought.
      message('trades', [...Array.from({ length: 400 }, (_, nth) => told(bought - 399.5 * 30 * minute + nth * 30 * minute, nth % 2 === 0 ? 100 : 100.01, 1_000 + nth)), told(bought + 59 * minute, 120, 5_000)]),
      came(51), came(52), came(53, -201 * day, '10000'),
      // $300,000 of BTC at 50,000; 60,000 made of it; then something small at 110,000.
      file([...roundTrip(51, 1, { at: bought, hold: 4 * hour, exit: 120, size: 3_000 }), ...roundTrip(51, 2, { at: bought + 50 * hour, hold: 4 * hour, exit: 100, size: 10, coin: 'ETH' })]),
      // In and out within the hour.
      file(roundTrip(52, 1, { at: bought, hold: 20 * minute, exit: 100, size: 3_000 })),
      // Much of SOL and DOGE long before the window, 400 of BTC and 100 of ETH in it.
      file([...roundTrip(53, 1, { at: -200 * day, hold: hour, exit: 100, size: 1_000, coin: 'SOL' }), ...roundTrip(53, 2, { at: bought, hold: hour, exit: 100, size: 4 }), ...roundTrip(53, 3, { at: bought + 9 * hour, hold: hour, exit: 100, coin: 'ETH' })]),
      file(roundTrip(54, 1, { at: -200 * day, hold: hour, exit: 100, coin: 'SOL' })),
    ])
    await digest(store, 1, 1)
    await computeTraders(store, { chain: 'HL', upto: 1 })
  })

  it('are measured by the capital of the hour in which they were opened: what was made later makes them no smaller', async () => {
    const rows = await store.query("SELECT concat('0x', lower(hex(account))) AS address, round(leverage, 6) AS leverage, arrayFirst(one -> one.1 = 'size', evidence).3 AS size, rule_version AS version FROM hl_insider_trades FINAL WHERE value_usd > 100000 ORDER BY account", {}, z.object({ address: z.string(), leverage: z.number().nullable(), size: z.string(), version: z.number() }))
    assert.deepEqual(rows, [51, 52].map((nth) => ({ address: addressOf(nth), leverage: 6, size: '6 times its capital', version: 3 })))
  })

  it('an account\'s coin is that of most volume within the window; of who dealt in none within it, it is not known', async () => {
    assert.deepEqual(await coinOf(53), [{ coin: 'BTC', share: 0.8, other: [] }])
    assert.deepEqual(await coinOf(54), [{ coin: '', share: null, other: [] }])
  })
})
