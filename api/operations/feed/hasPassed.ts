import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import type { Ask } from '../../operation.js'

const sql = loadSql(import.meta.url, 'hasPassed.sql')

/** Whether what a stage makes of a block is in the store: of swaps enrich, of events index. */
export const hasPassed = async (chain: string, block: number, stage: 'enrich' | 'index', ask: Ask): Promise<boolean> =>
  (await ask.store.query(sql, { chain, block, stage }, z.object({ passed: z.coerce.boolean() })))[0]?.passed ?? false
