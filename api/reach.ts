/** How far the index reaches into the time that was asked about: where blocks are missing, silence is a gap and no evidence. */
import { z } from 'zod'
import { loadSql } from '../schemas/sql.js'
import type { CoverageStatus } from './coverage.js'
import { millis } from './fields.js'
import { dealtOf, knownSince, unknownOf } from './known.js'
import type { Bounds } from './ledgerView.js'
import type { Ask, Operation } from './operation.js'
import { indexedChains, leastSecondsPerBlock, storedChain, storedChains } from './span.js'

const reach = loadSql(import.meta.url, 'reach.sql')

/** Whether every block a chain ever had, up to the newest, is in the store: only then has an address that was never seen done nothing. */
export const isWhole = (bounds: Bounds | undefined): boolean => hasNoGap(bounds) && bounds?.unresolved === 0

/** The same, whether or not every input's output was found. Nobody can spend what Bitcoin's block 0 pays, so its ledger begins at block 1. */
export const hasNoGap = (bounds: Bounds | undefined): boolean =>
  bounds !== undefined && bounds.oldest <= (bounds.chain === 'BTC' ? 1 : 0) && bounds.missing === 0 && bounds.blocks === bounds.newest - bounds.oldest + 1

/** `status` with how many blocks there were that are not indexed, where answers are about all that an address ever did. Inputs and calls that are not known are in it already. */
export const withMissing = (status: CoverageStatus, bounds: Bounds | undefined): CoverageStatus => {
  if (bounds === undefined || hasNoGap(bounds)) return status
  return { ...status, warnings: [...status.warnings, `Of ${bounds.newest + (bounds.chain === 'BTC' ? 0 : 1)} blocks of ${bounds.chain} ${bounds.blocks} are indexed: what an address did in the others is not known`] }
}

/** Whether every block of a stored chain later than `since` (Unix milliseconds; 0: the oldest) and up to `until` is in the store. */
export const isIndexed = async (chain: string, since: number, until: number, ask: Ask): Promise<boolean> => {
  const bounds = (await ask.services.coverage.view()).bounds.get(chain)
  if (bounds === undefined) return false
  const low = since <= 0 ? bounds.oldest : Math.max(0, bounds.newest - 1 - Math.ceil(Math.max(0, Date.parse(bounds.newest_time) - since) / 1_000 / leastSecondsPerBlock))
  const [row] = await ask.store.query(reach, { chain, low, newest: bounds.newest, since: Math.max(0, Math.floor(since)), until: Math.floor(until) }, z.object({ whole: z.coerce.boolean() }), {}, ask.signal)
  return row?.whole ?? false
}

const hourMs = 3_600_000
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const hoursOf = (operation: Operation, { hours, minutes }: Readonly<Record<string, unknown>>): number | undefined =>
  typeof hours === 'number' ? hours : typeof minutes === 'number' ? minutes / 60 : operation.hours

/** Whether an input asks about a time of a venue of which not all is known. Where it says no beginning, what is known begins it. */
const asksUnheard = async (operation: Operation, input: Readonly<Record<string, unknown>>, venue: string, ask: Ask): Promise<boolean> => {
  const view = await ask.services.coverage.view(), dealt = dealtOf(operation.record), now = Date.now()
  const [since, until, hours] = [millis(textOf(input['since'])), millis(textOf(input['until'])), hoursOf(operation, input)]
  if (since === null && until === null && hours === undefined) return false
  const begin = knownSince(view, venue, dealt) ?? 0, end = Math.min(until ?? now, now)
  return (until !== null && until < begin) || unknownOf(view, venue, hours === undefined ? since ?? begin : end - hours * hourMs, end, dealt).length > 0
}

/** Whether an input asks about a time of `chain` that is not wholly indexed, or heard; false where it names no time, or the chain is not stored. */
export const asksBeyond = async (operation: Operation, input: Readonly<Record<string, unknown>>, chain: string, ask: Ask): Promise<boolean> => {
  if (chain === 'HL') return asksUnheard(operation, input, chain, ask)
  if (storedChains({ id: chain }).length > 1) {
    if (operation.perps === true && await asksUnheard(operation, input, 'HL', ask)) return true
    for (const id of await indexedChains({ id: chain }, ask)) if (await asksBeyond(operation, input, id, ask)) return true
    return false
  }
  const stored = storedChain({ id: chain })
  const bounds = stored === null ? undefined : (await ask.services.coverage.view()).bounds.get(stored)
  if (stored === null || bounds === undefined) return false
  const newest = Date.parse(bounds.newest_time)
  const [since, until] = [millis(textOf(input['since'])), millis(textOf(input['until']))]
  const hours = hoursOf(operation, input)
  if (since === null && until === null && hours === undefined) return false
  if (hours === Infinity) return !isWhole(bounds)
  const end = Math.min(until ?? newest, newest)
  return !await isIndexed(stored, hours === undefined ? since ?? 0 : end - hours * hourMs, end, ask)
}
