/** Backfills as they are answered. */
import { z } from 'zod'
import { Instant } from '../../../schemas/primitives.js'
import { type Backfill, backfillStates, stateOf } from '../../../workers/backfillState.js'

export const BackfillState = z.object({
  target: z.string(), chain: z.string(), from_block: z.number().int(), to_block: z.number().int(), blocks: z.number().int(),
  state: z.enum(backfillStates).describe('under_way also while the pipeline stands still; gave_up: the rest lies in dead letters, or above them'),
  indexed: z.number().int().describe('Blocks that have passed all five stages, whoever asked for them'), given_up: z.number().int().describe('Blocks in dead letters'), held: z.number().int().describe('Blocks that wait for dead letters below them'), percent: z.number().describe('Indexed, of all; rounded down'),
  requested_by: z.string(), requested_at: Instant, withdrawn_by: z.string().nullable(), withdrawn_at: Instant.nullable(),
})

export const backfillState = (one: Backfill): z.infer<typeof BackfillState> => {
  const blocks = one.to - one.from + 1
  return {
    target: one.target, chain: one.chain, from_block: one.from, to_block: one.to, blocks, state: stateOf(one), indexed: one.indexed, given_up: one.givenUp, held: one.held, percent: Math.floor(100 * one.indexed / blocks),
    requested_by: one.requestedBy, requested_at: one.requestedAt, withdrawn_by: one.withdrawnAt === null ? null : one.withdrawnBy, withdrawn_at: one.withdrawnAt,
  }
}
