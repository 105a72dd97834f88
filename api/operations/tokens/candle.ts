/** Candles: how wide they are, what one looks like, and how trades and the blocks that are held become a row of them without a hole. */
import { z } from 'zod'
import { Amount, Instant } from '../../../schemas/primitives.js'

/** Interval → seconds. */
export const intervals = { '1m': 60, '5m': 300, '15m': 900, '1h': 3_600, '4h': 14_400, '1d': 86_400 } as const

const price = z.number().nullable()
export const Candle = z.object({
  start: Instant, state: z.enum(['traded', 'quiet', 'partial', 'gap', 'forming']).describe('quiet: indexed, no trade; partial: blocks of it are missing or not worked out; gap: none is indexed; forming: holds the newest block'),
  open: price, high: price, low: price, close: price, volume: Amount.nullable().describe('Of the base token, smallest units; null: not indexed, or one amount was absurd'), volume_usd: z.number().nullable().describe('As far as priced'),
  trades: z.number().int().nullable().describe('null: a gap'), traders: z.number().int().nullable(), outliers: z.number().int().nullable().describe('Trades that set no price: beyond a factor of 3 of the median'),
  spans: z.number().int().optional().describe('Only of a gap as long as a page: how many spans in a row this stands for, start being the oldest'),
})
export type Candle = z.infer<typeof Candle>

/** One span with trades, as the statements give it; bucket counts spans since 1970. */
export const Traded = Candle.omit({ start: true, state: true, spans: true }).extend({ bucket: z.number() })
export type Traded = z.infer<typeof Traded>
/** One span with a block: its lowest height, and whether no block is missing in or beside it, or not worked out. */
export const Held = z.object({ bucket: z.number(), low: z.number(), whole: z.coerce.boolean() })
export type Held = z.infer<typeof Held>

/** No trade among the blocks that are held: of a gap that says nothing. */
const nothing = { open: null, high: null, low: null, close: null, volume: '0', volume_usd: 0, trades: 0, traders: 0, outliers: 0 }
const unknown = { ...nothing, volume: null, volume_usd: null, trades: null, traders: null, outliers: null }

/** One candle for a gap of `spans` buckets from `bucket` on. */
export const gapOf = (bucket: number, spans: number, width: number): Candle => ({ start: new Date(bucket * width * 1_000).toISOString(), state: 'gap', ...unknown, spans })

/** Candles of the buckets from…to, newest first. `newest`: the bucket with the newest indexed block of all. */
export const candlesOf = (from: number, to: number, newest: number, width: number, held: readonly Held[], traded: readonly Traded[]): Candle[] => {
  const blocks = new Map(held.map((one) => [one.bucket, one]))
  const trades = new Map(traded.map(({ bucket, ...rest }) => [bucket, rest]))
  return Array.from({ length: to - from + 1 }, (_, index): Candle => {
    const bucket = to - index
    const [has, trade] = [blocks.get(bucket), trades.get(bucket)]
    const state = has === undefined ? 'gap' : bucket === newest ? 'forming' : !has.whole ? 'partial' : trade === undefined ? 'quiet' : 'traded'
    return { start: new Date(bucket * width * 1_000).toISOString(), state, ...(trade ?? (has === undefined ? unknown : nothing)) }
  })
}
