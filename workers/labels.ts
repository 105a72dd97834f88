/** The labels' own schedule: every worker knows it, one at a time runs it. Rules look back at all of the index, so they are no part of a batch. */
import { Queue, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { messageOf } from '../schemas/errors.js'
import { deriveLabels } from '../stages/index/classes/deriveLabels.js'
import type { Parts } from './runner.js'

export { importTagPack, type Imported } from '../stages/enrich/registers/importTagPack.js'
export { confidenceLevels } from '../stages/enrich/registers/classes.js'
export { rules } from '../stages/index/classes/rules.js'

const name = 'labels'

/** Starts looking every LABELS_EVERY_SECONDS (0: never) whether labels have to be derived anew; resolves to what stops it. `connection` waits for Redis for ever. */
export const scheduleLabels = (parts: Parts, connection: Redis): (() => Promise<void>) => {
  const { config, log } = parts
  const every = config.LABELS_EVERY_SECONDS * 1_000
  if (every === 0) return () => Promise.resolve()
  const quiet = (error: Error): void => { log.debug({ reason: error.message }, 'labels wait for Redis') }
  const queue = new Queue(name, { connection: parts.redis, prefix: config.QUEUE_PREFIX })
  queue.on('error', quiet)
  const worker = new Worker(name, async () => {
    for (const chain of parts.chains.keys()) {
      const started = performance.now()
      const run = await deriveLabels(parts.store, chain)
      if (run.ran) log.info({ chain, version: run.version, height: run.height, changes: run.changes, milliseconds: Math.round(performance.now() - started) }, 'labels derived')
    }
  }, { connection, prefix: config.QUEUE_PREFIX, concurrency: 1, lockDuration: config.JOB_LOCK_MS })
  worker.on('error', quiet)
  // The next look does the same again from the store: a failed one is told and not repeated.
  worker.on('failed', (_job, error) => { log.warn({ reason: messageOf(error) }, 'labels were not derived') })
  // The first look comes a while after the start, when what waits for the pipeline has been worked off.
  queue.upsertJobScheduler(name, { every, startDate: Date.now() + every }, { name, opts: { removeOnComplete: true, removeOnFail: { count: 20 } } }).catch(quiet)
  return async () => { await worker.close(); await queue.close() }
}
