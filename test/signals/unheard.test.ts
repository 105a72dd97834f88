/** What became of signals while nobody heard what was traded is not known, and is counted as such. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { giveSignals } from '../../stages/signals/giveSignals.js'
import type { Heard } from '../support/hyperliquid.js'
import { freshStore } from '../support/servers.js'
import { calm, context, hear, hour, minute, missed, start, trade } from './market.js'

const Result = z.object({ closed: z.number(), unfilled: z.number(), unknown: z.number() })
/** Of the newest look, of trade_imbalance v3. */
const result = async (store: Store) => (await store.query("SELECT closed, unfilled, unknown FROM hl_results WHERE kind = 'trade_imbalance' AND version = 'v3' AND NOT baseline AND part = 'all' ORDER BY known_until DESC LIMIT 1", {}, Result))[0]
const marks = (store: Store) => store.query("SELECT entry_at IS NULL AS unentered, pnl_usd AS pnl FROM hl_marks WHERE kind = 'trade_imbalance' AND version = 'v3' AND NOT baseline ORDER BY known_until DESC LIMIT 1 BY kind", {}, z.object({ unentered: z.coerce.boolean(), pnl: z.number().nullable() }))
const outcomes = (store: Store) => store.query(`SELECT (toUnixTimestamp(exit_at) * 1000 - ${start}) / ${minute} AS minutes, toString(reason) AS reason, pnl_usd AS pnl FROM hl_outcomes WHERE kind = 'trade_imbalance' AND version = 'v3' AND NOT baseline`, {}, z.object({ minutes: z.coerce.number(), reason: z.string(), pnl: z.number().nullable() }))
const look = (store: Store) => giveSignals(store, { chain: 'HL', now: Date.now(), seconds: 60 })
/** Bought heavily at minute 62, told at 65: entered at 66, left at the horizon, 126. */
const bought = (...after: Heard[]): Heard[] => [...calm(0, 66 * minute, 100), context(61 * minute, 100, 10_000, '0'), trade(62 * minute, 100, 3_000_000), ...after]
const closed = { closed: 1, unfilled: 0, unknown: 0 }, unknown = { closed: 0, unfilled: 0, unknown: 1 }

describe('signals of a time in which nobody heard', function () {
  this.timeout(180_000)

  it('that lies between the signal and its end: what it made is not known; another coin\'s, or before or after, says nothing of it', async () => {
    const { store } = await freshStore()
    await hear(store, 1, bought(...calm(66 * minute, 80 * minute, 100), ...calm(120 * minute, 4 * hour, 100)))
    await look(store)
    assert.deepEqual(await result(store), closed, 'nothing says that trades were missed')
    const told = async (segment: number, ...gaps: Heard[]) => { await hear(store, segment, [...gaps, ...calm(4 * hour + segment * 5 * minute, 4 * hour + (segment + 1) * 5 * minute + minute, 100)]); await look(store); return result(store) }
    assert.deepEqual(await told(2, missed(80 * minute, 120 * minute, { coin: 'ETH' }), missed(80 * minute, 120 * minute, { channel: 'l2Book' }), missed(20 * minute, 65 * minute), missed(126 * minute, 130 * minute)), closed)
    // Told after the account was written: that stays as it is, and counts no more.
    assert.deepEqual(await told(3, missed(10 * minute, 20 * minute, { coin: 'BTC' }), missed(80 * minute, 120 * minute, { coin: 'BTC' }), missed(90 * minute, 91 * minute, { coin: 'BTC' })), unknown)
    assert.deepEqual(await outcomes(store), [{ minutes: 126, reason: 'horizon', pnl: -1.3 }])
  })

  it('of all coins, on any channel; of the time in which it could be entered', async () => {
    for (const [from, to, channel] of [[80, 120, 'all'], [50, 66, 'trades'], [125, 200, 'trades']] as const) {
      const { store } = await freshStore()
      await hear(store, 1, bought(...calm(67 * minute, 4 * hour, 100), missed(from * minute, to * minute, { channel })))
      await look(store)
      assert.deepEqual(await result(store), unknown, `${from} to ${to}`)
    }
  })

  it('while it waits to be asked for; no more where all of it was asked for in time', async () => {
    const { store } = await freshStore()
    const waits = missed(80 * minute, 83 * minute, { state: 'waits' }), over = (heard: number) => missed(80 * minute, 83 * minute, { state: 'over', heard })
    await hear(store, 1, bought(...calm(66 * minute, 80 * minute, 100), waits, ...calm(83 * minute, 3 * hour, 100)))
    await look(store)
    assert.deepEqual(await result(store), unknown)
    await hear(store, 2, [over(89 * minute), ...calm(3 * hour, 3 * hour + 10 * minute, 100)])
    await look(store)
    assert.deepEqual(await result(store), closed)
  })

  it('where the answers came after the look at it: in no bar, so not known', async () => {
    for (const [first, known] of [[true, unknown], [false, closed]] as const) {
      const { store } = await freshStore()
      const parts = [bought(...calm(66 * minute, 70 * minute, 100), missed(70 * minute, 110 * minute, { state: 'waits' }), ...calm(110 * minute, 118 * minute, 100)), [missed(70 * minute, 110 * minute, { state: 'over', heard: 119 * minute }), ...calm(118 * minute, 4 * hour, 100)]]
      for (const [index, part] of parts.entries()) { await hear(store, index + 1, part); if (first) await look(store) }
      await look(store)
      assert.deepEqual(await result(store), known, `looked ${first ? 'before' : 'after'} they came`)
    }
  })

  it('one under way is marked with nothing, as it may be over', async () => {
    const { store } = await freshStore()
    await hear(store, 1, bought(...calm(66 * minute, 75 * minute, 100.4), missed(75 * minute, 90 * minute, { coin: 'BTC' }), ...calm(90 * minute, 100 * minute, 100.4)))
    await look(store)
    assert.deepEqual([await outcomes(store), await marks(store)], [[], [{ unentered: true, pnl: null }]])
  })

  it('is not over while nothing at all is traded, for days, and never forgotten', async () => {
    const { store } = await freshStore()
    await hear(store, 1, bought(...calm(66 * minute, 70 * minute, 100)))
    await look(store)
    // Asked for by REST: contexts go on, looks do too.
    for (let day = 0; day < 4; day += 1) { await hear(store, day + 2, Array.from({ length: 24 }, (_, nth) => context(((day * 24 + nth) * 60 + 100) * minute, 100, 10_000, '0'))); await look(store) }
    assert.deepEqual(await outcomes(store), [])
    assert.equal((await marks(store)).length, 1)
    await hear(store, 9, [missed(70 * minute, 97 * hour, { coin: 'BTC' }), ...calm(97 * hour, 98 * hour, 105)])
    await look(store)
    assert.deepEqual(await outcomes(store), [{ minutes: 126, reason: 'horizon', pnl: -1.3 }])
    assert.deepEqual(await result(store), unknown)
  })
})
