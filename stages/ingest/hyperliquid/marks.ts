/** How far the venue's own clock had come when something was last heard: what an answer has to reach back to. Our clock may be ahead of the venue's. */
import type { Heard } from './journal.js'
import { venueTimeOf } from './venueTime.js'

/** A trade, Unix milliseconds of the venue. */
export interface Mark { readonly time: number; readonly tid: number }
/** said: the newest time the venue named, Unix milliseconds; null: none. trades: the newest heard of each coin. */
export interface Marks { readonly said: number | null; readonly trades: ReadonlyMap<string, Mark> }

const isTrades = /^\s*\{\s*"channel"\s*:\s*"trades"/
interface Trade extends Mark { readonly coin: string }

const tradesOf = (payload: Buffer): readonly Trade[] => {
  if (!isTrades.test(payload.toString('latin1', 0, 40))) return []
  try { const { data } = JSON.parse(payload.toString('utf8')) as { data?: unknown }; return Array.isArray(data) ? (data as unknown[]).filter((one): one is Trade => typeof (one as Partial<Trade> | null)?.time === 'number') : [] } catch { return [] }
}

export const openMarks = () => {
  let said: number | null = null
  const newest = new Map<string, Mark>()
  // A time ahead of ours is taken for ours: marks that are too early ask for more than was missed, later ones would hide it.
  const trade = ({ coin, time, tid }: Trade, at: number): void => { if (time >= (newest.get(coin)?.time ?? 0)) newest.set(coin, { time: Math.min(time, at), tid }) }
  return {
    /** A message of the socket. */
    message: ({ payload, at }: Heard): void => {
      said = Math.max(said ?? 0, Math.min(venueTimeOf(payload), at)) || null
      for (const one of tradesOf(payload)) trade(one, at)
    },
    /** An answer that lists a coin's newest trades. */
    answer: (trades: readonly Trade[]): void => { for (const one of trades) trade(one, Date.now()) },
    /** Forgets coins that are heard no more. */
    keep: (coins: ReadonlySet<string>): void => { for (const coin of newest.keys()) if (!coins.has(coin)) newest.delete(coin) },
    /** As they stand now. */
    now: (): Marks => ({ said, trades: new Map(newest) }),
  }
}
