/** Accounts of signals to the cent, by price paths made by hand. Quantity $1,000, fee 4.5 and slippage 2 basis points of each side. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { giveSignals } from '../../stages/signals/giveSignals.js'
import type { Heard } from '../support/hyperliquid.js'
import { freshStore } from '../support/servers.js'
import { calm, context, hear, hour, minute, start, trade } from './market.js'

const Outcome = z.object({
  side: z.string(), entry: z.number().nullable(), exit: z.number().nullable(), minutes: z.coerce.number(), reason: z.string(), gross: z.number().nullable(), fee: z.number().nullable(), slip: z.number().nullable(), funding: z.number().nullable(), pnl: z.number().nullable(),
  mae: z.number().nullable(), mfe: z.number().nullable(),
})
const outcomes = (store: Store, version = 'v3', kind = 'trade_imbalance') => store.query(`SELECT toString(side) AS side, toFloat64(entry_px) AS entry, toFloat64(exit_px) AS exit, (toUnixTimestamp(exit_at) * 1000 - ${start}) / ${minute} AS minutes, toString(reason) AS reason, gross_usd AS gross, fee_usd AS fee,
  slip_usd AS slip, funding_usd AS funding, pnl_usd AS pnl, round(mae, 6) AS mae, round(mfe, 6) AS mfe FROM hl_outcomes WHERE NOT baseline AND kind = {kind:String} AND version = {version:String} ORDER BY time`, { kind, version }, Outcome)
/** Bought heavily at minute 62, told at 65 by trade_imbalance v3: horizon an hour, stop and target 1 %; entered at the first trade from 66 on, at 100. At two o'clock nobody pays: a rate that nobody said would be unknown. */
const bought = (...after: Heard[]): Heard[] => [...calm(0, 66 * minute, 100), context(61 * minute, 100, 10_000, '0'), trade(62 * minute, 100, 3_000_000), ...after]
const settle = async (heard: readonly Heard[]): Promise<Store> => {
  const { store } = await freshStore()
  await hear(store, 1, heard)
  await giveSignals(store, { chain: 'HL', now: Date.now(), seconds: 60 })
  return store
}
const resultOf = async (store: Store) => (await store.query("SELECT closed, unfilled, unknown, mean_bps AS mean FROM hl_results WHERE kind = 'trade_imbalance' AND version = 'v3' AND NOT baseline AND part = 'all' ORDER BY known_until DESC LIMIT 1", {}, z.object({ closed: z.number(), unfilled: z.number(), unknown: z.number(), mean: z.number().nullable() })))[0]
const cents = (value: number): number => Number(value.toFixed(6))

describe('accounts of signals', function () {
  this.timeout(180_000)

  it('left at the target: gross less both fees and slippage, the second of what it was worth then', async () => {
    const store = await settle(bought(...calm(66 * minute, 90 * minute, 100), trade(90 * minute + 5_000, 101.5, 100), ...calm(91 * minute, 4 * hour, 101)))
    assert.deepEqual(await outcomes(store), [{ side: 'long', entry: 100, exit: 101, minutes: 90, reason: 'target', gross: 10, fee: cents(0.45 * 2.01), slip: cents(0.2 * 2.01), funding: 0, pnl: cents(10 - 0.65 * 2.01), mae: 0, mfe: 0.01 }])
  })

  it('a minute that touches stop and target counts as the stop; one that opens beyond the stop is left at its open', async () => {
    const both = await settle(bought(...calm(66 * minute, 70 * minute, 100), trade(70 * minute + 1_000, 100, 100), trade(70 * minute + 2_000, 101.5, 100), trade(70 * minute + 3_000, 98.5, 100), ...calm(71 * minute, 4 * hour, 101)))
    assert.deepEqual((await outcomes(both)).map(({ reason, exit, gross }) => [reason, exit, gross]), [['stop', 99, -10]])
    const beyond = await settle(bought(...calm(66 * minute, 70 * minute, 100), ...calm(70 * minute, 4 * hour, 97)))
    assert.deepEqual((await outcomes(beyond)).map(({ reason, exit, gross, pnl, mae }) => [reason, exit, gross, pnl, mae]), [['stop', 97, -30, cents(-30 - 0.65 * 1.97), -0.03]])
  })

  it('left at the horizon at the last trade within it, with the funding of the full hours held', async () => {
    // 0.01 % at two o'clock is paid by the long; what the venue says of three comes too late.
    const store = await settle([...bought(...calm(66 * minute, 100 * minute, 100), ...calm(100 * minute, 4 * hour, 100.5)), context(110 * minute, 100, 10_000, '0.0001'), context(170 * minute, 100, 10_000, '0.01')])
    assert.deepEqual(await outcomes(store), [{ side: 'long', entry: 100, exit: 100.5, minutes: 126, reason: 'horizon', gross: 5, fee: cents(0.45 * 2.005), slip: cents(0.2 * 2.005), funding: -0.1, pnl: cents(5 - 0.65 * 2.005 - 0.1), mae: 0, mfe: 0.005 }])
  })

  it('is not over before its time: until then it is marked, and counted nowhere', async () => {
    const store = await settle(bought(...calm(66 * minute, 80 * minute, 100.4)))
    assert.deepEqual(await outcomes(store), [])
    const marks = await store.query("SELECT pnl_usd AS pnl FROM hl_marks WHERE kind = 'trade_imbalance' AND version = 'v3' AND NOT baseline", {}, z.object({ pnl: z.number() }))
    assert.deepEqual(marks, [{ pnl: cents(0 - 0.65 * 2) }])
    const [results] = await store.query('SELECT count() AS rows FROM hl_results', {}, z.object({ rows: z.coerce.number() }))
    assert.equal(results?.rows, 0)
    await hear(store, 2, calm(80 * minute, 3 * hour, 100.4))
    await giveSignals(store, { chain: 'HL', now: Date.now(), seconds: 60 })
    assert.deepEqual((await outcomes(store)).map(({ reason, pnl }) => [reason, pnl]), [['horizon', -1.3]])
    await giveSignals(store, { chain: 'HL', now: Date.now(), seconds: 60 })
    assert.equal((await outcomes(store)).length, 1)
  })

  it('prices count when they were paid, though they are heard minutes later: nobody enters before the signal', async () => {
    // 97 was paid before the signal of minute 65, 98 before anybody could follow it at 66; 101.5 was paid at 70 and heard at 75.
    const store = await settle(bought(trade(63 * minute + 30_000, 97, 100, 'B', { heard: 66 * minute + 2_000 }), trade(65 * minute + 59_900, 98, 100, 'B', { heard: 66 * minute + 100 }), ...calm(66 * minute, 80 * minute, 100), trade(70 * minute + 30_000, 101.5, 100, 'B', { heard: 75 * minute + 30_000 }), ...calm(80 * minute, 4 * hour, 100)))
    assert.deepEqual((await outcomes(store)).map(({ entry, reason, exit, minutes, mae }) => [entry, reason, exit, minutes, mae]), [[100, 'target', 101, 70, 0]])
    const under = await settle(bought(trade(63 * minute + 30_000, 97, 100, 'B', { heard: 66 * minute + 2_000 }), ...calm(66 * minute, 80 * minute, 100.4)))
    assert.deepEqual(await under.query("SELECT toFloat64(entry_px) AS entry FROM hl_marks WHERE kind = 'trade_imbalance' AND version = 'v3' AND NOT baseline", {}, z.object({ entry: z.number() })), [{ entry: 100.4 }])
  })

  it('where the rule says the opposite it is left at the first trade latency after', async () => {
    const store = await settle(bought(...calm(66 * minute, 80 * minute, 100.2), trade(82 * minute, 100.2, 12_000_000, 'A'), ...calm(83 * minute, 5 * hour, 100.3)))
    const [first, second] = await outcomes(store)
    assert.deepEqual([first?.reason, first?.exit, first?.minutes, second?.side, second?.entry], ['reverse', 100.3, 86, 'short', 100.3])
  })

  it('held over a full hour of which no rate is known: its funding is not known, and so nothing is that it made', async () => {
    const store = await settle([...calm(0, 4 * hour, 100), trade(62 * minute, 100, 3_000_000)])
    assert.deepEqual((await outcomes(store)).map(({ reason, gross, funding, pnl }) => [reason, gross, funding, pnl]), [['horizon', 0, null, null]])
    assert.deepEqual(await resultOf(store), { closed: 0, unfilled: 0, unknown: 1, mean: null })
  })

  it('nobody trades in time: over once others do, with no entry, and in no mean', async () => {
    const { store } = await freshStore()
    await hear(store, 1, [...bought(), context(66 * minute, 100, 10_000), context(240 * minute, 100, 10_000)])
    await giveSignals(store, { chain: 'HL', now: Date.now(), seconds: 60 })
    assert.deepEqual(await outcomes(store), [], 'where nothing at all is traded nobody hears')
    await hear(store, 2, [trade(241 * minute, 100, 100, 'B', { coin: 'ETH' }), context(250 * minute, 100, 10_000)])
    await giveSignals(store, { chain: 'HL', now: Date.now(), seconds: 60 })
    assert.deepEqual((await outcomes(store)).map(({ entry, pnl, reason }) => [entry, pnl, reason]), [[null, null, 'horizon']])
    assert.deepEqual(await resultOf(store), { closed: 0, unfilled: 1, unknown: 0, mean: null })
  })

  it('versions differ by their terms, and what was given up is accounted as well', async () => {
    const store = await settle(bought(...calm(66 * minute, 90 * minute, 100), trade(90 * minute + 5_000, 100.6, 100), ...calm(91 * minute, 4 * hour, 99.8)))
    assert.deepEqual((await outcomes(store, 'v4')).map(({ reason, exit }) => [reason, exit]), [['target', 100.5]])
    assert.deepEqual((await outcomes(store, 'v3')).map(({ reason, exit }) => [reason, exit]), [['horizon', 99.8]])
    const rows = await store.query("SELECT version, closed, wins, round(mean_bps, 4) AS mean FROM hl_results WHERE kind = 'trade_imbalance' AND NOT baseline AND part = 'all' ORDER BY version", {}, z.object({ version: z.string(), closed: z.number(), wins: z.number(), mean: z.number() }))
    assert.deepEqual(rows.filter(({ version }) => version < 'v5'), [{ version: 'v3', closed: 1, wins: 0, mean: cents((-2 - 0.65 * 1.998) * 10) }, { version: 'v4', closed: 1, wins: 1, mean: cents((5 - 0.65 * 2.005) * 10) }].map((row) => ({ ...row, mean: Number(row.mean.toFixed(4)) })))
  })
})
