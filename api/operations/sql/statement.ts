/** What the operations on SQL share: the statement, its cost, the line in the audit log. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { audit } from '../../audit.js'
import type { Ask } from '../../operation.js'
import type { Estimate as Estimated } from '../../sql/analysts.js'
import { AppError, messageOf } from '../../../schemas/errors.js'

export const queryField = z.string().trim().min(1).max(32_768).describe('One ClickHouse SELECT over the published views')
export const previewField = z.boolean().default(false).describe('Only tell what it would read')

export const Estimate = z.object({
  rows: z.number().describe('Rows it would read'), parts: z.number().int(), marks: z.number().int(),
  tables: z.array(z.object({ table: z.string(), rows: z.number() })),
}).describe('EXPLAIN ESTIMATE; what LIMIT saves is not in it')

export const estimateOf = (found: readonly Estimated[]): z.infer<typeof Estimate> => ({
  rows: found.reduce((sum, one) => sum + one.rows, 0), parts: found.reduce((sum, one) => sum + one.parts, 0), marks: found.reduce((sum, one) => sum + one.marks, 0),
  tables: found.map(({ table, rows }) => ({ table, rows })),
})

/** What a statement came to. Its text is not written down, for it may name what its author looks for: its hash tells whether two were the same. */
export interface Told { readonly queryId?: string; readonly format: string; readonly bytes?: number; readonly milliseconds: number }

/** Writes the line of `query`; a line that is lost is logged, the answer stands. */
export const told = async (ask: Ask, action: string, query: string, { queryId, format, bytes, milliseconds }: Told, outcome: string): Promise<void> => {
  const sha256 = createHash('sha256').update(query).digest('hex')
  await audit(ask, action, { id: sha256, query_id: queryId ?? null, format, bytes: bytes ?? null, milliseconds: Math.round(milliseconds) }, outcome)
    .catch((lost: unknown) => { ask.log.error({ reason: messageOf(lost) }, 'audit line lost') })
}
export const outcomeOf = (thrown: unknown): string => (thrown instanceof AppError ? thrown.code : 'INTERNAL')
