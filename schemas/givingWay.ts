/** What somebody waits for goes first, before the statements of other threads of the process too. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from './clickhouse.js'

/** How much is under way that somebody waits for, and when the last of it ended: shared memory, which every thread sees. */
export type UnderWay = Int32Array<SharedArrayBuffer>
export const openUnderWay = (memory = new SharedArrayBuffer(8)): UnderWay => new Int32Array(memory)

/** Milliseconds of a time, as far as a place of that memory holds them: differences are right for some weeks. */
const clock = (): number => Date.now() & 0x7fffffff
/** From one stage to the next a batch is handed on in less. */
const handedOnMs = 100
const lookMs = 10

/** Counts `work` until it ends. */
export const whileUnderWay = async <T>(underWay: UnderWay, work: () => Promise<T>): Promise<T> => {
  Atomics.add(underWay, 0, 1)
  try { return await work() } finally {
    Atomics.store(underWay, 1, clock())
    Atomics.sub(underWay, 0, 1)
  }
}

/** Milliseconds a statement is put off at most: while blocks at the tip follow one another, something is always under way. */
const longestMs = 1_000

/** The same store, but each statement waits while something is under way, `mostMs` at most: it is put off and never left out. Rows made here (`insert`) do not wait: they are few, and by some of them others see that this is alive. */
export const givingWay = (store: Store, underWay: UnderWay, mostMs = longestMs): Store => {
  const busy = (): boolean => Atomics.load(underWay, 0) > 0 || ((clock() - Atomics.load(underWay, 1)) & 0x7fffffff) < handedOnMs
  const free = async (): Promise<void> => { for (const until = performance.now() + mostMs; busy() && performance.now() < until;) await sleep(lookMs) }
  const after = async <T>(work: () => Promise<T>): Promise<T> => {
    await free()
    return work()
  }
  return {
    ...store,
    query: (...asked) => after(() => store.query(...asked)), execute: (...said) => after(() => store.execute(...said)),
    feed: (...fed) => after(() => store.feed(...fed)), insertStream: (...sent) => after(() => store.insertStream(...sent)),
    read: async function* (...asked) {
      await free()
      yield* store.read(...asked)
    },
  }
}
