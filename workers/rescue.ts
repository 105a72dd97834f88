/** Gives every unfinished stage of every live batch its job again: at start, every so often, when a stage goes on, and after the loss of Redis. */
import { batchKey, type BatchRef, type StageName } from '../schemas/primitives.js'
import { pipeline } from '../stages/pipeline.js'
import type { Stage } from '../stages/stage.js'
import { deadId } from './deadLetters.js'
import { jobOptions, pointerTo } from './queues.js'
import type { Parts } from './runner.js'
import { letGoBeyond } from './setBack.js'

/** Batches read in one go, and jobs sent to Redis in one. */
const most = 20_000, bulk = 1_000
/** Milliseconds after which the whole ledger is looked through again, and not only from the lowest batch on that was not through: somebody may have written into it by hand. By a clock that nobody sets. */
const wholeMs = 600_000

export const openRescue = ({ ledger, queues, redis, config }: Pick<Parts, 'ledger' | 'queues' | 'redis' | 'config'>, chain: string) => {
  /** Which jobs a queue has: their names alone, as there may be as many as batches. */
  const heldBy = async (name: StageName): Promise<{ readonly there: Set<string>; readonly failed: Set<string> }> => {
    const [there, failed] = await Promise.all([queues[name].getRanges(['wait', 'prioritized', 'delayed', 'active'], 0, -1), queues[name].getRanges(['failed'], 0, -1)])
    return { there: new Set(there), failed: new Set(failed) }
  }

  const give = async (stage: Stage, batches: readonly BatchRef[], { there, failed }: Awaited<ReturnType<typeof heldBy>>): Promise<void> => {
    const queue = queues[stage.name], missing = batches.filter((batch) => !there.has(batchKey(batch)))
    // A failed job without a dead letter (the store was down when it gave up) would block its id for ever.
    for (const id of missing.map(batchKey)) if (failed.has(id)) await queue.remove(id)
    for (let at = 0; at < missing.length; at += bulk) {
      await queue.addBulk(missing.slice(at, at + bulk).map((batch) => ({ name: stage.name, data: pointerTo(batch, true), opts: jobOptions(batch, stage.attempts, config.JOB_BACKOFF_MS) })))
    }
  }

  /**
   * What is known of the batches of the plan up to seq: those below `low` are through, but for those that gave up (first block by the id of the letter). A batch that is through stays so
   * until a rollback ends it, so below there are others only where they were planned since, or a letter is gone.
   */
  let known: { readonly seq: number; readonly low: number; readonly gaveUp: ReadonlyMap<string, number>; readonly until: number } | undefined

  /** `resting`: stages whose jobs are not given, nor asked about: a pause may last long, and what waits behind it is as much. To be called again when one of them goes on. */
  return async (resting: ReadonlySet<StageName>): Promise<void> => {
    // A job that waits until a time that does not come is there, and is not given again.
    await Promise.all(pipeline.filter(({ name }) => !resting.has(name)).map(({ name }) => letGoBeyond(queues[name], redis)))
    const before = known !== undefined && performance.now() < known.until ? known : { seq: 0, low: 0, gaveUp: new Map<string, number>(), until: performance.now() + wholeMs }
    const [dead, lacking, planned] = await Promise.all([ledger.deadJobs(chain), ledger.lacking(chain), ledger.lowestPlanned(chain, before.seq)])
    const lowest = [...before.gaveUp].reduce((least, [id, from]) => (dead.has(id) ? least : Math.min(least, from)), Math.min(before.low, planned.lowest ?? Infinity))
    const gaveUp = new Map([...before.gaveUp].filter(([id, from]) => from < lowest && dead.has(id)))
    let low = Infinity
    const held = new Map<StageName, ReturnType<typeof heldBy>>()
    let below: { readonly batch: BatchRef; readonly stages: ReadonlySet<string> } | undefined
    for (let from = lowest; from < Infinity;) {
      const page = await ledger.unfinished(chain, most, from, [...resting])
      const due = new Map<Stage, BatchRef[]>()
      for (const one of page) {
        const { batch, stages } = one, under = below
        below = one
        const stage = pipeline.find(({ name }) => !stages.has(name))
        if (stage === undefined) continue
        const letter = deadId(stage.name, batch)
        if (dead.has(letter)) { gaveUp.set(letter, batch.from); continue }
        low = Math.min(low, batch.from)
        // Thousands wait on one another behind an ordered stage that stands still: one whose batch below has not landed it is not asked about. Should that land now, it hands on.
        const waits = under !== undefined && under.batch.to === batch.from - 1 && !under.stages.has(stage.name) && batch.from > batch.floor
        if (stage.ordered && waits && !lacking.some((stretch) => stretch.from < batch.from && stretch.to >= batch.from - 1)) continue
        if (stage.ordered && !(await ledger.isNext(batch, stage.name))) continue
        const batches = due.get(stage)
        if (batches === undefined) due.set(stage, [batch])
        else batches.push(batch)
      }
      for (const [stage, batches] of due) {
        if (!held.has(stage.name)) held.set(stage.name, heldBy(stage.name))
        await give(stage, batches, await (held.get(stage.name) ?? heldBy(stage.name)))
      }
      if (page.length < most || below === undefined) break
      from = below.batch.from + 1
    }
    // What rests was not told.
    known = { seq: planned.seq, low: resting.size > 0 ? lowest : low, gaveUp, until: before.until }
  }
}
