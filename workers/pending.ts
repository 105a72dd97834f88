/** How many batches have come as far as each stage and have not landed it, by the ledger, those that gave up among them: the queue of an ordered stage holds one job per chain, however many wait behind that. */
import { z } from 'zod'
import type { Store } from '../schemas/clickhouse.js'
import { stageNames, type StageName } from '../schemas/primitives.js'
import { loadSql } from '../schemas/sql.js'

const pendingSql = loadSql(import.meta.url, 'control_pending.sql')
const Row = z.object({ stage: z.enum(stageNames), batches: z.number() })

/** Milliseconds for which an answer is kept at least, and how many times as long as reading it took: the whole ledger is read, and whoever shows it asks every second. */
const leastMs = 1_000, times = 10

export type Pending = ReadonlyMap<StageName, number>

/** Reads it for many who ask. Whoever asks often is given the last answer while the next is read; one that nobody asked about for long is not given. */
export const openPending = (store: Store): (() => Promise<Pending>) => {
  // By a clock that nobody sets.
  let last: { readonly pending: Pending; readonly due: number; readonly old: number } | undefined, reading: Promise<Pending> | undefined
  const read = async (): Promise<Pending> => {
    const started = performance.now()
    const pending: Pending = new Map((await store.query(pendingSql, { stages: stageNames }, Row)).map(({ stage, batches }) => [stage, batches]))
    const now = performance.now(), keptMs = Math.max(leastMs, times * (now - started))
    last = { pending, due: now + keptMs, old: now + 2 * keptMs }
    return pending
  }
  const renew = (): Promise<Pending> => (reading ??= read().finally(() => { reading = undefined }))
  return async () => {
    const now = performance.now()
    if (last === undefined || now >= last.old) return renew()
    // A failure is told to those who ask when this one is too old.
    if (now >= last.due) renew().catch(() => undefined)
    return last.pending
  }
}
