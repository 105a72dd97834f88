/** Continuous monitoring: two queues, one that looks what happened and one that sends. All they know is in the store, so either may be lost. */
import { Queue, Worker, type Job } from 'bullmq'
import type { Redis } from 'ioredis'
import { messageOf } from '../../schemas/errors.js'
import { openOutbound } from '../../schemas/outbound.js'
import { openFeed } from '../../stages/monitor/raiseAlerts.js'
import { counted } from '../idle.js'
import { openLocks, storeOf } from '../locks.js'
import { unlooking } from '../queues.js'
import type { Parts } from '../runner.js'
import { keepScheduled } from '../scheduled.js'
import { letGoBeyond } from '../setBack.js'
import { deliver, type Pointer } from './deliver.js'
import { dispatch, type Ready } from './dispatch.js'

/** Messages under way at once in one process; a webhook has one. */
const together = 16

/** Looks every MONITOR_EVERY_SECONDS (0: never) whether something happened to watched addresses, and sends it; returns what stops it. `connection` waits for Redis for ever; `looking`: the store that is looked at for what happened. */
export const startMonitoring = (parts: Pick<Parts, 'config' | 'log' | 'store' | 'redis' | 'chains'>, connection: Redis, looking = parts.store): (() => Promise<void>) => {
  const { config, log, store } = parts
  const quiet = (error: Error): void => { log.debug({ reason: error.message }, 'monitoring waits for Redis') }
  const [looks, messages] = ['monitoring', 'webhooks'].map((name) => new Queue(name, { connection: parts.redis, prefix: config.QUEUE_PREFIX, ...unlooking })) as [Queue, Queue<Pointer>]
  for (const queue of [looks, messages]) queue.on('error', quiet)
  const every = config.MONITOR_EVERY_SECONDS * 1_000
  // One look at a time, in however many processes.
  const end = keepScheduled(looks, [{ name: 'look', every }], quiet, { together: 1 })
  if (every === 0) return async () => { end(); await looks.close(); await messages.close() }

  const outbound = openOutbound({ loopback: config.WEBHOOKS_TO_LOOPBACK })
  // The id of an attempt: what is queued already is not queued again. The store knows what failed, so no job is kept.
  const queue = async (ready: readonly Ready[], delay = 0): Promise<void> => {
    for (const { attempt, ...pointer } of ready) await messages.add('send', pointer, { jobId: `${pointer.message}-${attempt}`, delay, removeOnComplete: true, removeOnFail: true })
  }
  const feed = openFeed(looking), locks = openLocks(config.JOB_LOCK_MS)
  const looker = new Worker('monitoring', counted(connection, async ({ id = '' }: Job) => {
    const held = locks.take(id), by = storeOf(looking, held)
    try {
      const listings = await feed.listings(by)
      if (listings > 0) log.info({ listings }, 'told of sanctions lists')
      for (const chain of parts.chains.keys()) {
        const told = await feed.movements(chain, by)
        if (told !== null) log.info({ chain, ...told }, 'told of watched addresses')
      }
      await queue(await dispatch(storeOf(store, held)))
      await letGoBeyond(messages, parts.redis)
    } finally { held.drop() }
  }), { connection, prefix: config.QUEUE_PREFIX, concurrency: 1, lockDuration: config.JOB_LOCK_MS })
  looker.on('locksRenewed', ({ jobIds }) => { locks.renewed(jobIds) })
  const sender = new Worker<Pointer>('webhooks', counted(connection, async ({ data }: Job<Pointer>) => {
    const done = await deliver(data, store, outbound)
    if (done?.next != null) await queue([{ ...data, attempt: done.attempt + 1 }], Math.max(0, done.next - Date.now()))
    else if (done?.outcome === 'delivered') await queue(await dispatch(store, data.webhook))
  }), { connection, prefix: config.QUEUE_PREFIX, concurrency: together, lockDuration: config.JOB_LOCK_MS })
  for (const worker of [looker, sender]) {
    worker.on('error', quiet)
    worker.on('failed', (_, error) => { log.warn({ queue: worker.name, reason: messageOf(error) }, 'monitoring failed; the next look does it again') })
  }
  return async () => {
    end()
    await Promise.all([looker.close(), sender.close()])
    await Promise.all([looks.close(), messages.close(), outbound.close()])
  }
}
