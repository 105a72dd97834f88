/**
 * Whether a worker still has the jobs it works on. A job whose lock ran out is given to another worker, or to this one once more, and whoever was
 * frozen, or away from Redis, for so long goes on where it stopped: it must not write beside the other.
 */
import type { Store } from '../schemas/clickhouse.js'
import { AppError } from '../schemas/errors.js'

/** One taking of a job. */
export interface Held {
  /** Throws JOB_LOST where the lock may have run out, or the job was taken once more. */
  check(): void
  /** It is over. */
  drop(): void
}
export interface Locks {
  /** The job of this id is worked on from now on: whoever did so before has lost it. */
  take(id: string): Held
  /** Redis said that their locks stand. */
  renewed(ids: readonly string[]): void
}

/** Two clocks, in milliseconds: one that nobody sets, and one that goes on while the machine is suspended. */
const clocks = (): readonly [number, number] => [performance.now(), Date.now()]
/** Part of a lock's time that counts: what Redis answered is heard of later. */
const counted = 0.8

/** Locks that run out `lockMs` after they were taken or renewed. */
export const openLocks = (lockMs: number, now: () => readonly [number, number] = clocks): Locks => {
  const newest = new Map<string, { since: readonly [number, number] }>()
  return {
    take: (id) => {
      const mine = { since: now() }
      newest.set(id, mine)
      return {
        // It waits for the queue, which gives the job again, here or to another, when it finds it without a lock.
        check: () => { if (newest.get(id) !== mine || now().some((at, clock) => at - (mine.since[clock] ?? 0) > lockMs * counted)) throw new AppError('JOB_LOST', `The lock of ${id} was not renewed for ${lockMs} ms: another worker may have it`, { retry: 'wait' }) },
        drop: () => { if (newest.get(id) === mine) newest.delete(id) },
      }
    },
    renewed: (ids) => { for (const id of ids) { const one = newest.get(id); if (one !== undefined) one.since = now() } },
  }
}

/** The same store, but nothing is written by who does not hold the job any more. */
export const storeOf = (store: Store, held: Held): Store => ({
  ...store,
  execute: (sql, params, settings) => store.execute(sql, params, settings, held.check), feed: (sql, data, params, named) => store.feed(sql, data, params, named, held.check),
  insertStream: async (sql, data, params, token) => { await store.feed(sql, data, params, { token }, held.check) },
  insert: async (...rows) => { held.check(); await store.insert(...rows) }, insertSurely: async (...rows) => { held.check(); await store.insertSurely(...rows) },
})
