/** How the venue's records are read: one SQL file each. A record without one has no data in any store yet; its answers are empty and no evidence. */
import type { z } from 'zod'
import type { SqlFile } from '../../../schemas/sql.js'
import { emptyBecause, type Empty } from '../../empty.js'
import type { CoverageStatus } from '../../coverage.js'
import type { Ask } from '../../operation.js'

/** Record → tables it is made from. */
const sources = {
  events: ['hl_trades', 'hl_fills'], traders: ['hl_fills'], styles: ['hl_fills', 'hl_positions'], alerts: ['hl_trades', 'hl_positions'], trader: ['hl_fills', 'hl_positions'], fills: ['hl_fills'], positions: ['hl_positions'],
  pulse: ['hl_trades', 'hl_contexts'], depth: ['hl_books'], flow: ['hl_trades'], funding: ['hl_contexts'], suspects: ['hl_fills'], strategies: ['hl_signals'], alpha: ['hl_trades', 'hl_contexts', 'hl_books'],
  signal_log: ['hl_signals'], copytrade: ['hl_fills'], signals: ['hl_signals'], insider_trades: ['hl_fills'],
} as const
export type PerpsRecord = keyof typeof sources

const readings: Readonly<Partial<Record<PerpsRecord, SqlFile>>> = {}

/** What all questions about the venue have in common; `record` is the one whose emptiness counts. */
export const perps = (record: PerpsRecord) => ({
  auth: 'public', lane: 'perps', tool: true, cacheSeconds: 5, sources: sources[record],
  empty: (): Empty | null => (readings[record] === undefined ? emptyBecause('data_gap') : null),
} as const)

/** Rows of `record`, none while it has no reading. */
export const read = async <Row>(record: PerpsRecord, params: Readonly<Record<string, unknown>>, row: z.ZodType<Row>, ask: Ask): Promise<Row[]> => {
  const sql = readings[record]
  return sql === undefined ? [] : ask.store.query(sql, params, row)
}

/** The same with what the venue's data are worth. */
export const readCovered = async <Row>(record: PerpsRecord, params: Readonly<Record<string, unknown>>, row: z.ZodType<Row>, ask: Ask): Promise<{ rows: Row[]; answer: { chain: 'HL'; count: number; coverage_status: CoverageStatus } }> => {
  const [rows, status] = await Promise.all([read(record, params, row, ask), ask.services.coverage.status('HL')])
  return { rows, answer: { chain: 'HL', count: rows.length, coverage_status: status } }
}
