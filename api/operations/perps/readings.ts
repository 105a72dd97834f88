/** What all questions about the perps venue have in common. */
import type { z } from 'zod'
import type { CoverageStatus } from '../../coverage.js'
import { dealtOf, withUnknown, type Dealt } from '../../known.js'
import type { Ask } from '../../operation.js'
import { readRecord, records, type How, type RecordName } from '../../readings.js'
import { marked } from './made.js'

export type PerpsRecord = RecordName extends infer Name ? Name extends `hl_${infer Rest}` ? Rest : never : never

/** `record` is the one whose emptiness counts. */
export const perps = (record: PerpsRecord) => ({
  auth: 'public', lane: 'perps', tool: true, cacheSeconds: 1, sources: records[`hl_${record}`], record: `hl_${record}`,
} as const)

/** Rows of `record`. */
export const read = <Row>(record: PerpsRecord, params: Readonly<Record<string, unknown>>, row: z.ZodType<Row>, ask: Ask, how?: How): Promise<Row[]> => readRecord(`hl_${record}`, params, row, ask, how)

interface Common { readonly chain: 'HL'; readonly count: number; readonly coverage_status: CoverageStatus }

const minuteMs = 60_000
/** Since when (Unix milliseconds) parameters ask for what was dealt; null: they name no time. */
const sinceOf = ({ from, hours, buckets }: Readonly<Record<string, unknown>>): number | null =>
  (typeof from === 'number' ? from : typeof hours === 'number' ? Date.now() - hours * 60 * minuteMs : typeof buckets === 'number' ? Date.now() - buckets * 5 * minuteMs : null)

/** Rows with what every answer says; it is made where its rows are or what was asked for is. What is not known of the time asked about is said. */
export const covered = async <Row>(reading: Promise<Row[]>, params: Readonly<Record<string, unknown>>, ask: Ask, dealt: Dealt = 'trades'): Promise<{ rows: Row[]; answer: Common }> => {
  const { coverage } = ask.services
  const [rows, status, view] = await Promise.all([reading, coverage.status('HL'), coverage.view()])
  const since = sinceOf(params)
  return { rows, answer: { chain: 'HL', count: rows.length, coverage_status: marked(since === null ? status : withUnknown(status, view, 'HL', since, Date.now(), dealt), rows, params) } }
}

/** The same of `record`. */
export const readCovered = async <Row>(record: PerpsRecord, params: Readonly<Record<string, unknown>>, row: z.ZodType<Row>, ask: Ask, how?: How): Promise<{ rows: Row[]; answer: Common }> => covered(read(record, params, row, ask, how), params, ask, dealtOf(`hl_${record}`))
