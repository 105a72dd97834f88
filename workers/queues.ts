/** The five queues and the options of their jobs. A job is a pointer to a batch; its id is the batch's key. */
import { Queue, type JobsOptions } from 'bullmq'
import { Redis } from 'ioredis'
import { z } from 'zod'
import { messageOf } from '../schemas/errors.js'
import { keptOut, refusedAtStart } from '../schemas/redis.js'
import { BatchRef, batchKey, isTip, stageNames, type StageName } from '../schemas/primitives.js'

/** What a job is. `again`: whoever gave it cannot know that nobody has begun it before; its own attempts tell only of itself. */
export const Pointer = BatchRef.extend({ again: z.literal(true).optional() })
export type Pointer = z.infer<typeof Pointer>
export const pointerTo = (batch: BatchRef, again: boolean): Pointer => (again ? { ...batch, again } : batch)

/** Blocks at the tip go before a backfill: BullMQ takes the lowest priority number first, 0 before all. */
const backfillPriority = 10

/** `backoffMs`: wait before the first retry; it doubles with every further one, with jitter. */
export const jobOptions = (batch: BatchRef, attempts: number, backoffMs: number): JobsOptions => ({
  jobId: batchKey(batch), attempts, backoff: { type: 'exponential', delay: backoffMs, jitter: 0.5 },
  // The ledger remembers what is done; a job that is gone never blocks its id.
  removeOnComplete: true, removeOnFail: { age: 7 * 86_400, count: 5_000 },
  priority: isTip(batch) ? 0 : backfillPriority,
})

/** A connection for workers: waits for Redis for ever, as BullMQ asks for. */
export const workerConnection = (url: string): Redis => new Redis(url, { maxRetriesPerRequest: null, enableReadyCheck: false, lazyConnect: false })

/** A connection for those who ask: fails fast when Redis is down, and within seconds when it hangs. It ends where Redis keeps it out of its database, before anything is sent. */
export const askerConnection = (url: string): Redis => {
  const redis = new Redis(url, { maxRetriesPerRequest: 1, enableOfflineQueue: false, connectTimeout: 2_000, commandTimeout: 4_000, socketTimeout: 4_000 })
  redis.on('error', (fault) => { if (keptOut(fault) !== undefined) redis.disconnect() })
  return redis
}

/**
 * Resolves once a connection that was just opened is in its database; rejects, and ends it, where Redis keeps it out or refuses its user or password. An outage is waited out, but
 * in the first database, which all have, for `milliseconds` only.
 */
export const letIn = (connection: Redis, milliseconds: number): Promise<void> => new Promise((resolve, reject) => {
  let asked = true
  connection.on('error', (fault) => {
    const refused = asked ? refusedAtStart(fault) : undefined
    if (refused !== undefined) { connection.disconnect(); reject(refused) }
  })
  const over = (): void => { asked = false; resolve() }
  if (Number(connection.options.db ?? 0) === 0) void readyWithin(connection, milliseconds).then(over)
  else connection.once('ready', over)
})

/** Milliseconds for which those who ask wait for a connection that was just opened, once. */
export const firstMs = 2_000

/** Resolves when the connection is ready, or after `milliseconds` without that. */
export const readyWithin = (connection: Redis, milliseconds: number): Promise<void> => new Promise((resolve) => {
  if (connection.status === 'ready') { resolve(); return }
  const timer = setTimeout(resolve, milliseconds)
  connection.once('ready', () => { clearTimeout(timer); resolve() })
})

/** Whether what was thrown says that Redis does not answer: not reached, cut off, silent, or still reading its file. */
export const isAway = (thrown: unknown): boolean =>
  /^(Connection is closed|Command (timed out|aborted)|Stream isn't writeable|Socket timeout|Reached the max retries|LOADING )|\b(ECONN\w+|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)\b/.test(messageOf(thrown))

/** A queue of BullMQ never works again when the look at Redis' version right after its first connection fails. Workers look at the version. */
export const unlooking = { skipVersionCheck: true }
/** And it waits for that connection for ever. */
const unwaiting = { skipWaitingForReady: true, ...unlooking }

export type Queues = Readonly<Record<StageName, Queue<Pointer>>>

/** Opens the queues under `prefix` on a connection of an asker; errors of the connection are the caller's to log. Nothing asked of them waits for Redis: while it is away they reject. */
export const openQueues = (connection: Redis, prefix: string, onError: (error: Error) => void): Queues => {
  const entries = stageNames.map((name) => {
    const queue = new Queue<Pointer>(name, { connection, prefix, ...unwaiting })
    queue.on('error', onError)
    return [name, queue] as const
  })
  return Object.fromEntries(entries) as Record<StageName, Queue<Pointer>>
}
