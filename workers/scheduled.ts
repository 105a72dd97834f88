/** What Redis is to hold of a queue's schedule, and goes on to hold: Redis may lose all it has at any time (a FLUSHALL, a new machine), and a schedule is told to it, not to the store. */
import type { Queue } from 'bullmq'
import { isBeyond } from './setBack.js'

/** `every` and `first` in milliseconds; every 0: never; what an earlier configuration scheduled beside or instead is taken away. `first`: until the first run (left out: at once). */
export interface Scheduled { readonly name: string; readonly every: number; readonly first?: number }

const opts = { removeOnComplete: true, removeOnFail: { count: 20 } }

/** Schedules the jobs, and looks every `lookMilliseconds` whether Redis still knows of each; what it lost is scheduled again, and what is due later than it can be (the clock was set back) runs at once. `together`: how many of the queue's jobs run at a time in all processes (left out: no bound). Returns what ends the looking. */
export const keepScheduled = (queue: Queue, jobs: readonly Scheduled[], quiet: (error: Error) => void, { together, lookMilliseconds = 30_000 }: { readonly together?: number; readonly lookMilliseconds?: number } = {}): (() => void) => {
  const bound = async (): Promise<void> => { if (together !== undefined) await queue.setGlobalConcurrency(together) }
  const schedule = async ({ name, every, first }: Scheduled): Promise<void> => {
    await queue.upsertJobScheduler(name, { every, ...(first === undefined ? {} : { startDate: Date.now() + first }) }, { name, opts })
  }
  // The start's word is the newest configuration's; later looks only mend, for an upsert would put a run off that is due.
  const begin = async (): Promise<void> => {
    await bound()
    const wanted = jobs.filter(({ every }) => every > 0)
    // Also what an earlier version of the service had in this queue.
    for (const { key } of await queue.getJobSchedulers()) if (!wanted.some(({ name }) => name === key)) await queue.removeJobScheduler(key)
    for (const job of wanted) await schedule(job)
  }
  const look = async (): Promise<void> => {
    await bound()
    for (const job of jobs) {
      if (job.every === 0) continue
      const known = await queue.getJobScheduler(job.name)
      if (known === undefined) await schedule(job)
      else if (isBeyond(known.next ?? 0, Math.max(Number(known.every ?? 0), job.every, job.first ?? 0))) {
        // Scheduled over it, the next run would be put where it is now.
        await queue.removeJobScheduler(job.name)
        await schedule({ name: job.name, every: job.every })
      }
    }
  }
  let begun = false
  // A start without Redis has begun nothing: the first look that reaches it does.
  const turn = async (): Promise<void> => {
    if (begun) return look()
    await begin()
    begun = true
    // A start puts nothing off, nor does it bring forward what an earlier clock put far ahead.
    await look()
  }
  let under = turn().catch(quiet)
  const timer = setInterval(() => { under = under.then(turn).catch(quiet) }, lookMilliseconds)
  timer.unref()
  return () => { clearInterval(timer) }
}
