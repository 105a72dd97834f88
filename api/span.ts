/** The span of time an answer covers. It ends at the newest indexed block, never at an invented now, and the answer says from when to when. */
import { z } from 'zod'
import { findChain, type Chain } from '../schemas/chains.js'
import { Instant } from '../schemas/primitives.js'
import { loadSql } from '../schemas/sql.js'
import { emptyBecause, type Empty } from './empty.js'
import type { Ask } from './operation.js'

const span = loadSql(import.meta.url, 'span.sql')
const hourMs = 3_600_000
/** No chain here makes blocks faster than this, over any span: it bounds where the span's first block can be. */
const leastSecondsPerBlock = 4

export const Window = z.object({ from: Instant, to: Instant }).nullable().describe('What the answer covers, up to the newest indexed block; null: nothing is indexed')

/** Bounds of a span: blocks first…newest, later than `from` and up to `to` (Unix milliseconds). */
export interface Span { readonly chain: string; readonly first: number; readonly newest: number; readonly from: number; readonly to: number }

/** The id under which movements, swaps and logs of an asked chain are stored; null where there are none. ALL is what ETH has. */
export const storedChain = (chain: Pick<Chain, 'id'>): 'ETH' | null => (chain.id === 'ETH' || chain.id === 'ALL' ? 'ETH' : null)

/** For `empty`: a chain that is not stored was not looked into, whatever its own pipeline does. */
export const emptyUnlessStored = ({ chain }: { readonly chain: string }): Empty | null => (storedChain({ id: chain }) !== null ? null : emptyBecause(findChain(chain)?.status === 'pending' ? 'data_gap' : 'unsupported_input'))

/** The last `hours` of a chain; `whole` lets it begin at a full hour, which the hourly tables need. null: nothing is stored of the chain. */
export const spanOf = async (chain: Pick<Chain, 'id'>, hours: number, ask: Ask, whole = false): Promise<Span | null> => {
  const stored = storedChain(chain)
  const bounds = stored === null ? undefined : (await ask.services.coverage.view()).bounds.get(stored)
  if (stored === null || bounds === undefined) return null
  const to = Date.parse(bounds.newest_time)
  const from = whole ? Math.floor((to - hours * hourMs + 1) / hourMs) * hourMs - 1 : to - hours * hourMs
  const low = Math.max(0, Math.floor(bounds.newest - (to - from) / 1_000 / leastSecondsPerBlock))
  const [row] = await ask.store.query(span, { chain: stored, low, newest: bounds.newest, from }, z.object({ first: z.number() }))
  return { chain: stored, first: row?.first ?? bounds.newest, newest: bounds.newest, from, to }
}

/** The span as an answer shows it; both ends belong to it. */
export const windowOf = (covered: Span | null): z.infer<typeof Window> =>
  (covered === null ? null : { from: new Date(covered.from + 1).toISOString(), to: new Date(covered.to).toISOString() })

/** The span as parameters of a statement. */
export const paramsOf = ({ chain, first, newest, from, to }: Span) => ({ chain, first, newest, from, to })
