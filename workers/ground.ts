/**
 * Down to where what a batch spends is looked for. A request reaches down to its first block, and further where blocks that others
 * asked for stand below it without a gap: a backfill that has ended is ground for all that is planned after it.
 */
import type { Ledger, Target } from '../stages/ledger/ledger.js'

/** Milliseconds between two looks: each reads the chain's plan, and a backfill takes long. */
const lookMs = 10_000

export const openGround = (ledger: Ledger, chain: string) => {
  let due = 0
  let grounds = new Map<number, number>()
  return {
    /** Looks again now and then, and `now` for requests that may be new: their first batches would else stand on themselves. What is found goes into the plan with the batch, so a repeat finds the same rows. */
    look: async (targets: readonly Target[], now = false): Promise<void> => {
      // By a clock that nobody sets.
      if (!now && performance.now() < due) return
      due = performance.now() + lookMs
      const lowest = Math.min(...targets.map((target) => target.from_block))
      const above = [...new Set(targets.map((target) => target.from_block))].filter((from) => from > lowest)
      grounds = new Map(await Promise.all(above.map(async (from): Promise<[number, number]> => [from, grounds.get(from) === lowest ? lowest : await ledger.ground(chain, from) ?? from])))
    },
    under: (from: number): number => grounds.get(from) ?? from,
  }
}
