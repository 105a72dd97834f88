/** A clock that is set back: Redis holds until when a job waits, by the clock of whoever put it there, and not for how long; it would wait for as much longer as that was set back. */
import type { Queue } from 'bullmq'
import type { Redis } from 'ioredis'

/** Milliseconds by which the clocks of two machines may differ. */
const apartMs = 10_000
/** BullMQ keeps the milliseconds of a delayed job in the upper bits of its score. */
const perMs = 0x1000
/** Jobs looked at in one go. */
const bulk = 1_000

/** Whether `at` (Unix milliseconds), written as `waitMs` ahead at most, lies further ahead: the clock was set back since. */
export const isBeyond = (at: number, waitMs: number): boolean => at - Date.now() > waitMs + apartMs

/** Lets every job of `queue` go that would wait from now on for longer than it was ever to wait. One question where none waits for long. */
export const letGoBeyond = async (queue: Pick<Queue, 'toKey' | 'getJob'>, redis: Redis): Promise<void> => {
  const scored = await redis.zrangebyscore(queue.toKey('delayed'), (Date.now() + apartMs) * perMs, '+inf', 'WITHSCORES')
  for (let at = 0; at < scored.length; at += 2 * bulk) {
    const page = scored.slice(at, at + 2 * bulk), ids = page.filter((_, nth) => nth % 2 === 0)
    const waits = await ids.reduce((asked, id) => asked.hget(queue.toKey(id), 'delay'), redis.pipeline()).exec() ?? []
    for (const [nth, id] of ids.entries()) {
      if (!isBeyond(Math.floor(Number(page[2 * nth + 1]) / perMs), Number(waits[nth]?.[1] ?? 0))) continue
      // One that has gone on meanwhile is no more to be let go.
      const job = await queue.getJob(id)
      if (job !== undefined && await job.isDelayed()) await job.promote().catch(async (thrown: unknown) => { if (await job.isDelayed()) throw thrown })
    }
  }
}
