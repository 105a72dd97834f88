/** Why an answer is empty, and whether that silence means anything. */
import { z } from 'zod'

export const emptyReasons = ['no_signal', 'no_sanctions_match', 'no_abuse_match', 'no_mixer_match', 'unsupported_input', 'stale_pipeline', 'data_gap', 'unclassified'] as const
export type EmptyReason = (typeof emptyReasons)[number]

export const Empty = z.object({
  is_successful_empty: z.boolean().nullable().describe('true: completed, the answer is nothing; false: not evidence; null: not established'),
  empty_reason: z.enum(emptyReasons),
  not_applicable: z.string().optional().describe('Why the question has no meaning on this chain'),
})
export type Empty = z.infer<typeof Empty>

/** `_meta` of an analytical answer. */
export const Meta = z.object({
  sources: z.array(z.string()).describe('Pipelines and registers that were asked, not only those that matched'),
  tool_version: z.string(),
  empty: Empty.optional().describe('Present when the answer is empty'),
})
export type Meta = z.infer<typeof Meta>

const notEvidence = new Set<EmptyReason>(['unsupported_input', 'stale_pipeline', 'data_gap'])

/** The class of a reason. */
export const emptyBecause = (reason: EmptyReason): Empty => ({
  is_successful_empty: reason === 'unclassified' ? null : !notEvidence.has(reason), empty_reason: reason,
})
