/** What was read once and stands for a while. */
import type { Store } from '../schemas/clickhouse.js'
import { readsUntil } from './deadline.js'

/** Answers of the store that stand as long as a revision, by what was asked. Many callers share one read, so it is not one caller's to end. */
export interface Kept { once<Value>(asked: string, read: (store: Store) => Promise<Value>): Promise<Value> }

/** Milliseconds for one statement of it: those who share it would wait for a socket that is dead as long as that does. One of a reader ends at 20 s by itself, behind others that wait with it. */
const statementMs = 40_000
/** Above this it begins anew: what is asked hangs on what callers want. */
const mostKept = 1_000
export const openKept = (store: Store): Kept => {
  const reader = readsUntil(store, () => AbortSignal.timeout(statementMs))
  const answers = new Map<string, Promise<unknown>>()
  return {
    once: <Value>(asked: string, read: (store: Store) => Promise<Value>) => {
      const there = answers.get(asked) as Promise<Value> | undefined
      if (there !== undefined) return there
      if (answers.size >= mostKept) answers.clear()
      const made = read(reader)
      answers.set(asked, made)
      // A read that failed says nothing: the next caller asks again.
      made.catch(() => { if (answers.get(asked) === made) answers.delete(asked) })
      return made
    },
  }
}
