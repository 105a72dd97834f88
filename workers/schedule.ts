/** What is done on a schedule and not per batch: every worker knows it, one at a time runs it. */
import { Queue, Worker, type Job } from 'bullmq'
import type { Redis } from 'ioredis'
import { messageOf } from '../schemas/errors.js'
import type { Store } from '../schemas/clickhouse.js'
import { counted } from './idle.js'
import { openLocks, storeOf } from './locks.js'
import { unlooking } from './queues.js'
import type { Parts } from './runner.js'
import { keepScheduled } from './scheduled.js'

/** `run` does a chain's part of it, from the store alone, and resolves to what it did; null: there was nothing to do. */
export interface Task { readonly name: string; readonly everySeconds: number; /** Until the first run; as long as between runs where left out. */ readonly firstSeconds?: number; /** true: not per chain; run once with chain ''. */ readonly whole?: boolean; run(store: Store, chain: string): Promise<object | null> }

/** Starts running each task every `everySeconds` (0: never), first so long after the start; returns what stops it. `connection` waits for Redis for ever; tasks that take minutes have a queue of their own. */
export const startSchedule = (tasks: readonly Task[], parts: Parts, connection: Redis, queueName = 'schedule'): (() => Promise<void>) => {
  const { config, log } = parts
  const quiet = (error: Error): void => { log.debug({ reason: error.message }, 'the schedule waits for Redis') }
  const queue = new Queue(queueName, { connection: parts.redis, prefix: config.QUEUE_PREFIX, ...unlooking })
  queue.on('error', quiet)
  const locks = openLocks(config.JOB_LOCK_MS)
  const worker = new Worker(queueName, counted(connection, async ({ name, id = '' }: Job) => {
    const task = tasks.find((one) => one.name === name)
    if (task === undefined || task.everySeconds === 0) return
    const held = locks.take(id), store = storeOf(parts.store, held)
    try {
      for (const chain of task.whole === true ? [''] : parts.chains.keys()) {
        const started = performance.now()
        const done = await task.run(store, chain)
        if (done !== null) log.info({ task: name, chain, ...done, milliseconds: Math.round(performance.now() - started) }, 'done on schedule')
      }
    } finally { held.drop() }
  }), { connection, prefix: config.QUEUE_PREFIX, concurrency: 1, lockDuration: config.JOB_LOCK_MS })
  worker.on('locksRenewed', ({ jobIds }) => { locks.renewed(jobIds) })
  worker.on('error', quiet)
  // The next run does the same again from the store: a failed one is told and not repeated.
  worker.on('failed', (job, error) => { log.warn({ task: job?.name, reason: messageOf(error) }, 'failed on schedule') })
  // One run at a time, in however many processes: the next one of a task that takes longer than its interval is due while it runs.
  const end = keepScheduled(queue, tasks.map(({ name, everySeconds, firstSeconds = everySeconds }) => ({ name, every: everySeconds * 1_000, first: firstSeconds * 1_000 })), quiet, { together: 1 })
  return async () => { end(); await worker.close(); await queue.close() }
}
