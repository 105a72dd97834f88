/** What is counted of a trader: trades a day of the window, one liquidation for one position, nothing for fills of nothing. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { computeTraders } from '../../stages/traders/computeTraders.js'
import { digest, insertHeard } from '../support/hyperliquid.js'
import { addressOf, day, file, hour, minute, roundTrip, start } from '../support/traders.js'
import { freshStore } from '../support/servers.js'

const Judged = z.object({ trips: z.coerce.number(), liquidations: z.coerce.number(), flags: z.array(z.string()), per_day: z.number(), win_rate: z.number() })

describe('what is counted of a trader', function () {
  this.timeout(90_000)
  let store: Store
  const fill = (who: number, tid: number, at: number, delta: string, px: string, before: string, more: object = {}) => [addressOf(who), { coin: 'BTC', px, sz: delta.replace('-', ''), side: delta.startsWith('-') ? 'A' : 'B', time: start + at, startPosition: before, dir: 'Open Long', closedPnl: '0', hash: `0x${'ab'.repeat(32)}`, oid: tid, tid, crossed: true, fee: '0', feeToken: 'USDC', ...more }]
  const judged = async (nth: number) => {
    const [row] = await store.query("SELECT trips, liquidations, flags, metrics['trades_per_day'] AS per_day, metrics['win_rate'] AS win_rate FROM hl_traders FINAL WHERE account = toFixedString(unhex({account:String}), 20)", { account: addressOf(nth).slice(2) }, Judged)
    assert.ok(row !== undefined, String(nth))
    return row
  }
  before(async () => {
    store = (await freshStore()).store
    const month = (nth: number) => Array.from({ length: 90 }, (_, trip) => roundTrip(nth, trip + 1, { at: trip * 8 * hour, hold: hour, exit: trip % 5 === 4 ? 99 : 102 })).flat()
    const forced = (nth: number, tid: number, at: number, piece: string, before: string) => fill(nth, tid, at, piece, '90', before, { dir: 'Liquidated Cross Long', closedPnl: '-10', liquidation: { liquidatedUser: addressOf(nth), markPx: '90', method: 'market' } })
    await insertHeard(store, 1, [file([
      ...month(1), ...month(2), ...roundTrip(2, 0, { at: -300 * day, hold: hour, exit: 101 }),
      // A fifth first, the rest half a minute later over three blocks.
      fill(3, 30_001, 0, '10', '100', '0'), forced(3, 30_002, hour, '-2', '10'), forced(3, 30_003, hour + 31_000, '-1', '8'), forced(3, 30_004, hour + 31_200, '-3', '7'), forced(3, 30_005, hour + 31_500, '-4', '4'),
      ...month(4), fill(4, 49_001, 31 * day, '0.0', '100', '0'), fill(4, 49_002, 31 * day + minute, '0.0', '100', '0'),
    ])])
    await digest(store, 1, 1)
    await computeTraders(store, { chain: 'HL', upto: 1 })
  })

  it('trades a day are of the days since the first of the window, whatever was before', async () => {
    const [young, old] = [await judged(1), await judged(2)]
    assert.deepEqual([young.trips, old.trips, young.per_day], [90, 90, old.per_day])
    assert.ok(Math.abs(young.per_day - 90 / (89 * 8 / 24 + 1 / 24)) < 1e-9, String(young.per_day))
  })

  it('a position closed by force in pieces is one liquidation', async () => {
    const { trips, liquidations, flags } = await judged(3)
    assert.deepEqual([trips, liquidations, flags], [1, 1, []])
  })

  it('a fill of nothing opens and closes nothing', async () => {
    const [plain, odd] = [await judged(1), await judged(4)]
    assert.deepEqual([odd.trips, odd.win_rate], [plain.trips, plain.win_rate])
  })

  it('is what the last run found, also after one that was ended under a clock that was ahead', async () => {
    const { store: other } = await freshStore()
    const [opened, closed] = roundTrip(5, 1, { at: 0, hold: hour, exit: 101 })
    await insertHeard(other, 1, [file([opened])])
    await digest(other, 1, 1)
    const ended: Store = { ...other, execute: (...given) => (JSON.stringify(given[0]).includes('hl_trader_runs') ? Promise.reject(new Error('ended')) : other.execute(...given)) }
    const { now } = Date
    Date.now = () => now() + hour
    try { await assert.rejects(computeTraders(ended, { chain: 'HL', upto: 1 }), /ended/) } finally { Date.now = now }
    await insertHeard(other, 2, [file([closed])])
    await digest(other, 2, 2)
    await computeTraders(other, { chain: 'HL', upto: 2 })
    assert.deepEqual(await other.query('SELECT toString(state) AS state FROM hl_trips FINAL', {}, z.object({ state: z.string() })), [{ state: 'closed' }])
    assert.deepEqual(await other.query('SELECT toUInt32(trips) AS trips FROM hl_traders FINAL', {}, z.object({ trips: z.number() })), [{ trips: 1 }])
  })
})
