/** The ledger as the API remembers it: read at most once a second, its heavy part only when the ledger has grown. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { chains } from '../schemas/chains.js'
import type { Store } from '../schemas/clickhouse.js'
import { loadSql } from '../schemas/sql.js'
import { stagesBefore, stagesOfAlerts, toleratedWaiting } from './assess.js'
import { readsUntil } from './deadline.js'
import { openKept, type Kept } from './kept.js'

const ledgerRevision = loadSql(import.meta.url, 'ledgerRevision.sql'), ledgerHeads = loadSql(import.meta.url, 'ledgerHeads.sql'), ledgerControls = loadSql(import.meta.url, 'ledgerControls.sql'), ledgerEntered = loadSql(import.meta.url, 'ledgerEntered.sql')
const chainCoverage = loadSql(import.meta.url, 'chainCoverage.sql'), chainHoles = loadSql(import.meta.url, 'chainHoles.sql'), venueGaps = loadSql(import.meta.url, 'venueGaps.sql'), venueFiles = loadSql(import.meta.url, 'venueFiles.sql')
const venueWaiting = loadSql(import.meta.url, 'venueWaiting.sql'), venueDead = loadSql(import.meta.url, 'venueDead.sql'), venueUnheard = loadSql(import.meta.url, 'venueUnheard.sql')
const ledgerLetters = loadSql(import.meta.url, 'ledgerLetters.sql'), chainDead = loadSql(import.meta.url, 'chainDead.sql')

const Grown = z.object({ landed: z.number(), planned: z.number() }), Head = z.object({ chain: z.string(), number: z.number(), observed_at: z.string(), time: z.string() })
const Control = z.object({ name: z.string(), state: z.string(), reason: z.string() }), Entered = z.object({ entered: z.number() })
const Covered = z.object({
  chain: z.string(), newest: z.number(), oldest: z.number(), blocks: z.number(), newest_time: z.string(), untraced: z.number(), untraced_from: z.number(), untraced_to: z.number(),
  whole: z.boolean(), settled: z.boolean(), worked: z.number(), waiting: z.number(), unresolved: z.number(),
})
const Holes = z.object({ chain: z.string(), missing: z.number(), missing_from: z.number(), missing_to: z.number() })
/**
 * Blocks of one chain in the store: bounds, count, newest time, up to which some are enriched and indexed (worked; 0: the ledger tells of none) and how many above wait for it, those without traces,
 * those wanted but missing in between. settled: every one of them has passed index; else openHeights.ts tells which have not.
 */
export type Bounds = Omit<z.infer<typeof Covered>, 'whole' | 'settled'> & z.infer<typeof Holes> & { readonly settled?: boolean }

/** The highest block of which all is known that a stage makes of it; of one below all is known unless its batch is open. */
export const workedUpTo = (bounds: Bounds | undefined): number => (bounds === undefined || bounds.worked === 0 ? Infinity : bounds.worked)

const Gaps = z.object({ chain: z.string(), kind: z.enum(['dealt', 'shown']), gaps: z.number(), seconds: z.number() })
const FilesAt = z.object({ at: z.coerce.number() })
interface Missed { readonly gaps: number; readonly seconds: number }
const Waiting = z.object({ since: z.number().nullable(), letters: z.number() })
const Dead = z.object({ batches: z.number(), from: z.number(), to: z.number(), stages: z.array(z.string()) })
const Letters = z.object({ letters: z.number(), unalerted: z.number(), newest: z.string() }), DeadBlocks = z.object({ chain: z.string(), blocks: z.number(), from: z.number(), to: z.number(), stages: z.array(z.string()) })
const Unheard = z.object({ kind: z.enum(['trades', 'fills', 'gap']), from: z.number(), to: z.number() })
/** A stretch of time of which it is not known what was dealt at a venue, Unix milliseconds. */
export type Unheard = z.infer<typeof Unheard>

export interface LedgerView {
  /** Changes whenever a batch of a chain lands, blocks of it are deleted, a plan for it is made or something else is ordered: the key under which answers are remembered. */
  readonly revision: string
  readonly heads: ReadonlyMap<string, { readonly number: number; readonly observedAt: string; /** Of what time it is by the chain's own clock. */ readonly time: string }>
  /** 'pipeline', 'stage:enrich', 'chain:ETH' → what was decided. */
  readonly controls: ReadonlyMap<string, { readonly state: string; readonly reason: string }>
  readonly bounds: ReadonlyMap<string, Bounds>
  /** Blocks of a chain whose batches gave up at one of these stages: they are on their way no more. */
  readonly dead?: ReadonlyMap<string, z.infer<typeof DeadBlocks>>
  /** Batches of a chain, in blocks, or of a venue of which no alert is made: they gave up at a stage that nothing but alerts stands on. */
  readonly unalerted?: ReadonlyMap<string, { readonly count: number; readonly from: number; readonly to: number }>
  /** What was read of the ledger and its blocks under this revision. */
  readonly kept: Kept
  /** The segment of a venue up to which enrich has landed; absent: none near its head. */
  readonly entered: ReadonlyMap<string, number>
  /** What a venue said in the last day and was not heard: stretches without trades and fills, and stretches without prices, contexts and books. */
  readonly gaps?: ReadonlyMap<string, { readonly dealt?: Missed; readonly shown?: Missed }>
  /** Of when the newest fill is that a venue's node told, Unix milliseconds; absent: of nothing in the last day. */
  readonly files?: ReadonlyMap<string, number>
  /** What a venue said that is not worked out: since when the oldest of it has waited (Unix milliseconds; absent: nothing does), and batches that gave up before an answer knows them. */
  readonly waiting?: ReadonlyMap<string, VenueWaiting>
  /** Times of which it is not known what was dealt at a venue, from the beginning of time on: the first of each kind but gaps begins at 0. */
  readonly unheard?: ReadonlyMap<string, readonly Unheard[]>
}

interface VenueWaiting { readonly since?: number; readonly dead?: z.infer<typeof Dead>; readonly unalerted?: z.infer<typeof Dead> }

/** until: when it is read anew; entered: how far each venue had come; fresh: one was heard for so short a time, or not yet, that this changes with all that is heard; quiet: none was seen for a week. */
interface Silent { readonly until: number; readonly entered: string; readonly fresh: boolean; readonly quiet: boolean; readonly unheard: NonNullable<LedgerView['unheard']> }

export interface LedgerReader {
  /** At most a second old; many callers share one read. */
  read(): Promise<LedgerView>
  /** The same where it is at hand this moment. */
  ready(): LedgerView | undefined
  /** Begun after this call, for who has just changed it; whoever reads afterwards is given this one or a newer. */
  anew(): Promise<LedgerView>
}

const venues = chains.filter(({ status }) => status === 'perps-only').map(({ id }) => id)
/** Of chains with blocks how many of the newest may wait. */
const waited = chains.filter(({ hasBlocks }) => hasBlocks), tolerated = { chains: waited.map(({ id }) => id), tolerated: waited.map(toleratedWaiting) }
const freshMs = 1_000
/** From this age on the next one is read while the one at hand is still given: a steady stream of callers never waits. */
const agingMs = 600
/** Gaps come with batches of their venue: they are read when one has gone through enrich, and this often where none does. */
const gapsMs = 5_000
/** What was told of other days changes with a file that is read, or a cut: this often it is read anew. */
const unheardMs = 30_000

/** And where no venue was seen for a week, this often. */
const quietMs = 600_000, weekMs = 604_800_000

/**
 * Milliseconds that a read of the ledger may take, all its statements together. All who ask share it, so a socket behind which ClickHouse is silent would
 * keep everybody for the 300 s of a request; given up, it is tried anew by the next who asks, on another: sockets that nobody used for 10 s
 * are not used again. A statement of a reader ends at 20 s anyway, and who waits for an answer is told 503 at 25 s.
 */
const readMs = 20_000

export const openLedgerView = (whole: Store, now: () => number, patienceMs = readMs): LedgerReader => {
  let last: LedgerView | undefined
  let lastAt = -Infinity
  let missed: { readonly at: number; readonly entered: string; readonly rows: readonly z.infer<typeof Gaps>[] } | undefined, told: { readonly at: number; readonly files: ReadonlyMap<string, number> } | undefined
  let behind: { readonly at: number; readonly waiting: NonNullable<LedgerView['waiting']> } | undefined, silent: Silent | undefined
  let fallen: { readonly at: number; readonly of: string; readonly dead: NonNullable<LedgerView['dead']>; readonly unalerted: NonNullable<LedgerView['dead']> } | undefined
  let reading: Promise<LedgerView> | undefined
  /** Whether every chain was whole at the last read. */
  let complete = true
  const boundsOf = async (store: Store): Promise<ReadonlyMap<string, Bounds>> => {
    const holesOf = (): Promise<z.infer<typeof Holes>[]> => store.query(chainHoles, { venues, ...tolerated }, Holes)
    // Where there were holes there mostly are: one does not wait for the other then.
    const [covered, found] = await Promise.all([store.query(chainCoverage, { venues }, Covered), complete ? undefined : holesOf()])
    complete = covered.every(({ whole: all }) => all)
    const holes = complete ? [] : found ?? await holesOf()
    return new Map(covered.map(({ whole: _whole, ...row }) => [row.chain, { missing: 0, missing_from: 0, missing_to: 0, ...row, ...holes.find(({ chain }) => chain === row.chain) }]))
  }
  const filesOf = async (store: Store): Promise<ReadonlyMap<string, number>> => {
    const read = await Promise.all(venues.map(async (chain) => [chain, (await store.query(venueFiles, { chain }, FilesAt))[0]?.at] as const))
    return new Map(read.flatMap(([chain, at]) => (at === undefined ? [] : [[chain, at] as const])))
  }
  const waitingOf = async (store: Store, chain: string): Promise<VenueWaiting> => {
    const [row] = await store.query(venueWaiting, { chain, stage: 'enrich' }, Waiting)
    const deadAt = async (stages: readonly string[]) => ((row?.letters ?? 0) === 0 ? undefined : (await store.query(venueDead, { chain, stages }, Dead))[0])
    const [dead, unalerted] = await Promise.all([deadAt(stagesBefore), deadAt(stagesOfAlerts)])
    return { ...(row?.since == null ? {} : { since: row.since }), ...(dead === undefined ? {} : { dead }), ...(unalerted === undefined ? {} : { unalerted }) }
  }
  const ofVenues = async <Value>(read: (chain: string) => Promise<Value>): Promise<ReadonlyMap<string, Value>> => new Map(await Promise.all(venues.map(async (chain) => [chain, await read(chain)] as const)))
  const unheardAt = async (store: Store, at: number, entered: string, quiet: boolean): Promise<Silent> => {
    const read = await ofVenues((chain) => store.query(venueUnheard, { chain }, Unheard))
    const fresh = [...read.values()].some((stretches) => stretches.some(({ kind, from, to }) => kind === 'trades' && from === 0 && to > at - unheardMs)), until = at + (quiet ? quietMs : fresh ? gapsMs : unheardMs)
    // Nothing is known of the time until it is read anew, where nothing was known up to now.
    const unheard = fresh || quiet ? new Map([...read].map(([chain, stretches]) => [chain, stretches.map((one) => (one.to > at - freshMs ? { ...one, to: until + freshMs } : one))] as const)) : read
    return { unheard, until, entered, fresh, quiet }
  }
  const load = async (): Promise<LedgerView> => {
    const at = now()
    // The clock was set back: how old what was read is, nobody knows.
    if (at < lastAt) last = missed = told = behind = silent = fallen = undefined
    const signal = AbortSignal.timeout(patienceMs), store = readsUntil(whole, () => signal)
    const enteredOf = (seen: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> => ofVenues(async (chain) => (seen.has(chain) ? (await store.query(ledgerEntered, { chain }, Entered))[0]?.entered ?? 0 : 0))
    const seenBefore = new Set(last?.heads.keys())
    // Side by side: planning them as one statement took twice as long.
    const [[grown], [letters], heads, controls, standing] = await Promise.all([store.query(ledgerRevision, { venues }, Grown), store.query(ledgerLetters, { venues }, Letters), store.query(ledgerHeads, {}, Head), store.query(ledgerControls, {}, Control), enteredOf(seenBefore)])
    const seen = new Set(heads.map(({ chain }) => chain))
    const reached = [...venues.some((venue) => seen.has(venue) && !seenBefore.has(venue)) ? await enteredOf(seen) : standing].filter(([chain, segment]) => seen.has(chain) && segment > 0)
    const entered = reached.map(([chain, segment]) => `${chain} ${segment}`).sort().join()
    // Where nothing of a venue was seen for a week, there is hardly anything to look for.
    const quiet = !heads.some(({ chain, observed_at: observedAt }) => venues.includes(chain) && at - Date.parse(observedAt) < weekMs), due = (read: { readonly at: number } | undefined): boolean => read === undefined || at - read.at >= (quiet ? quietMs : gapsMs)
    const ordered = controls.map(({ name, state, reason }) => JSON.stringify([name, state, reason])).sort().join('')
    const revision = `${grown?.landed ?? 0}-${grown?.planned ?? 0}-${createHash('sha256').update(ordered).digest('hex').slice(0, 16)}`
    const same = last?.revision === revision ? last : undefined
    const { letters: gaveUp = 0, unalerted: mute = 0, newest = '' } = letters ?? {}, of = `${revision} ${gaveUp} ${mute} ${newest}`, some = gaveUp + mute > 0
    const deadOf = async (count: number, stages: readonly string[]): Promise<NonNullable<LedgerView['dead']>> => new Map(count > 0 ? (await store.query(chainDead, { venues, stages }, DeadBlocks)).map((row) => [row.chain, row]) : [])
    const fall = async () => { const [dead, unalerted] = await Promise.all([deadOf(gaveUp, [...stagesBefore, 'index']), deadOf(mute, ['alert'])]); return { at, of, dead, unalerted } }
    const hush = async (): Promise<Silent | undefined> => {
      const changed = silent === undefined || (silent.fresh && (silent.entered !== entered || at >= silent.until)) || (silent.quiet && !quiet)
      // It reads more than the rest together: who asks waits for it where nothing was known before, or nobody asked for long.
      if (silent === undefined || changed || at >= silent.until + unheardMs) return unheardAt(store, at, entered, quiet)
      if (at >= silent.until) {
        silent = { ...silent, until: at + unheardMs }
        unheardAt(store, at, entered, quiet).then((read) => { silent = read }, () => undefined)
      }
      return undefined
    }
    // Nothing is taken over before all is read: where one of them fails, the others are read again with it.
    const [bounds, gaps, files, waiting, heard, died] = await Promise.all([
      same?.bounds ?? boundsOf(store),
      missed === undefined || missed.entered !== entered || due(missed) ? store.query(venueGaps, {}, Gaps).then((read) => ({ at, entered, rows: read })) : missed,
      told === undefined || due(told) ? filesOf(store).then((read) => ({ at, files: read })) : told,
      behind === undefined || due(behind) ? ofVenues((chain) => waitingOf(store, chain)).then((read) => ({ at, waiting: read })) : behind,
      hush(),
      // What somebody wants changes neither with the ledger nor with letters.
      fallen === undefined || fallen.of !== of || (some && at - fallen.at >= gapsMs) ? fall() : fallen,
    ])
    missed = gaps
    told = files
    behind = waiting
    fallen = died
    silent = heard ?? silent
    const unheard: NonNullable<LedgerView['unheard']> = silent?.unheard ?? new Map()
    lastAt = at
    last = {
      revision, bounds, files: files.files, waiting: waiting.waiting, dead: died.dead, unheard,
      unalerted: new Map([...[...died.unalerted].map(([chain, { blocks: count, from, to }]) => [chain, { count, from, to }] as const), ...[...waiting.waiting].flatMap(([chain, { unalerted: one }]) => (one === undefined ? [] : [[chain, { count: one.batches, from: one.from, to: one.to }] as const]))]),
      kept: same?.kept ?? openKept(whole), entered: new Map(reached), gaps: new Map(venues.map((venue) => [venue, Object.fromEntries(gaps.rows.filter(({ chain }) => chain === venue).map((row) => [row.kind, row]))])),
      heads: new Map(heads.map(({ chain, number, observed_at: observedAt, time }) => [chain, { number, observedAt, time }])),
      controls: new Map(controls.map(({ name, state, reason }) => [name, { state, reason }])),
    }
    return last
  }
  const renew = (): Promise<LedgerView> => {
    reading ??= load().finally(() => { reading = undefined })
    return reading
  }
  const ready = (): LedgerView | undefined => {
    const age = now() - lastAt
    if (age < 0 || age >= freshMs) return undefined
    // A failure is told to those who come when this one is too old.
    if (age >= agingMs) renew().catch(() => undefined)
    return last
  }
  const anew = async (): Promise<LedgerView> => {
    // What is being read may have been looked up before.
    await reading?.catch(() => undefined)
    return renew()
  }
  return { ready, read: async () => ready() ?? renew(), anew }
}
