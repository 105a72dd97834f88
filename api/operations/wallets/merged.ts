/** Ranked lists of several chains at once: each chain's rows are those up to its own newest block when the list began to be read. */
import { z } from 'zod'
import { Ranked } from '../../pages.js'

/** As Ranked, with the height of each chain in place of one. */
export const RankedTogether = z.tuple([z.record(z.string(), z.number().int().min(0)), Ranked.def.items[1], Ranked.def.items[2]])
type Held = number | Readonly<Record<string, number>> | undefined

/** What a cursor holds of one chain. */
export const heldOf = (held: Held, chain: string): number | undefined => (typeof held === 'object' ? held[chain] : held)
/** What a cursor holds: of one chain the bare value. */
export const heldBy = (chains: readonly string[], of: (chain: string) => number | undefined): Held =>
  (chains.length === 1 ? of(chains[0] ?? '') : Object.fromEntries(chains.flatMap((chain) => { const value = of(chain); return value === undefined ? [] : [[chain, value]] })))

interface Rankable { readonly rank: string; readonly address: string }
/** Highest rank first, then by address: the order of each chain's own list. */
export const byRank = (one: Rankable, other: Rankable): number => {
  const [a, b] = [BigInt(one.rank), BigInt(other.rank)]
  return a !== b ? (a > b ? -1 : 1) : one.address < other.address ? -1 : one.address > other.address ? 1 : 0
}
