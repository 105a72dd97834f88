import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import type { Ask } from '../../operation.js'

const sql = loadSql(import.meta.url, 'hasPassed.sql')

/** Whether what enrich and index make of a block is in the store: of values and swaps the one, of events the other. */
export const hasPassed = async (chain: string, block: number, ask: Ask): Promise<{ readonly enrich: boolean; readonly index: boolean }> =>
  (await ask.store.query(sql, { chain, block }, z.object({ enrich: z.coerce.boolean(), index: z.coerce.boolean() })))[0] ?? { enrich: false, index: false }
