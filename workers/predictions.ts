/** The training's own schedule: every worker knows it, one at a time runs it. An hour that was trained is not trained again. */
import { Queue, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { messageOf } from '../schemas/errors.js'
import { train } from '../stages/index/predictions/train.js'
import type { Parts } from './runner.js'

const name = 'predictions'

/** Starts looking every TRAIN_EVERY_SECONDS (0: never) whether there is a new hour to train; resolves to what stops it. `connection` waits for Redis for ever. */
export const schedulePredictions = (parts: Parts, connection: Redis): (() => Promise<void>) => {
  const { config, log } = parts
  const every = config.TRAIN_EVERY_SECONDS * 1_000
  if (every === 0) return () => Promise.resolve()
  const quiet = (error: Error): void => { log.debug({ reason: error.message }, 'the training waits for Redis') }
  const queue = new Queue(name, { connection: parts.redis, prefix: config.QUEUE_PREFIX })
  queue.on('error', quiet)
  const worker = new Worker(name, async () => {
    for (const chain of parts.chains.keys()) {
      const started = performance.now()
      const { ran, ...done } = await train(parts.store, chain)
      if (ran) log.info({ chain, ...done, milliseconds: Math.round(performance.now() - started) }, 'predictions trained')
    }
  }, { connection, prefix: config.QUEUE_PREFIX, concurrency: 1, lockDuration: config.JOB_LOCK_MS })
  worker.on('error', quiet)
  // The next look does the same again from the store: a failed one is told and not repeated.
  worker.on('failed', (_job, error) => { log.warn({ reason: messageOf(error) }, 'predictions were not trained') })
  queue.upsertJobScheduler(name, { every, startDate: Date.now() + every }, { name, opts: { removeOnComplete: true, removeOnFail: { count: 20 } } }).catch(quiet)
  return async () => { await worker.close(); await queue.close() }
}
