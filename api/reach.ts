/** How far the index reaches into the time that was asked about: where blocks are missing, silence is a gap and no evidence. */
import { z } from 'zod'
import type { Chain } from '../schemas/chains.js'
import { loadSql } from '../schemas/sql.js'
import type { CoverageStatus } from './coverage.js'
import { hoursOfWord, millis } from './fields.js'
import { dealtOf, knownSince, unknownOf } from './known.js'
import type { Bounds } from './ledgerView.js'
import { stretchesOf } from './openHeights.js'
import type { Ask, Operation } from './operation.js'
import { firstOf, indexedChains, leastSecondsPerBlock, storedChain, storedChains } from './span.js'

const reach = loadSql(import.meta.url, 'reach.sql'), heightsWithin = loadSql(import.meta.url, 'heightsWithin.sql'), unworked = loadSql(import.meta.url, 'unworked.sql'), newestUpTo = loadSql(import.meta.url, 'newestUpTo.sql')

/** Whether every block a chain ever had, up to the newest, is in the store: only then has an address that was never seen done nothing. */
export const isWhole = (bounds: Bounds | undefined): boolean => hasNoGap(bounds) && bounds?.unresolved === 0

/** The same, whether or not every input's output was found. */
export const hasNoGap = (bounds: Bounds | undefined): boolean =>
  bounds !== undefined && bounds.oldest <= firstOf(bounds.chain) && bounds.missing === 0 && bounds.blocks === bounds.newest - bounds.oldest + 1

/** `status` with how many blocks there were that are not indexed, where answers are about all that an address ever did. Inputs and calls that are not known are in it already. */
export const withMissing = (status: CoverageStatus, bounds: Bounds | undefined): CoverageStatus => {
  if (bounds === undefined || hasNoGap(bounds) || bounds.blocks === bounds.newest + (bounds.chain === 'BTC' ? 0 : 1)) return status
  return { ...status, warnings: [...status.warnings, `Of ${bounds.newest + (bounds.chain === 'BTC' ? 0 : 1)} blocks of ${bounds.chain} ${bounds.blocks} are indexed: what an address did in the others is not known`] }
}

/** What the data of `asked` are worth to an answer about all that an address of `chain` ever did. */
export const statusOfAll = async (asked: Pick<Chain, 'id'>, chain: Pick<Chain, 'id'>, ask: Ask): Promise<CoverageStatus> => {
  const { coverage } = ask.services, [status, { bounds }] = await Promise.all([coverage.status(asked.id), coverage.view()])
  return withMissing(status, bounds.get(chain.id))
}

/** A height below which no block of a chain is later than `since` (Unix milliseconds; 0: the oldest there is). */
const lowestSince = ({ oldest, newest, newest_time: time }: Bounds, since: number): number =>
  since <= 0 ? oldest : Math.max(0, newest - 1 - Math.ceil(Math.max(0, Date.parse(time) - since) / 1_000 / leastSecondsPerBlock))

/** Whether every block of a stored chain later than `since` (Unix milliseconds; 0: the oldest) and up to `until` is in the store; and has passed `stage`, where one is given. */
export const isIndexed = async (chain: string, since: number, until: number, ask: Ask, stage?: 'enrich'): Promise<boolean> => {
  const bounds = (await ask.services.coverage.view()).bounds.get(chain)
  if (bounds === undefined) return false
  const low = lowestSince(bounds, since)
  if (stage !== undefined && !await isWorkedOn(stage, bounds, { low, since: Math.max(0, Math.floor(since)), until: Math.floor(until) }, ask)) return false
  const [row] = await ask.store.query(reach, { chain, low, newest: bounds.newest, genesis: firstOf(chain), since: Math.max(0, Math.floor(since)), until: Math.floor(until) }, z.object({ whole: z.coerce.boolean() }), {}, ask.signal)
  return row?.whole ?? false
}

const hourMs = 3_600_000
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const heightOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
const hoursOf = (operation: Operation, { hours, minutes, window, days }: Readonly<Record<string, unknown>>): number | undefined =>
  typeof hours === 'number' ? hours : typeof minutes === 'number' ? minutes / 60 : hoursOfWord(window) ?? operation.hours ?? (typeof days === 'number' ? days * 24 : undefined)

/** What is known of what an input asks about. whole: all of it. ended: it names an end behind which the index, or the venue, has come, so that how a pipeline does since says nothing about it. */
export interface Reach { readonly whole: boolean; readonly ended: boolean }
/** Of an input that names no time. */
const unasked: Reach = { whole: true, ended: false }
/** Of blocks whose batches have come and are worked on. */
const unworkedOn: Reach = { whole: false, ended: false }
const together = (reaches: readonly Reach[]): Reach => ({ whole: reaches.every(({ whole }) => whole), ended: reaches.every(({ ended }) => ended) })

/** Of a time of a venue. Where the input says no beginning, what is known begins it. */
const reachAtVenue = async (operation: Operation, input: Readonly<Record<string, unknown>>, venue: string, ask: Ask): Promise<Reach> => {
  const view = await ask.services.coverage.view(), dealt = dealtOf(operation.record), now = Date.now()
  const [since, until, hours] = [millis(textOf(input['since'])), millis(textOf(input['until'])), hoursOf(operation, input)]
  if (since === null && until === null && hours === undefined) return unasked
  const begin = knownSince(view, venue, dealt) ?? 0, end = Math.min(until ?? now, now)
  const heard = view.heads.get(venue), waiting = view.waiting?.get(venue)
  // Of a day in which something was missed it may not be told yet what: coverage says so of all of it.
  const missed = view.gaps?.get(venue)?.dealt !== undefined
  const come = heard === undefined || waiting?.dead !== undefined ? -Infinity : Math.min(missed ? now - 24 * hourMs : Infinity, Date.parse(heard.observedAt), Date.parse(heard.time), waiting?.since ?? Infinity)
  return {
    whole: !(until !== null && until < begin) && unknownOf(view, venue, hours === undefined ? since ?? begin : end - hours * hourMs, end, dealt).length === 0,
    ended: (operation.perps === true || operation.lane === 'perps') && until !== null && until <= come,
  }
}

/** A block of Bitcoin may be dated two hours before one below it. */
const disorderMs = (chain: string): number => (chain === 'BTC' ? 2 * hourMs : 0)

/** Unix milliseconds of the years 1970 to 2299: what a time of the store can be. */
export const allTime = { since: -1, until: 10_413_791_999_000 }
/** The last stage that answers of `operation` rest on. */
const stageOf = ({ sources }: Operation): 'alert' | 'index' => (sources?.includes('alerts') === true ? 'alert' : 'index')
/** From so many heights on it is asked, once for all who ask, which batches of the chain are open: the plan of all of them would be read for each. */
const wide = 8_192
/** Whether all that is in the store of some heights and a time has passed `stage`. */
export const isWorkedOn = async (stage: 'alert' | 'index' | 'enrich', bounds: Bounds, part: { readonly low?: number; readonly high?: number; readonly since?: number; readonly until?: number }, ask: Ask): Promise<boolean> => {
  const { chain, newest, settled } = bounds
  if (settled === true && stage !== 'alert') return true
  let { low = 0, high = newest } = part
  if (high - low >= wide) {
    const open = (await stretchesOf(stage, chain, 0, (await ask.services.coverage.view()).kept)).filter(({ from, to }) => from <= high && to >= low)
    low = Math.max(low, open[0]?.from ?? Infinity)
    high = Math.min(high, open.at(-1)?.to ?? -Infinity)
    if (open.length === 0) return true
  }
  const [row] = await ask.store.query(unworked, { chain, stage, ...allTime, ...part, low, high }, z.object({ unworked: z.coerce.boolean() }), {}, ask.signal)
  return row?.unworked === false
}

/** Of heights of a stored chain, both included; without a lowest from the chain's beginning on. */
const reachOfHeights = async (operation: Operation, bounds: Bounds, from: number | undefined, to: number | undefined, ask: Ask): Promise<Reach> => {
  const { chain, oldest, newest, blocks, worked, waiting } = bounds
  const [low, high] = [from ?? firstOf(chain), Math.min(to ?? newest, newest)]
  if (to !== undefined && low <= high && !await isWorkedOn(stageOf(operation), bounds, { low, high }, ask)) return unworkedOn
  const count = async (): Promise<number> => (await ask.store.query(heightsWithin, { chain, low, high }, z.object({ heights: z.number() }), {}, ask.signal))[0]?.heights ?? 0
  return { ended: to !== undefined && to <= newest, whole: low >= oldest && low <= high && (to !== undefined || waiting === 0 || low <= worked) && (blocks === newest - oldest + 1 || await count() === high - low + 1) }
}

/** Whether any block later than `since` has come through: a few of the newest may wait without a word, but not all that was asked about. */
const hasWorked = async ({ chain, worked, waiting }: Bounds, since: number, ask: Ask): Promise<boolean> => {
  if (waiting === 0) return true
  const [row] = await ask.store.query(newestUpTo, { chain, height: worked }, z.object({ time: z.string(), blocks: z.number() }), {}, ask.signal)
  return row !== undefined && row.blocks > 0 && Date.parse(row.time) > since
}

/** Of a time of a stored chain. */
const reachOfTimes = async (operation: Operation, input: Readonly<Record<string, unknown>>, bounds: Bounds, ask: Ask): Promise<Reach> => {
  const newest = Date.parse(bounds.newest_time), hours = hoursOf(operation, input)
  const [since, until] = [millis(textOf(input['since'])), millis(textOf(input['until']))]
  if (since === null && until === null) {
    if (hours === undefined) return unasked
    if (hours === Infinity) return { ended: false, whole: isWhole(bounds) }
    const since = newest - hours * hourMs
    return { ended: false, whole: await hasWorked(bounds, since, ask) && await isIndexed(bounds.chain, since, newest, ask) }
  }
  const end = Math.min(until ?? newest, newest), begin = hours === undefined || hours === Infinity ? since ?? 0 : end - hours * hourMs
  if (until !== null && !await isWorkedOn(stageOf(operation), bounds, { low: lowestSince(bounds, begin - disorderMs(bounds.chain)), since: Math.max(0, Math.floor(begin)), until: Math.floor(end) }, ask)) return unworkedOn
  // What an address ever did begins with the chain, and with inputs that are not known it is not known who paid.
  const possible = hours !== Infinity || (bounds.unresolved === 0 && (since !== null || bounds.oldest <= firstOf(bounds.chain)))
  return { ended: until !== null && until <= newest - disorderMs(bounds.chain), whole: possible && (until !== null || hours === Infinity || await hasWorked(bounds, begin, ask)) && await isIndexed(bounds.chain, begin, end, ask) }
}

/** What is known of the time, or the heights, of `chain` that an input asks about; of a chain that is not stored, and of an input that names neither, nothing is said. */
export const reachOf = async (operation: Operation, input: Readonly<Record<string, unknown>>, chain: string, ask: Ask): Promise<Reach> => {
  if (chain === 'HL') return reachAtVenue(operation, input, chain, ask)
  const { bounds: every, heads } = await ask.services.coverage.view()
  if (storedChains({ id: chain }).length > 1) {
    // One that was heard and has no block yet has not come to any end.
    const unbegun = storedChains({ id: chain }).some((id) => !every.has(id) && heads.has(id))
    const parts = await Promise.all([...(await indexedChains({ id: chain }, ask)), ...(operation.perps === true ? ['HL'] : [])].map((id) => reachOf(operation, input, id, ask)))
    return together(unbegun ? [...parts, unasked] : parts)
  }
  const stored = storedChain({ id: chain })
  const bounds = stored === null ? undefined : every.get(stored)
  if (bounds === undefined) return unasked
  const [from, to] = [heightOf(input['from_block']), heightOf(input['to_block'])]
  return from === undefined && to === undefined ? reachOfTimes(operation, input, bounds, ask) : reachOfHeights(operation, bounds, from, to, ask)
}
