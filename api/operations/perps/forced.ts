/** Whether silence about liquidations means that there were none: a node's files alone tell of all accounts, the socket of those that are followed. */
import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import type { Ask } from '../../operation.js'

const filesTold = loadSql(import.meta.url, 'filesTold.sql')

/** That what is told of liquidations may not be all of them. */
const partly = 'Liquidations are those that were heard: no node\'s files told of all the time asked about'

/** Makes of sums of what was closed by force since `from` (Unix milliseconds) null, unknown, where they are 0 and no files told of all the time since; where they are not, a warning says that there may be more. */
export const forcedKnown = async (sums: readonly number[], from: number, ask: Pick<Ask, 'store'>): Promise<{ readonly known: (sum: number) => number | null; readonly warnings: readonly string[] }> => {
  const told = sums.length === 0 || (await ask.store.query(filesTold, { from }, z.object({ told: z.boolean() })))[0]?.told === true
  return { known: (sum) => (sum === 0 && !told ? null : sum), warnings: told || sums.every((sum) => sum === 0) ? [] : [partly] }
}
