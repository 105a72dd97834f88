/** Ledgers of traders, made by hand: fills as a node's files have them. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { computeTraders } from '../../stages/traders/computeTraders.js'
import { digest, insertHeard, type Heard } from './hyperliquid.js'
import { freshStore } from './servers.js'

export const minute = 60_000, hour = 60 * minute, day = 24 * hour
/** Midnight of a Monday long past, Unix milliseconds. */
export const start = Date.UTC(2025, 4, 5)
export const addressOf = (nth: number): string => `0x${nth.toString(16).padStart(2, '0').repeat(20)}`

export interface RoundTrip { /** Milliseconds after the start. */ readonly at: number; readonly hold: number; readonly exit: number; readonly entry?: number; readonly size?: number; readonly side?: 'long' | 'short'; readonly coin?: string; readonly fee?: number; readonly tids?: number }

/** The two fills of a position from flat to flat, both as a taker: what is bought at 100, or sold first. */
export const roundTrip = (nth: number, trip: number, { at, hold, exit, entry = 100, size = 1, side = 'long', coin = 'BTC', fee = 0, tids = 0 }: RoundTrip): readonly (readonly [string, object])[] => {
  const sense = side === 'long' ? 1 : -1
  const common = { coin, sz: String(size), hash: `0x${'ab'.repeat(32)}`, crossed: true, fee: String(fee), feeToken: 'USDC' }
  const tid = nth * 10_000 + tids + trip * 2
  return [
    [addressOf(nth), { ...common, px: String(entry), side: sense > 0 ? 'B' : 'A', time: start + at, startPosition: '0', dir: sense > 0 ? 'Open Long' : 'Open Short', closedPnl: '0', oid: tid, tid }],
    [addressOf(nth), { ...common, px: String(exit), side: sense > 0 ? 'A' : 'B', time: start + at + hold, startPosition: String(sense * size), dir: sense > 0 ? 'Close Long' : 'Close Short', closedPnl: String(sense * (exit - entry) * size), oid: tid + 1, tid: tid + 1 }],
  ]
}

/** A node's file of these fills. */
export const file = (fills: readonly unknown[]): Heard => ({ kind: 'node_fills', payload: fills.map((one) => JSON.stringify(one)).join('\n') })

const Judged = z.object({ metrics: z.record(z.string(), z.number()), style: z.string(), reasons: z.array(z.string()), flags: z.array(z.string()), copy_score: z.number(), copy_reasons: z.array(z.string()), suspicion: z.number(), evidence: z.array(z.unknown()) })

/** A store that hears segments one after the other, each judged when it came, and what traders are judged to be then. */
export const openJudging = async () => {
  const { store } = await freshStore()
  let segment = 0
  return {
    hear: async (...heard: Heard[]): Promise<void> => { segment += 1; await insertHeard(store, segment, heard); await digest(store, segment, segment); await computeTraders(store, { chain: 'HL', upto: segment }) },
    judged: async (nth: number): Promise<z.infer<typeof Judged>> => {
      const [row] = await store.query(`SELECT CAST(metrics, 'Map(String, Float64)') AS metrics, style, reasons, flags, copy_score, copy_reasons, suspicion, evidence FROM hl_traders FINAL WHERE account = toFixedString(unhex({account:String}), 20)`, { account: addressOf(nth).slice(2) }, Judged)
      assert.ok(row !== undefined)
      return row
    },
  }
}

/** Equal but for what adding floats in another order changes. */
export const near = (got: number | undefined, wanted: number): void => { assert.ok(got !== undefined && Math.abs(got - wanted) < 1e-9 * Math.max(1, Math.abs(wanted)), `${got} is not ${wanted}`) }
