/** Ending beside a Redis that is away: whoever closes a worker of BullMQ waits until Redis answers what the worker asked last. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { isAway } from './queues.js'

/** Milliseconds from one look to the next. */
const lookMs = 250
const atWork = new WeakMap<Redis, number>()
const add = (connection: Redis, one: number): void => { atWork.set(connection, (atWork.get(connection) ?? 0) + one) }

/** `work` of a worker on `connection`, counted while it is under way. */
export const counted = <Args extends readonly unknown[]>(connection: Redis, work: (...args: Args) => Promise<void>) => async (...args: Args): Promise<void> => {
  add(connection, 1)
  try { await work(...args) } finally { add(connection, -1) }
}

/** Cuts the `connection` of workers that are being closed when `asking` hears nothing of Redis and none of them works; until `closed`. A job that Redis gave out meanwhile is found stalled, and another worker runs it. */
export const letGo = async (connection: Redis, asking: Redis, closed: AbortSignal): Promise<void> => {
  while (!closed.aborted) {
    const away = await asking.ping().then(() => false, isAway)
    if (away && (atWork.get(connection) ?? 0) === 0) { connection.disconnect(); return }
    await sleep(lookMs, undefined, { signal: closed }).catch(() => undefined)
  }
}
