/** The span of time an answer covers. It ends at the newest indexed block, never at an invented now, and the answer says from when to when. */
import { z } from 'zod'
import { findChain, type Chain } from '../schemas/chains.js'
import { Instant } from '../schemas/primitives.js'
import { loadSql } from '../schemas/sql.js'
import { emptyBecause, type Empty } from './empty.js'
import { openHeightsOf, touches } from './openHeights.js'
import type { Ask } from './operation.js'

const span = loadSql(import.meta.url, 'span.sql')
const newestBefore = loadSql(import.meta.url, 'newestBefore.sql')
const newestUpTo = loadSql(import.meta.url, 'newestUpTo.sql')
const hourMs = 3_600_000
/** No chain here makes blocks faster than this, over any span: it bounds where the span's first block can be. */
export const leastSecondsPerBlock = 4

/** What is in the store of a span of time. */
const Indexed = z.object({
  first_block: z.number().int(), last_block: z.number().int(), blocks: z.number().int(), complete: z.boolean().describe('false: blocks within from…to are missing or not worked out, so what is not here may have happened all the same'),
}).describe('Blocks of from…to that are indexed')
const Covered = z.object({ from: Instant, to: Instant, indexed: Indexed.optional() })
export const Window = Covered.extend({ chains: z.record(z.string(), Covered).optional().describe('Of an answer over several chains: what it covers of each, up to its own newest block') })
  .nullable().describe('What the answer covers, up to the newest indexed block; null: nothing is indexed')

/** Bounds of a span: those of the blocks first…newest that are later than `from`; `to` is the latest time of any up to the newest (Unix milliseconds). On Bitcoin a block may be earlier than the one before it. */
export interface Span {
  readonly chain: string; readonly first: number; readonly newest: number; readonly from: number; readonly to: number
  /** Blocks of it that are indexed, and whether they are all, and worked out: every height from the block before the first to the newest. */
  readonly blocks: number; readonly complete: boolean
  /** Whether they are all in the store, worked out or not. */
  readonly stored: boolean
}

/** The id under which movements of an asked chain are stored; null where there are none. ALL is what ETH has, where an answer is of one chain. */
export const storedChain = (chain: Pick<Chain, 'id'>): 'ETH' | 'BTC' | null => (chain.id === 'ETH' || chain.id === 'ALL' ? 'ETH' : chain.id === 'BTC' && findChain('BTC')?.status === 'live' ? 'BTC' : null)

/** The same for what only a chain of accounts has: swaps, logs, gas, tokens, trades. */
export const accountChain = (chain: Pick<Chain, 'id'>): 'ETH' | null => { const stored = storedChain(chain); return stored === 'BTC' ? null : stored }

/** Ids of stored chains an asked chain stands for: ALL is each of them. */
export const storedChains = (chain: Pick<Chain, 'id'>): readonly ('ETH' | 'BTC')[] =>
  (chain.id === 'ALL' ? ['ETH', 'BTC'] : [chain.id]).flatMap((id) => { const stored = storedChain({ id }); return stored === null ? [] : [stored] })

/** Blocks of a segment of a stored chain: the aggregates up to a height are whole segments and the blocks after them. */
export const segmentBlocksOf = (stored: string): number => findChain(stored)?.segmentBlocks ?? 1

/** Of those the ones with blocks; all where none has any. */
export const indexedChains = async (chain: Pick<Chain, 'id'>, ask: Ask): Promise<readonly ('ETH' | 'BTC')[]> => {
  const [asked, { bounds }] = [storedChains(chain), await ask.services.coverage.view()]
  const indexed = asked.filter((id) => bounds.has(id))
  return indexed.length > 0 ? indexed : asked.slice(0, 1)
}

/** For `empty`: a chain that is not stored was not looked into, whatever its own pipeline does. */
export const emptyUnlessStored = ({ chain }: { readonly chain: string }): Empty | null => (storedChain({ id: chain }) !== null ? null : emptyBecause(findChain(chain)?.status === 'pending' ? 'data_gap' : 'unsupported_input'))

const noAccounts = 'Bitcoin has no accounts and runs no contracts: it has no gas, tokens, stablecoins, swaps, logs or agents'

/** For `empty` of what only a chain of accounts has: Bitcoin has nothing of the kind, so there is nothing to look into. */
export const emptyUnlessAccounts = (output: { readonly chain: string }): Empty | null =>
  emptyUnlessStored(output) ?? (accountChain({ id: output.chain }) === null ? { ...emptyBecause('unsupported_input'), not_applicable: noAccounts } : null)

/** Where a span ends: at a time (Unix milliseconds), or at a height, which is what a cursor of Bitcoin has to hold: a block that arrives later may be said to be earlier. */
export type Until = number | { readonly height: number }
/** The height that a cursor holds, as the end of a span. */
export const upTo = (height: number | undefined): Until | undefined => (height === undefined ? undefined : { height })

/** The newest indexed block, or the newest that is not after `until`; null: there is none. */
export const endOf = async (stored: string, until: Until | undefined, ask: Ask): Promise<{ readonly newest: number; readonly to: number } | null> => {
  const bounds = (await ask.services.coverage.view()).bounds.get(stored)
  if (bounds === undefined) return null
  const to = Date.parse(bounds.newest_time)
  if (until === undefined || (typeof until === 'number' ? until >= to : until.height >= bounds.newest)) return { newest: bounds.newest, to }
  const found = z.object({ newest: z.number(), time: z.string(), blocks: z.number() })
  const [row] = typeof until === 'number' ? await ask.store.query(newestBefore, { chain: stored, until }, found) : await ask.store.query(newestUpTo, { chain: stored, height: until.height }, found)
  return row === undefined || row.blocks === 0 ? null : { newest: row.newest, to: Date.parse(row.time) }
}

/** Nobody can spend what Bitcoin's block 0 pays, so its ledger begins at block 1. */
export const firstOf = (chain: string): number => (chain === 'BTC' ? 1 : 0)

/** The last `hours` of a chain, up to `until` where it is given; `whole` lets it begin at a full hour, which the hourly tables need. null: nothing is stored. */
export const spanOf = async (chain: Pick<Chain, 'id'>, hours: number, ask: Ask, whole = false, until?: Until): Promise<Span | null> => {
  const stored = storedChain(chain)
  const end = stored === null ? null : await endOf(stored, until, ask)
  if (stored === null || end === null) return null
  const { newest, to } = end
  const from = whole ? Math.floor((to - hours * hourMs + 1) / hourMs) * hourMs - 1 : to - hours * hourMs
  const low = Math.max(0, Math.floor(newest - (to - from) / 1_000 / leastSecondsPerBlock))
  // Every answer about a time begins with this, and between two blocks it is the same for all.
  const { kept } = await ask.services.coverage.view()
  const [open, [row]] = await Promise.all([openHeightsOf('index', stored, low, ask), kept.once(`span ${stored} ${low} ${newest} ${from}`, (store) => store.query(span, { chain: stored, low, newest, from }, z.object({ first: z.number(), blocks: z.number(), stored: z.number(), before: z.coerce.boolean() })))])
  const { first, blocks, stored: there, before } = row ?? { first: newest, blocks: 0, stored: 0, before: false }
  const all = there === newest - first + 1 && (first <= firstOf(stored) || before)
  return { chain: stored, first, newest, from, to, blocks, complete: all && !touches(open, first, newest), stored: all }
}

/** spanOf for what only a chain of accounts has. */
export const accountSpanOf = async (chain: Pick<Chain, 'id'>, hours: number, ask: Ask, whole = false, until?: number): Promise<Span | null> => (accountChain(chain) === null ? null : spanOf(chain, hours, ask, whole, until))

/** The span as an answer shows it; both ends belong to it. */
export const windowOf = (covered: Span | null): z.infer<typeof Window> =>
  (covered === null ? null : { from: new Date(covered.from + 1).toISOString(), to: new Date(covered.to).toISOString(), indexed: { first_block: covered.first, last_block: covered.newest, blocks: covered.blocks, complete: covered.complete } })

/** The last `hours` of each indexed chain that an asked one stands for, up to what `until` has of it. */
export const spansOf = async (chain: Pick<Chain, 'id'>, hours: number, ask: Ask, whole = false, until: (id: string) => Until | undefined = () => undefined): Promise<readonly Span[]> =>
  (await Promise.all((await indexedChains(chain, ask)).map((id) => spanOf({ id }, hours, ask, whole, until(id))))).filter((span) => span !== null)

/** Spans of several chains as an answer shows them: from the earliest to the latest, and each by itself. */
export const windowsOf = (spans: readonly Span[]): z.infer<typeof Window> => {
  const [only, other] = spans
  if (only === undefined || other === undefined) return windowOf(only ?? null)
  const chains = Object.fromEntries(spans.flatMap((span) => { const of = windowOf(span); return of === null ? [] : [[span.chain, of]] }))
  return { from: new Date(Math.min(...spans.map(({ from }) => from)) + 1).toISOString(), to: new Date(Math.max(...spans.map(({ to }) => to))).toISOString(), chains }
}

/** Says of which spans blocks are missing in the store, for a coverage status. Blocks that wait are told by coverage itself, once they are more than a moment's. */
export const missingWarnings = (spans: readonly Span[]): readonly string[] => spans.filter(({ stored }) => !stored).map(({ chain, first, newest, from, to, blocks }) =>
  `Of ${chain} from ${new Date(from + 1).toISOString()} to ${new Date(to).toISOString()} blocks are missing: counts and sums are of the ${blocks} that are indexed, between ${first} and ${newest}`)

/** The span as parameters of a statement. */
export const paramsOf = ({ chain, first, newest, from, to }: Span) => ({ chain, first, newest, from, to })
