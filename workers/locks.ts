/**
 * Whether a worker still has the jobs it works on. A job whose lock ran out is given to another worker, and whoever was frozen, or away from
 * Redis, for so long goes on where it stopped: it must not write beside the other.
 */
import { AppError } from '../schemas/errors.js'

export interface Locks {
  /** The job of this id is worked on from now on. */
  took(id: string): void
  /** Redis said that their locks stand. */
  renewed(ids: readonly string[]): void
  dropped(id: string): void
  /** Throws JOB_LOST where the lock may have run out. */
  check(id: string): void
}

/** Locks that run out `lockMs` after they were taken or renewed; `now` in milliseconds, of a clock that goes on while the process does not. */
export const openLocks = (lockMs: number, now: () => number = () => performance.now()): Locks => {
  const since = new Map<string, number>()
  return {
    took: (id) => { since.set(id, now()) },
    renewed: (ids) => { for (const id of ids) if (since.has(id)) since.set(id, now()) },
    dropped: (id) => { since.delete(id) },
    check: (id) => {
      const from = since.get(id)
      // Waits for the queue: it gives the job again, here or to another, when it finds it without a lock.
      if (from === undefined || now() - from > lockMs) throw new AppError('JOB_LOST', `The lock of ${id} was not renewed for ${lockMs} ms: another worker may have it`, { retry: 'wait' })
    },
  }
}
