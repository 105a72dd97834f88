/** Questions about what traders are judged to be: on a schedule, so there may be no judgement yet of what was heard. */
import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { age } from '../../assess.js'
import type { CoverageStatus } from '../../coverage.js'
import { emptyBecause, type Empty } from '../../empty.js'
import type { Ask } from '../../operation.js'
import { At } from './fields.js'
import { perps, readCovered, type PerpsRecord } from './readings.js'
import { forcedUnheard } from './shown.js'

const judgedAt = loadSql(import.meta.url, 'judgedAt.sql'), unsaidSql = loadSql(import.meta.url, 'unsaid.sql')
const notYet = 'No trader of the venue has been judged yet', behind = 'Traders of the venue were judged last as of '
/** Seconds that what was told of traders may wait to be judged: a run over much of it takes minutes, and there is one in so many seconds at most. */
const toleratedSeconds = ({ config }: Ask): number => Math.max(900, 3 * config.TRADERS_EVERY_SECONDS)

/** As `perps`; an empty answer is a gap while nobody was judged, or those that are followed alone, and old where what was told waits to be judged. */
export const judged = (record: PerpsRecord) => ({
  ...perps(record), empty: (output: { readonly coverage_status: CoverageStatus }): Empty | null => (output.coverage_status.warnings.includes(notYet) ? emptyBecause('data_gap')
    : output.coverage_status.warnings.some((one) => one.startsWith(behind)) ? emptyBecause('stale_pipeline') : forcedUnheard(output)),
} as const)

/** What coverage says of judgements; null: they are there, and as new as what was told. */
const readJudgements = async (ask: Ask): Promise<string | null> => {
  const [{ judged_at: judgedAs, waits_since: since } = { judged_at: null, waits_since: null }] = await ask.store.query(judgedAt, {}, z.object({ judged_at: At.nullable(), waits_since: z.number().nullable() }))
  if (judgedAs === null) return notYet
  const waited = since === null ? 0 : (Date.now() - since) / 1_000
  return waited > toleratedSeconds(ask) ? `${behind}${judgedAs}: what was told since waits for it, the first of it for ${age(waited)}` : null
}

/** `status` of what is made of judgements where there are some; it says where they are old. */
export const withJudgements = async (status: CoverageStatus, ask: Ask): Promise<CoverageStatus> => {
  const said = await readJudgements(ask)
  return said === null || said === notYet ? status : { ...status, warnings: [...status.warnings, said] }
}

/** As `readCovered`; coverage says where nobody was judged yet, or not for long. */
export const readJudged = async <Row>(record: PerpsRecord, params: Readonly<Record<string, unknown>>, row: z.ZodType<Row>, ask: Ask): ReturnType<typeof readCovered<Row>> => {
  const [{ rows, answer }, said] = await Promise.all([readCovered(record, params, row, ask), readJudgements(ask)])
  const { coverage_status: status } = answer
  return { rows, answer: said === null ? answer : { ...answer, coverage_status: { ...status, warnings: [...status.warnings, said] } } }
}

/** `status` of a list of accounts; it says of how many of them the venue has not said yet whether they are vaults, which are no traders. */
export const withUnsaid = async (status: CoverageStatus, listed: readonly { readonly address: string }[], ask: Ask): Promise<CoverageStatus> => {
  const [row] = listed.length === 0 ? [] : await ask.store.query(unsaidSql, { addresses: listed.map(({ address }) => address) }, z.object({ unsaid: z.number() }))
  const unsaid = row?.unsaid ?? 0
  return unsaid === 0 ? status : { ...status, warnings: [...status.warnings, `The venue has not said yet whether ${unsaid} of the accounts listed ${unsaid === 1 ? 'is a vault' : 'are vaults'}`] }
}
