/** What becomes of a backfill. */

/** A backfill that was asked for, and how far it is; blocks are of its range. */
export interface Backfill {
  readonly target: string; readonly chain: string; readonly from: number; readonly to: number; readonly requestedBy: string; /** ISO, milliseconds. */ readonly requestedAt: string
  /** Blocks that have passed all five stages, whoever asked for them; those in dead letters, and those that wait above such a letter until it is redriven. */
  readonly indexed: number; readonly givenUp: number; readonly held: number
  readonly withdrawnBy: string; readonly withdrawnAt: string | null
}

/** under_way also while the pipeline stands still; gave_up: what is not indexed lies in dead letters, or waits for such. */
export const backfillStates = ['under_way', 'done', 'gave_up', 'withdrawn'] as const

export const stateOf = ({ from, to, indexed, givenUp, held, withdrawnAt }: Backfill): (typeof backfillStates)[number] => {
  const blocks = to - from + 1
  return indexed >= blocks ? 'done' : withdrawnAt !== null ? 'withdrawn' : indexed + givenUp + held >= blocks ? 'gave_up' : 'under_way'
}
