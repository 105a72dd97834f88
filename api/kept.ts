/** What was read once and stands for a while. */
import type { Store } from '../schemas/clickhouse.js'

/** Answers of the store that stand as long as a revision, by what was asked. Many callers share one read, so it is not one caller's to end. */
export interface Kept { once<Value>(asked: string, read: (store: Store) => Promise<Value>): Promise<Value> }

/** Above this it begins anew: what is asked hangs on what callers want. */
const mostKept = 1_000
export const openKept = (store: Store): Kept => {
  const answers = new Map<string, Promise<unknown>>()
  return {
    once: <Value>(asked: string, read: (store: Store) => Promise<Value>) => {
      const there = answers.get(asked) as Promise<Value> | undefined
      if (there !== undefined) return there
      if (answers.size >= mostKept) answers.clear()
      const made = read(store)
      answers.set(asked, made)
      // A read that failed says nothing: the next caller asks again.
      made.catch(() => { if (answers.get(asked) === made) answers.delete(asked) })
      return made
    },
  }
}
