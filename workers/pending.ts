/** How many batches have come as far as each stage and have not landed it, by the ledger, those that gave up among them: the queue of an ordered stage holds one job per chain, however many wait behind that. */
import { z } from 'zod'
import type { Store } from '../schemas/clickhouse.js'
import { stageNames, type StageName } from '../schemas/primitives.js'
import { loadSql } from '../schemas/sql.js'

const pendingSql = loadSql(import.meta.url, 'control_pending.sql')
const Row = z.object({ stage: z.enum(stageNames), batches: z.number() })

/**
 * Milliseconds for which an answer is kept at least, and how many times as long as reading it took, up to most: the whole ledger is read, and whoever shows it asks every second.
 * A read that took long may have waited for a store that hung, and one that takes longer than readMs does: it is given up.
 */
const leastMs = 1_000, times = 10, mostMs = 15_000, readMs = 20_000

export type Pending = ReadonlyMap<StageName, number>

/** Reads it for many who ask. Whoever asks often is given the last answer while the next is read; one that was read half a minute ago, or that nobody asked about for long, is not given. `clock`: one that nobody sets. */
export const openPending = (store: Store, clock = (): number => performance.now(), patienceMs = readMs): (() => Promise<Pending>) => {
  let last: { readonly pending: Pending; readonly due: number; readonly old: number } | undefined, reading: Promise<Pending> | undefined
  const read = async (): Promise<Pending> => {
    const started = clock()
    const pending: Pending = new Map((await store.query(pendingSql, { stages: stageNames }, Row, {}, AbortSignal.timeout(patienceMs))).map(({ stage, batches }) => [stage, batches]))
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
