/** Ledgers with rollbacks at any heights, the same in every run. */
import { stageNames } from '../../schemas/primitives.js'

export interface Row { readonly chain: string; readonly seq: number; readonly kind: 'plan' | 'rollback'; readonly from: number; readonly to: number; readonly generation: number }
export interface Landing extends Row { readonly stage: string; readonly finished: number }

/** Numbers below `below`, the same in every run. */
export const dice = (seed: number) => (below: number): number => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((seed / 2 ** 32) * below)
}

/** A plan as planners write it, rollbacks at any heights: inside one another, over one another, and again at the same; and what landed of it, before a rollback or after. */
export const ledgerOf = (chain: string, seed: number, rollbacks: number): { plan: Row[]; landings: Landing[] } => {
  const roll = dice(seed), plan: Row[] = [], landings: Landing[] = []
  let live: Row[] = [], generation = 0
  for (let seq = 1; seq <= 60; seq += 1) {
    if (plan.length > 3 && roll(100) < rollbacks) {
      generation += 1
      const from = roll(3) === 0 ? roll(60) : Math.max(0, ...live.map(({ to }) => to)) - roll(6)
      plan.push({ chain, seq, kind: 'rollback', from: Math.max(0, from), to: 0, generation })
      live = live.filter(({ to }) => to < from)
      continue
    }
    for (let pieces = 1 + roll(2); pieces > 0; pieces -= 1) {
      const from = roll(4) === 0 ? roll(60) : Math.max(-1, ...live.map(({ to }) => to)) + 1, to = from + roll(4)
      if (from > 70 || live.some((one) => one.from <= to && one.to >= from)) continue
      const row: Row = { chain, seq, kind: 'plan', from, to, generation }
      plan.push(row)
      live.push(row)
      const landed = stageNames.slice(0, roll(3) === 0 ? roll(stageNames.length) : stageNames.length)
      landings.push(...landed.map((stage) => ({ ...row, stage, finished: Date.now() - roll(3 * 3_600_000) })))
      const [again] = landed
      if (again !== undefined && roll(10) === 0) landings.push({ ...row, stage: again, finished: Date.now() })
    }
  }
  return { plan, landings }
}
