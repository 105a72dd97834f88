/** A store for long work beside what others wait for. */
import type { Store } from './clickhouse.js'

/** The same store, but after each statement of `query` and `execute` it rests as long as that took, `mostMs` at most, before it says the next: what is asked meanwhile finds the processor free half of the time, however many statements the work has. Ends its rests, the one under way too, when `hurry` aborts. */
export const resting = (store: Store, mostMs: number, hurry: AbortSignal): Store => {
  let until = 0
  const rested = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let left = until - performance.now(); left > 0 && !hurry.aborted; left = until - performance.now()) {
      await new Promise<void>((resolve) => {
        const done = (): void => { clearTimeout(timer); hurry.removeEventListener('abort', done); resolve() }
        const timer = setTimeout(done, left)
        hurry.addEventListener('abort', done)
      })
    }
    const started = performance.now()
    try { return await work() } finally {
      const now = performance.now()
      until = Math.max(until, now + Math.min(mostMs, now - started))
    }
  }
  return { ...store, query: (...asked) => rested(() => store.query(...asked)), execute: (...said) => rested(() => store.execute(...said)) }
}
