/** How long an answer may take, and the end of work nobody waits for any more. */
import type { Ask } from './operation.js'
import { callerGone } from './faults.js'
import type { Store } from '../schemas/clickhouse.js'
import { unavailable } from '../schemas/errors.js'

const longestMs = 25_000

/** Runs `work`; rejects with 503 after `milliseconds`, or as soon as `gone` ends. The signal `work` gets ends in both cases. */
export const within = <Value>(gone: AbortSignal, work: (signal: AbortSignal) => Promise<Value>, milliseconds = longestMs): Promise<Value> => {
  const stop = new AbortController()
  return new Promise((resolve, reject) => {
    const end = (why: Error): void => { reject(why); stop.abort() }
    const leave = (): void => { end(callerGone()) }
    const timer = setTimeout(() => { end(unavailable('operation', new Error(`no answer within ${milliseconds} ms`))) }, milliseconds)
    if (gone.aborted) leave()
    gone.addEventListener('abort', leave, { once: true })
    void work(stop.signal).then(resolve, reject).finally(() => { clearTimeout(timer); gone.removeEventListener('abort', leave) })
  })
}

/** `store` with reads that ClickHouse stops when the signal ends that `until` gives for each; a read with a signal of its own keeps that. */
export const readsUntil = (store: Store, until: () => AbortSignal): Store => ({ ...store, query: (sql, params, row, settings, own) => store.query(sql, params, row, settings, own ?? until()) })

/** `ask` with reads that ClickHouse stops when `signal` ends. */
export const bound = (ask: Ask, signal: AbortSignal): Ask => ({ ...ask, signal, store: readsUntil(ask.store, () => signal) })
