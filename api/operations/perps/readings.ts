/** What all questions about the perps venue have in common. */
import type { z } from 'zod'
import type { CoverageStatus } from '../../coverage.js'
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

/** Rows with what every answer says; it is made where its rows are or what was asked for is. */
export const covered = async <Row>(reading: Promise<Row[]>, params: Readonly<Record<string, unknown>>, ask: Ask): Promise<{ rows: Row[]; answer: Common }> => {
  const [rows, status] = await Promise.all([reading, ask.services.coverage.status('HL')])
  return { rows, answer: { chain: 'HL', count: rows.length, coverage_status: marked(status, rows, params) } }
}

/** The same of `record`. */
export const readCovered = async <Row>(record: PerpsRecord, params: Readonly<Record<string, unknown>>, row: z.ZodType<Row>, ask: Ask, how?: How): Promise<{ rows: Row[]; answer: Common }> => covered(read(record, params, row, ask, how), params, ask)
