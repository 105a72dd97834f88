/** How many batches have come as far as each stage and have not landed it, by the ledger, those that gave up among them: the queue of an ordered stage holds one job per chain, however many wait behind that. */
import { z } from 'zod'
import type { Store } from '../schemas/clickhouse.js'
import { stageNames, type StageName } from '../schemas/primitives.js'
import { loadSql } from '../schemas/sql.js'

const pendingSql = loadSql(import.meta.url, 'control_pending.sql')
const Row = z.object({ newest: z.number(), places: z.array(z.number()), waits: z.array(z.number()) })

/** Milliseconds for which an answer is kept at least, and how many times as long as reading it took, up to most: whoever shows it asks every second. A read that took long may have waited for a store that hung, and a statement of it that takes longer than readMs does: it is given up. */
const leastMs = 1_000, times = 10, mostMs = 15_000, readMs = 20_000
/** Milliseconds after which all of it is read anew: a ledger that was put back as it once was, or made anew, may have as many places as the one that is known. */
const forgetMs = 3_600_000
/** Places of the plan that are looked at in one go; a place is one batch at the tip. And how many places that are not through are remembered one by one. */
const stretch = 250_000, most = 1_000

export type Pending = ReadonlyMap<StageName, number>

/**
 * What is known of a chain's plan: up to place `after` all is through but what stands at `open`. In one ledger what is through stays so until a rollback ends it, and is counted nowhere then;
 * what takes its place is planned behind all there was.
 */
interface Known { readonly after: number; readonly open: readonly number[] }
const nothing: Known = { after: 0, open: [] }

/** Reads the plan of one chain: the first time the whole of it, stretch by stretch, and from then on what is not through and what is new. */
const openReader = (store: Store, chain: string, patienceMs: number) => {
  let known = nothing
  const read = async (): Promise<readonly number[]> => {
    const before = known, waits = stageNames.map(() => 0), places: number[] = []
    for (let after = before.after, newest = Infinity; after < newest; after += stretch) {
      const params = { chain, after, upto: after + stretch, open: after === before.after ? before.open : [], most: most + 1, stages: stageNames }
      const [row] = await store.query(pendingSql, params, Row, {}, AbortSignal.timeout(patienceMs))
      row?.waits.forEach((count, index) => { waits[index] = (waits[index] ?? 0) + count })
      newest = row?.newest ?? 0
      // Not the ledger that was known: another was put in its place.
      if (newest < before.after) { known = nothing; return read() }
      places.push(...(row?.places ?? []).slice(0, most + 1 - places.length))
      const beyond = places[most]
      // What was looked at so far is known, also where a later stretch fails.
      known = { after: beyond === undefined ? Math.min(newest, after + stretch) : beyond - 1, open: places.slice(0, most) }
    }
    return waits
  }
  return read
}

/** Reads it for many who ask. Whoever asks often is given the last answer while the next is read; one that was read half a minute ago, or that nobody asked about for long, is not given. `clock`: one that nobody sets. */
export const openPending = (store: Store, clock = (): number => performance.now(), patienceMs = readMs): (() => Promise<Pending>) => {
  const readers = new Map<string, ReturnType<typeof openReader>>()
  let knownSince = clock(), last: { readonly pending: Pending; readonly due: number; readonly old: number } | undefined, reading: Promise<Pending> | undefined
  const read = async (): Promise<Pending> => {
    const started = clock(), sums = stageNames.map(() => 0)
    if (started - knownSince >= forgetMs) { readers.clear(); knownSince = started }
    for (const { chain } of await store.query('SELECT DISTINCT p.chain AS chain FROM plans AS p', {}, z.object({ chain: z.string() }), {}, AbortSignal.timeout(patienceMs))) {
      const reader = readers.get(chain) ?? openReader(store, chain, patienceMs)
      readers.set(chain, reader)
      for (const [index, count] of (await reader()).entries()) sums[index] = (sums[index] ?? 0) + count
    }
    const pending: Pending = new Map(stageNames.map((stage, index) => [stage, sums[index] ?? 0]))
    const now = clock(), keptMs = Math.min(mostMs, Math.max(leastMs, times * (now - started)))
    last = { pending, due: now + keptMs, old: now + 2 * keptMs }
    return pending
  }
  const renew = (): Promise<Pending> => (reading ??= read().finally(() => { reading = undefined }))
  return async () => {
    const now = clock()
    if (last === undefined || now >= last.old) return renew()
    // A failure is told to those who ask when this one is too old.
    if (now >= last.due) renew().catch(() => undefined)
    return last.pending
  }
}
