/** Coins that the venue does not have: nothing will ever be heard of them, which is no gap. */
import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import type { CoverageStatus } from '../../coverage.js'
import { emptyBecause, type Empty } from '../../empty.js'
import type { Ask } from '../../operation.js'
import { unheard } from './shown.js'

const unlisted = loadSql(import.meta.url, 'unlisted.sql')
const words = 'Not listed by the venue: '

/** `status` with those of `coins` that the venue does not list. Asked of coins of which nothing was heard. */
export const withUnlisted = async (status: CoverageStatus, coins: readonly string[], ask: Ask): Promise<CoverageStatus> => {
  const rows = coins.length === 0 ? [] : await ask.store.query(unlisted, { coins }, z.object({ coin: z.string() }))
  return rows.length === 0 ? status : { ...status, warnings: [...status.warnings, `${words}${rows.map(({ coin }) => coin).join(', ')}`] }
}

/** Of an empty answer about `asked` coins: none of them is there, else as `unheard`. */
export const nowhere = (output: { readonly coverage_status: CoverageStatus }, asked: number): Empty | null => {
  const said = output.coverage_status.warnings.find((one) => one.startsWith(words))
  return said !== undefined && said.slice(words.length).split(', ').length === asked ? emptyBecause('unsupported_input') : unheard(output)
}
