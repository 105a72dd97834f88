/** Whether movements inside transactions are known, of chains as a whole. */
import { z } from 'zod'
import type { LedgerView } from './ledgerView.js'

export const tracedField = z.boolean().nullable().describe('false: movements inside transactions are missing for some blocks, see coverage_status; null: no block of what was asked about is indexed')

/** Of all blocks that are indexed of those of `chains`; null where none is. */
export const isTraced = ({ bounds }: LedgerView, chains: readonly string[]): boolean | null => {
  const indexed = chains.flatMap((chain) => bounds.get(chain) ?? [])
  return indexed.length === 0 ? null : indexed.every(({ untraced }) => untraced === 0)
}
