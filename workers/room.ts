/** A full disk of ClickHouse: who is refused a write for want of room says so in Redis, where it is heard though nothing can be written down, and opens an incident where that finds room. */
import type { Redis } from 'ioredis'
import type { Store } from '../schemas/clickhouse.js'
import { AppError, messageOf } from '../schemas/errors.js'
import * as metrics from './metrics.js'
import { watchOutage } from './outage.js'

/** Seconds for which a refusal counts: what waits for room tries again every second. */
const latelySeconds = 60
const lookMs = 5_000
const fullKey = (prefix: string): string => `${prefix}:full`

/** Whether no worker was refused a write for want of room within a minute. */
export const hasRoom = async (redis: Redis, prefix: string): Promise<boolean> => await redis.exists(fullKey(prefix)) === 0

/** Watches what is written by way of `through`, a store that is otherwise the one it is given; `own` writes the incident. */
export const watchRoom = (own: Store, redis: Redis, prefix: string): { through(store: Store): Store; stop(): void } => {
  const outage = watchOutage(own, { id: 'store_full', chain: '', kind: 'store_full', severity: 'critical', summary: 'The disk of ClickHouse is full: what is to be written waits for room' }, 0)
  let refused = -Infinity, marked = -Infinity
  let turn: Promise<unknown> = Promise.resolve()
  const say = (what: () => Promise<unknown>): void => { turn = turn.then(what).catch(() => undefined) }
  const isFull = (): boolean => performance.now() - refused < latelySeconds * 1_000
  const told = async <Value>(write: Promise<Value>): Promise<Value> => write.catch((thrown: unknown) => {
    if (thrown instanceof AppError && thrown.code === 'STORE_FULL') {
      refused = performance.now()
      metrics.full.set(1)
      if (refused - marked >= 1_000) {
        marked = refused
        redis.set(fullKey(prefix), '1', 'EX', latelySeconds).catch(() => undefined)
        say(() => outage.bad(messageOf(thrown)))
      }
    }
    throw thrown
  })
  const look = (): void => {
    metrics.full.set(isFull() ? 1 : 0)
    if (!isFull()) say(() => outage.good())
  }
  metrics.full.set(0)
  const timer = setInterval(look, lookMs)
  timer.unref()
  return {
    through: (store) => ({
      ...store,
      execute: (...asked) => told(store.execute(...asked)), insert: (...asked) => told(store.insert(...asked)), insertSurely: (...asked) => told(store.insertSurely(...asked)),
      insertStream: (...asked) => told(store.insertStream(...asked)), feed: (...asked) => told(store.feed(...asked)),
    }),
    stop: () => { clearInterval(timer) },
  }
}
