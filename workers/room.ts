/** A ClickHouse that cannot write, its disk being full, over its quota or read-only, or its files at their limit: who is refused a write, or what a read needs for itself, says so in Redis, where it is heard though nothing can be written down, in the log, and in an incident where that can be written. */
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { Store } from '../schemas/clickhouse.js'
import { messageOf } from '../schemas/errors.js'
import { isStoreAilment } from '../schemas/machine.js'
import * as metrics from './metrics.js'
import { watchOutage } from './outage.js'

/** Seconds for which others hear of a refusal: who was refused says it again as long as it counts. */
const latelySeconds = 60
/** Milliseconds for which a refusal counts where nothing is written after it: a pipeline that is paused to make room writes little. */
const longestMs = 600_000
const lookMs = 5_000
const summaries = {
  STORE_FULL: 'The disk of ClickHouse is full: what is to be written waits for room', STORE_QUOTA: 'ClickHouse has used up its quota of the disk: what is to be written waits for room',
  STORE_READ_ONLY: 'The file system of ClickHouse is read-only: what is to be written waits until it can be written to', STORE_FILES: 'ClickHouse has as many files open as it may: what is to be written waits until it may open more',
} as const
const fullKey = (prefix: string): string => `${prefix}:full`

/** Whether no worker is refused writes, as far as was heard within a minute. */
export const hasRoom = async (redis: Redis, prefix: string): Promise<boolean> => await redis.exists(fullKey(prefix)) === 0

/** Watches what is written by way of `through`, a store that is otherwise the one it is given; `own` writes the incident. */
export const watchRoom = (own: Store, redis: Redis, prefix: string, log?: Pick<Logger, 'warn' | 'info'>): { through(store: Store): Store; stop(): void } => {
  const outages = new Map(Object.entries(summaries).map(([code, summary]) => { const kind = code.toLowerCase(); return [code, watchOutage(own, { id: kind, chain: '', kind, severity: 'critical', summary }, 0)] as const }))
  /** What the log was told of and is not over. */
  const said = new Set<string>()
  let refused = -Infinity, marked = -Infinity, written = -Infinity
  /** Whether what a process before this one may have left open was looked at. */
  let looked = false
  let turn: Promise<unknown> = Promise.resolve()
  const say = (what: () => Promise<unknown>): void => { turn = turn.then(what).catch(() => undefined) }
  /** Small writes may find room where large ones do not: for a minute a refusal counts whatever is written after it. */
  const isFull = (): boolean => performance.now() - refused < (written > refused ? latelySeconds * 1_000 : longestMs)
  const mark = (): void => { redis.set(fullKey(prefix), '1', 'EX', latelySeconds).catch(() => undefined) }
  const ails = (thrown: unknown): never => {
    if (isStoreAilment(thrown)) {
      refused = performance.now()
      metrics.full.set(1)
      if (refused - marked >= 1_000) {
        marked = refused
        mark()
        say(async () => outages.get(thrown.code)?.bad(messageOf(thrown)))
      }
      if (!said.has(thrown.code)) { said.add(thrown.code); log?.warn({ reason: messageOf(thrown.cause ?? thrown) }, `${thrown.message}: what is to be written waits`) }
    }
    throw thrown
  }
  const told = <Value>(write: Promise<Value>): Promise<Value> => write.then((value) => { written = performance.now(); return value }, ails)
  const look = (): void => {
    metrics.full.set(isFull() ? 1 : 0)
    if (isFull()) { mark(); return }
    // It is over when something was written after it: that of another process, when that one says so no more.
    const own = refused
    if (written > own && (own > -Infinity || !looked)) say(async () => {
      if (own === -Infinity && !await hasRoom(redis, prefix)) return
      for (const outage of outages.values()) await outage.good()
      looked = true
      // Refused again meanwhile: it is not over.
      if (refused !== own) return
      refused = -Infinity
      if (said.size > 0) { said.clear(); log?.info('ClickHouse can write again') }
    })
  }
  metrics.full.set(0)
  const timer = setInterval(look, lookMs)
  timer.unref()
  return {
    through: (store) => ({
      ...store,
      // Who can read says nothing of who can write; who cannot, for the same reason, waits as long.
      query: (...asked) => store.query(...asked).catch(ails),
      execute: (...asked) => told(store.execute(...asked)), insert: (...asked) => told(store.insert(...asked)), insertSurely: (...asked) => told(store.insertSurely(...asked)),
      insertStream: (...asked) => told(store.insertStream(...asked)), feed: (...asked) => told(store.feed(...asked)),
    }),
    stop: () => { clearInterval(timer) },
  }
}
