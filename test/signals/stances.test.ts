/** How leaders stand against all whose fills are heard: by positions known at the time, and the rule that reads it. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { giveSignals } from '../../stages/signals/giveSignals.js'
import type { Heard } from '../support/hyperliquid.js'
import { freshStore } from '../support/servers.js'
import { addressOf } from '../support/traders.js'
import { calm, hear, hour, minute, start } from './market.js'

const hash = `0x${'cd'.repeat(32)}`
let tids = 2_000_000
/** One fill of account `nth`, from `before` by `size` (negative: sold), heard a second later unless told. */
const fill = (nth: number, at: number, before: number, size: number, more: { coin?: string; pnl?: number; heard?: number; px?: number } = {}): Heard => ({ kind: 'node_fills', at: start + (more.heard ?? at + 1_000), payload: JSON.stringify([addressOf(nth), {
  coin: more.coin ?? 'BTC', px: (more.px ?? 100).toFixed(1), sz: Math.abs(size).toFixed(1), side: size > 0 ? 'B' : 'A', time: start + at, startPosition: before.toFixed(1), dir: 'as told', closedPnl: (more.pnl ?? 0).toFixed(1), hash, oid: tids += 1, crossed: true, fee: '1.0', tid: tids, feeToken: 'USDC',
}]) })
/** $6M of ETH closed a day before, with what it earned. */
const earned = (nth: number, pnl: number): Heard => fill(nth, -26 * hour, 60_000, -60_000, { coin: 'ETH', pnl })
const history = [
  // Six lead; the seventh lost, the eighth gained on too little.
  ...[1, 2, 3, 4, 5, 6].map((nth) => earned(nth, 5_000 + nth)), earned(7, -5_000), fill(8, -26 * hour, 10, -10, { coin: 'ETH', pnl: 9_000 }),
  ...[1, 2, 3, 4, 5].map((nth) => fill(nth, -25 * hour, 0, 2_000)), fill(6, -25 * hour, 0, -1_000),
  // Of the others five hold 100 and sixteen have sold 300 and 400; one is out again.
  ...[11, 12, 13, 14, 15].map((nth) => fill(nth, -25 * hour, 0, 100)), ...[16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31].map((nth) => fill(nth, -25 * hour, 0, nth % 2 === 0 ? -300 : -400)),
  fill(32, -25 * hour, 0, 900), fill(32, -24 * hour, 900, -900), fill(7, -25 * hour, 0, -800),
]

const Stance = z.record(z.string(), z.unknown())
const at = async (store: Store, minutes: number): Promise<unknown> => (await store.query(`SELECT smart_accounts AS smart, smart_long_accounts AS smart_longs, smart_long_usd AS smart_long, smart_short_usd AS smart_short, tracked_accounts AS tracked, tracked_long_accounts AS longs, tracked_long_usd AS long, tracked_short_usd AS short, mapSort(flows) AS flows
  FROM hl_stances WHERE coin = 'BTC' AND toUnixTimestamp(time) * 1000 = {at:UInt64}`, { at: start + minutes * minute }, Stance))[0]
const Told = z.object({ at: z.number(), side: z.string(), measures: z.record(z.string(), z.number()), detail: z.string() })
const told = (store: Store) => store.query(`SELECT (toUnixTimestamp(time) - ${start / 1_000}) / 60 AS at, toString(side) AS side, measures, detail FROM hl_signals WHERE kind = 'smart_bias' AND version = 'v3' AND NOT baseline ORDER BY time`, {}, Told)
const give = (store: Store) => giveSignals(store, { chain: 'HL', now: Date.now(), seconds: 60 })

describe('how leaders stand', function () {
  this.timeout(180_000)
  let store: Store
  before(async () => {
    ;({ store } = await freshStore())
    await hear(store, 1, [...history, ...calm(0, 21 * minute, 100)])
    await give(store)
    await hear(store, 2, [
      fill(6, 22 * minute, -1_000, 1_500), fill(1, 23 * minute, 2_000, -500), fill(2, 23 * minute, 2_000, -2_000), fill(3, 23 * minute, 2_000, 100),
      // Bought and sold in one moment: from 2,000 over 2,300 to 1,800, told in another order.
      fill(4, 24 * minute, 2_300, -500), fill(4, 24 * minute, 2_000, 300),
      // Happened at 24 minutes and heard six minutes later: then it is known.
      fill(5, 24 * minute, 2_000, -5_000, { heard: 31 * minute }), ...calm(21 * minute, 41 * minute, 100),
    ])
    await give(store)
  })

  it('positions are what fills left, of leaders and of all; who lost or traded too little does not lead; the flat do not count', async () => {
    assert.deepEqual(await at(store, 20), { smart: 6, smart_longs: 5, smart_long: 1_000_000, smart_short: 100_000, tracked: 28, longs: 10, long: 1_050_000, short: 740_000, flows: {} })
  })

  it('what is heard later changes what stands from then on, and is told by what it did', async () => {
    assert.deepEqual(await at(store, 25), { smart: 5, smart_longs: 5, smart_long: 150_000 + 210_000 + 180_000 + 200_000 + 50_000, smart_short: 0, tracked: 27, longs: 10, long: 790_000 + 50_000, short: 640_000,
      flows: { add_long_usd: 10_000 + 30_000, close_long_usd: 200_000, flip_long_usd: 150_000, reduce_long_usd: 50_000 + 50_000 } })
    assert.deepEqual(await at(store, 30), await at(store, 25))
    const later = await at(store, 35) as Record<string, unknown>
    assert.deepEqual([later['smart_longs'], later['smart_long'], later['smart_short'], (later['flows'] as Record<string, number>)['flip_short_usd']], [4, 590_000, 300_000, 500_000])
  })

  it('the rule speaks towards the side on which leaders stand more, with both shares, the accounts on both sides and the flows; what was given stays', async () => {
    const [first, more] = await told(store)
    assert.deepEqual([first?.at, first?.side, more], [5, 'long', undefined])
    const { bias, accounts, tracked, long_accounts: longs, tracked_long_accounts: all } = first?.measures ?? {}
    assert.deepEqual([accounts, tracked, longs, all], [6, 28, 5, 10])
    // By dollars 0.909 against 0.587, by accounts 0.833 against 0.357: the smaller difference.
    assert.ok(Math.abs((bias ?? 0) - (1_000 / 1_100 - 1_050 / 1_790)) < 1e-9)
    assert.match(first?.detail ?? '', /90\.9 % of the \$1100000 and 5 of the 6 accounts .* 58\.7 % and 10 of 28; leaders traded nothing/)
    const seen = await store.query("SELECT detail, measures FROM hl_sightings WHERE kind = 'smart_bias' AND toUnixTimestamp(time) * 1000 = {at:UInt64}", { at: start + 25 * minute }, Told.pick({ detail: true, measures: true }))
    assert.match(seen[0]?.detail ?? '', /add long \$40000, close long \$200000, flip long \$150000, reduce long \$100000/)
    assert.equal(seen[0]?.measures['flip_long_usd'], 150_000)
  })
})
