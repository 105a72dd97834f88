/** The leaderboards' own schedule: every worker knows it, one at a time runs it. A run is as of a final height and changes nothing about blocks before it. */
import { Queue, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { messageOf } from '../schemas/errors.js'
import { computeLeaders } from '../stages/leaders/computeLeaders.js'
import type { Parts } from './runner.js'

const name = 'leaders'

/** Starts computing leaders every LEADERS_EVERY_SECONDS (0: never); returns what stops it. `connection` waits for Redis for ever. */
export const scheduleLeaders = (parts: Parts, connection: Redis): (() => Promise<void>) => {
  const { config, log } = parts
  const every = config.LEADERS_EVERY_SECONDS * 1_000
  if (every === 0) return () => Promise.resolve()
  const quiet = (error: Error): void => { log.debug({ reason: error.message }, 'leaders wait for Redis') }
  const queue = new Queue(name, { connection: parts.redis, prefix: config.QUEUE_PREFIX })
  queue.on('error', quiet)
  const worker = new Worker(name, async () => {
    for (const chain of parts.chains.keys()) {
      const started = performance.now()
      const run = await computeLeaders(parts.store, { chain, height: null })
      if (run?.computed === true) log.info({ chain, height: run.asOf, scored: run.scored, leaders: run.leaders, milliseconds: Math.round(performance.now() - started) }, 'leaders computed')
    }
  }, { connection, prefix: config.QUEUE_PREFIX, concurrency: 1, lockDuration: config.JOB_LOCK_MS })
  worker.on('error', quiet)
  // The next run does the same again from the store: a failed one is told and not repeated.
  worker.on('failed', (_job, error) => { log.warn({ reason: messageOf(error) }, 'leaders were not computed') })
  queue.upsertJobScheduler(name, { every, startDate: Date.now() + every }, { name, opts: { removeOnComplete: true, removeOnFail: { count: 20 } } }).catch(quiet)
  return async () => { await worker.close(); await queue.close() }
}
