/** The five queues and the options of their jobs. A job is a pointer to a batch; its id is the batch's key. */
import { Queue, type JobsOptions } from 'bullmq'
import { Redis } from 'ioredis'
import { batchKey, stageNames, type BatchRef, type StageName } from '../schemas/primitives.js'

/** Blocks at the tip go before a backfill: BullMQ takes the lowest priority number first, 0 before all. */
const backfillPriority = 10

/** `backoffMs`: wait before the first retry; it doubles with every further one, with jitter. */
export const jobOptions = (batch: BatchRef, attempts: number, backoffMs: number): JobsOptions => ({
  jobId: batchKey(batch), attempts, backoff: { type: 'exponential', delay: backoffMs, jitter: 0.5 },
  // The ledger remembers what is done; a job that is gone never blocks its id.
  removeOnComplete: true, removeOnFail: { age: 7 * 86_400, count: 5_000 },
  priority: batch.from === batch.to ? 0 : backfillPriority,
})

/** A connection for workers: waits for Redis for ever, as BullMQ asks for. */
export const workerConnection = (url: string): Redis => new Redis(url, { maxRetriesPerRequest: null, enableReadyCheck: false, lazyConnect: false })

/** A connection for those who ask: fails fast when Redis is down, and within seconds when it hangs. */
export const askerConnection = (url: string): Redis =>
  new Redis(url, { maxRetriesPerRequest: 1, enableOfflineQueue: false, connectTimeout: 2_000, commandTimeout: 4_000, socketTimeout: 4_000 })

/** Resolves when the connection is ready, or after `milliseconds` without that. */
export const readyWithin = (connection: Redis, milliseconds: number): Promise<void> => new Promise((resolve) => {
  if (connection.status === 'ready') { resolve(); return }
  const timer = setTimeout(resolve, milliseconds)
  connection.once('ready', () => { clearTimeout(timer); resolve() })
})

export type Queues = Readonly<Record<StageName, Queue<BatchRef>>>

/** Opens the queues under `prefix`; errors of the connection are the caller's to log. */
export const openQueues = (connection: Redis, prefix: string, onError: (error: Error) => void): Queues => {
  const entries = stageNames.map((name) => {
    const queue = new Queue<BatchRef>(name, { connection, prefix })
    queue.on('error', onError)
    return [name, queue] as const
  })
  return Object.fromEntries(entries) as Record<StageName, Queue<BatchRef>>
}
