/** Questions about what traders are judged to be: on a schedule, so there may be no judgement yet of what was heard. */
import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import type { CoverageStatus } from '../../coverage.js'
import { emptyBecause, type Empty } from '../../empty.js'
import type { Ask } from '../../operation.js'
import { At } from './fields.js'
import { perps, readCovered, type PerpsRecord } from './readings.js'
import { forcedUnheard } from './shown.js'

const judgedAt = loadSql(import.meta.url, 'judgedAt.sql'), unsaidSql = loadSql(import.meta.url, 'unsaid.sql')
const notYet = 'No trader of the venue has been judged yet'

/** As `perps`; an empty answer is a gap while nobody was judged, or those that are followed alone. */
export const judged = (record: PerpsRecord) => ({
  ...perps(record), empty: (output: { readonly coverage_status: CoverageStatus }): Empty | null => (output.coverage_status.warnings.includes(notYet) ? emptyBecause('data_gap') : forcedUnheard(output)),
} as const)

/** As `readCovered`; coverage says where nobody was judged yet. */
export const readJudged = async <Row>(record: PerpsRecord, params: Readonly<Record<string, unknown>>, row: z.ZodType<Row>, ask: Ask): ReturnType<typeof readCovered<Row>> => {
  const [{ rows, answer }, [run]] = await Promise.all([readCovered(record, params, row, ask), ask.store.query(judgedAt, {}, z.object({ judged_at: At.nullable() }))])
  const { coverage_status: status } = answer
  return { rows, answer: run?.judged_at == null ? { ...answer, coverage_status: { ...status, warnings: [...status.warnings, notYet] } } : answer }
}

/** `status` of a list of accounts; it says of how many of them the venue has not said yet whether they are vaults, which are no traders. */
export const withUnsaid = async (status: CoverageStatus, listed: readonly { readonly address: string }[], ask: Ask): Promise<CoverageStatus> => {
  const [row] = listed.length === 0 ? [] : await ask.store.query(unsaidSql, { addresses: listed.map(({ address }) => address) }, z.object({ unsaid: z.number() }))
  const unsaid = row?.unsaid ?? 0
  return unsaid === 0 ? status : { ...status, warnings: [...status.warnings, `The venue has not said yet whether ${unsaid} of the accounts listed ${unsaid === 1 ? 'is a vault' : 'are vaults'}`] }
}
