/** Ledgers of traders, made by hand: fills as a node's files have them. */
import type { Heard } from './hyperliquid.js'

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
