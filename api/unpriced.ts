/** Blocks where the price of their chain's coin in dollars is not known: what moved in them is in no count or sum by dollars, and their silence is no evidence. */
import { z } from 'zod'
import { loadSql } from '../schemas/sql.js'
import type { CoverageStatus } from './coverage.js'
import { emptyBecause, type Empty } from './empty.js'
import { endOfTime } from './fields.js'
import type { Ask } from './operation.js'
import { leastSecondsPerBlock, storedChain, type Span } from './span.js'

const unpricedBlocks = { ETH: loadSql(import.meta.url, 'unpricedBlocks.sql', 'Bitcoin'), BTC: loadSql(import.meta.url, 'unpricedBlocks.sql', 'Ethereum') } as const
const countSwaps = loadSql(import.meta.url, 'countSwaps.sql')
const Row = z.object({ blocks: z.number(), unpriced: z.number(), first: z.number(), last: z.number() })
/** How many blocks there are, how many of them have no price, and from which to which height those lie. */
export interface Unpriced extends z.infer<typeof Row> { readonly chain: string }

/** Of the blocks from `since` to `until` (Unix milliseconds), none above `newest`. Tokens have prices of their own, of which nothing is said. */
export const unpricedWithin = async (chain: string, since: number, until: number, ask: Ask, newest?: number): Promise<Unpriced> => {
  const { bounds: every, kept } = await ask.services.coverage.view()
  const bounds = every.get(chain)
  const stored = storedChain({ id: chain })
  const none = { chain, blocks: 0, unpriced: 0, first: 0, last: 0 }
  if (stored === null || bounds === undefined) return none
  const low = Math.max(bounds.oldest, bounds.newest - 1 - Math.ceil(Math.max(0, Date.parse(bounds.newest_time) - since) / 1_000 / leastSecondsPerBlock))
  const params = { chain, low, newest: Math.min(newest ?? bounds.newest, bounds.newest), since: Math.max(0, Math.floor(since)), until: Math.min(endOfTime, Math.floor(until)) }
  const [row] = await kept.once(`unpriced ${JSON.stringify(params)}`, (store) => store.query(unpricedBlocks[stored], params, Row))
  return row === undefined ? none : { chain, ...row }
}

/** The same of each of some spans. */
export const unpricedOf = async (spans: readonly Span[], ask: Ask): Promise<readonly Unpriced[]> =>
  Promise.all(spans.map((span) => unpricedWithin(span.chain, span.from + 1, span.to, ask, span.newest)))

/** The chains none of whose blocks has a price: their counts and sums by dollars are unknown, and no 0. */
export const allUnpriced = (chains: readonly Unpriced[]): ReadonlySet<string> => new Set(chains.filter(({ blocks, unpriced }) => unpriced > 0 && unpriced === blocks).map(({ chain }) => chain))

const ending = 'have no price in dollars of the chain\'s coin: what moved of it in them is in no count or sum by dollars'
/** Says how many of the blocks asked about have no price, for a coverage status. */
export const unpricedWarnings = (chains: readonly Unpriced[]): readonly string[] =>
  chains.flatMap(({ chain, blocks, unpriced, first, last }) => (unpriced === 0 ? [] : [`${unpriced} of ${blocks} blocks of ${chain} asked about, between ${first} and ${last}, ${ending}`]))
export const withUnpriced = (status: CoverageStatus, chains: readonly Unpriced[]): CoverageStatus => ({ ...status, warnings: [...status.warnings, ...unpricedWarnings(chains)] })

/** Swaps within the heights of a span, and how many of them have a price. */
interface Swapped { readonly swaps: number; readonly priced: number }
export const swapsWithin = async (span: Span, ask: Ask): Promise<Swapped> =>
  (await ask.store.query(countSwaps, { chain: span.chain, first: span.first, newest: span.newest }, z.object({ swaps: z.number(), priced: z.number() })))[0] ?? { swaps: 0, priced: 0 }

const noneEnding = 'of the time asked about has a price in dollars: what was swapped is in no count or sum by dollars'
/**
 * What a list of swaps chosen by their dollars, of which `rows` are found, has to say of what has no price: the blocks of its span and, where it is empty, the swaps themselves.
 * Some swaps never have a price, so that only where none has one nothing found says nothing. `known`: swapsWithin of the span, where it was asked for.
 */
export const swapsUnpriced = async (span: Span | null, rows: readonly unknown[], ask: Ask, known: Swapped | null = null): Promise<readonly string[]> => {
  if (span === null) return []
  const warnings = unpricedWarnings(await unpricedOf([span], ask))
  const counted = rows.length > 0 ? null : known ?? await swapsWithin(span, ask)
  return counted === null || counted.swaps === 0 || counted.priced > 0 ? warnings : [...warnings, `None of ${counted.swaps} swaps of ${span.chain} ${noneEnding}`]
}

/** For `empty` of what is chosen by its dollars: where blocks, or all there is to choose from, have no price, nothing found is a gap. */
export const emptyIfUnpriced = ({ coverage_status: { warnings } }: { readonly coverage_status: { readonly warnings: readonly string[] } }): Empty | null =>
  (warnings.some((one) => one.endsWith(ending) || one.endsWith(noneEnding)) ? emptyBecause('data_gap') : null)

/** A sum of dollars; null where something `moved` and nothing of it has a price. */
export const dollarsOf = (moved: boolean, usd: number): number | null => (moved && usd === 0 ? null : usd)

const less = (one: number | null, other: number | null): number | null => (one === null || other === null ? null : one - other)
/** What moved in and out of somebody, and what may be its own change: how often, and dollars of it that are known. */
export interface Moved { readonly usd_in: number; readonly usd_out: number; readonly usd_unknown: number; readonly transfers_in: number; readonly transfers_out: number; readonly transfers_unknown: number }
/** Whether dollars of a chain are unknown where they add up to nothing: on Bitcoin, and where no block of the time has a price (`unvalued`). */
export const isBlank = (chain: string, unvalued: ReadonlySet<string>): boolean => chain === 'BTC' || unvalued.has(chain)
/** Its dollars: where they are `blank` and nothing of what moved had a price, they are unknown, and no 0. */
export const knownOf = (row: Moved, blank: boolean) => {
  const [gained, lost] = [dollarsOf(blank && row.transfers_in > 0, row.usd_in), dollarsOf(blank && row.transfers_out > 0, row.usd_out)]
  return { usd_in: gained, usd_out: lost, usd_net: less(gained, lost), usd_unknown: dollarsOf(blank && row.transfers_unknown > 0, row.usd_unknown) }
}
/** The same, of the coin and listed tokens apart: the part of a known sum is known. */
export const knownApartOf = (row: Moved & { readonly usd_listed_in: number; readonly usd_listed_out: number }, blank: boolean) => {
  const known = knownOf(row, blank)
  return { ...known, usd_listed_in: known.usd_in === null ? null : row.usd_listed_in, usd_listed_out: known.usd_out === null ? null : row.usd_listed_out }
}

/** The sum of what is known; null where nothing is. */
export const sumOfKnown = (sums: readonly (number | null)[]): number | null => {
  const known = sums.filter((one) => one !== null)
  return known.length === 0 && sums.length > 0 ? null : known.reduce((sum, one) => sum + one, 0)
}
