/** Questions about what looks at the perps market gave: on a schedule, so what was heard may not have been looked at. */
import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import type { CoverageStatus } from '../../coverage.js'
import { emptyBecause, type Empty } from '../../empty.js'
import type { Ask } from '../../operation.js'
import { unalerted, withUnalerted } from '../../unalerted.js'
import { At } from './fields.js'
import { withJudgements } from './judged.js'
import { perps, readCovered, type PerpsRecord } from './readings.js'

const lookedUntil = loadSql(import.meta.url, 'lookedUntil.sql')
const never = 'Nobody has looked at the market of the venue for signals yet', behind = 'The market of the venue was looked at for signals last as of '
/** Looks are at full five minutes and take turns with other work: what was heard is longer than this without one only where they do not keep up. */
const behindMs = 900_000

/** Of an empty answer: a gap while nobody ever looked, old where looks trail what was heard; null: it is what it seems. */
export const unlooked = ({ coverage_status: { warnings } }: { readonly coverage_status: CoverageStatus }): Empty | null =>
  (warnings.includes(never) ? emptyBecause('data_gap') : warnings.some((one) => one.startsWith(behind)) ? emptyBecause('stale_pipeline') : null)

/** The same of an answer with alerts, which a stage of its own makes: what was heard may not have been looked at for them. */
export const unlookedOrUnalerted = async (output: { readonly coverage_status: CoverageStatus }, ask: Ask): Promise<Empty | null> => {
  const known = unlooked(output)
  if (known !== null) return known
  const reason = await unalerted('HL', ask, { venues: true })
  return reason === null ? null : emptyBecause(await ask.services.coverage.silence('HL', 'perps') ?? reason)
}

/** As `readLooked`, of an answer with alerts: coverage says of what none were made, and where those of who leads go by old judgements. */
export const readLookedAndAlerted: typeof readLooked = async (record, params, row, ask) => {
  const [{ rows, answer }, view] = await Promise.all([readLooked(record, params, row, ask), ask.services.coverage.view()])
  return { rows, answer: { ...answer, coverage_status: await withJudgements(withUnalerted(answer.coverage_status, view, 'HL', { venues: true }), ask) } }
}

/** As `perps`; an empty answer is no silence where what was heard was not looked at. */
export const looked = (record: PerpsRecord) => ({ ...perps(record), empty: unlooked } as const)

/** Of when (Unix milliseconds, by its own clock) the newest is that was heard of the venue; NaN: nothing was. Beside a recording of another year a generator's market may be newer: told_until counts as well. */
const heardUntil = async (ask: Ask): Promise<number> => Date.parse((await ask.services.coverage.view()).heads.get('HL')?.time ?? '')

/** As `readCovered`; coverage says where nobody looked, or not for long. */
export const readLooked = async <Row>(record: PerpsRecord, params: Readonly<Record<string, unknown>>, row: z.ZodType<Row>, ask: Ask): ReturnType<typeof readCovered<Row>> => {
  const [{ rows, answer }, [look], headAt] = await Promise.all([readCovered(record, params, row, ask), ask.store.query(lookedUntil, {}, z.object({ looked_until: At.nullable(), told_until: At.nullable() })), heardUntil(ask)])
  const until = look?.looked_until ?? null, heard = Math.max(headAt || 0, Date.parse(look?.told_until ?? '') || 0), { coverage_status: status } = answer
  const said = until === null ? never : heard - Date.parse(until) > behindMs ? `${behind}${until}, ${Math.round((heard - Date.parse(until)) / 60_000)} min before what was heard` : null
  return { rows, answer: said === null ? answer : { ...answer, coverage_status: { ...status, warnings: [...status.warnings, said] } } }
}
