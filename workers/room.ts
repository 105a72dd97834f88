/** A full disk of ClickHouse: who is refused a write for want of room says so in Redis, where it is heard though nothing can be written down, and opens an incident where that finds room. */
import type { Redis } from 'ioredis'
import type { Store } from '../schemas/clickhouse.js'
import { AppError, messageOf } from '../schemas/errors.js'
import * as metrics from './metrics.js'
import { watchOutage } from './outage.js'

/** Seconds for which others hear of a refusal: who was refused says it again as long as it counts. */
const latelySeconds = 60
/** Milliseconds for which a refusal counts where nothing is written after it: a pipeline that is paused to make room writes little. */
const longestMs = 600_000
const lookMs = 5_000
const fullKey = (prefix: string): string => `${prefix}:full`

/** Whether no worker is refused writes for want of room, as far as was heard within a minute. */
export const hasRoom = async (redis: Redis, prefix: string): Promise<boolean> => await redis.exists(fullKey(prefix)) === 0

/** Watches what is written by way of `through`, a store that is otherwise the one it is given; `own` writes the incident. */
export const watchRoom = (own: Store, redis: Redis, prefix: string): { through(store: Store): Store; stop(): void } => {
  const outage = watchOutage(own, { id: 'store_full', chain: '', kind: 'store_full', severity: 'critical', summary: 'The disk of ClickHouse is full: what is to be written waits for room' }, 0)
  let refused = -Infinity, marked = -Infinity, written = -Infinity
  /** Whether what a process before this one may have left open was looked at. */
  let looked = false
  let turn: Promise<unknown> = Promise.resolve()
  const say = (what: () => Promise<unknown>): void => { turn = turn.then(what).catch(() => undefined) }
  /** Small writes may find room where large ones do not: for a minute a refusal counts whatever is written after it. */
  const isFull = (): boolean => performance.now() - refused < (written > refused ? latelySeconds * 1_000 : longestMs)
  const mark = (): void => { redis.set(fullKey(prefix), '1', 'EX', latelySeconds).catch(() => undefined) }
  const told = async <Value>(write: Promise<Value>): Promise<Value> => write.then((value) => { written = performance.now(); return value }, (thrown: unknown) => {
    if (thrown instanceof AppError && thrown.code === 'STORE_FULL') {
      refused = performance.now()
      metrics.full.set(1)
      if (refused - marked >= 1_000) {
        marked = refused
        mark()
        say(() => outage.bad(messageOf(thrown)))
      }
    }
    throw thrown
  })
  const look = (): void => {
    metrics.full.set(isFull() ? 1 : 0)
    if (isFull()) { mark(); return }
    // It is over when something was written after it: that of another process, when that one says so no more.
    const own = refused
    if (written > own && (own > -Infinity || !looked)) say(async () => {
      if (own === -Infinity && !await hasRoom(redis, prefix)) return
      await outage.good()
      looked = true
      if (refused === own) refused = -Infinity
    })
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
