import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause } from '../../empty.js'
import { cursorField, endOfTime, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { pageFields, pageOf } from '../../pages.js'

const listLogs = loadSql(import.meta.url, 'listLogs.sql')
const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
const Entry = z.object({
  id: z.string(), level: z.string(), service: z.string(), message: z.string(), trace_id: z.string(), metadata: z.record(z.string(), z.unknown()).describe('What else the line says, with stage, chain and batch where it is about one. Empty unless an operator asks'), timestamp: z.string(),
})
const Row = Entry.extend({ stage: z.string(), chain: z.string(), batch: z.string(), metadata: z.string() })
/** Sort position: Unix milliseconds, id. */
const Position = z.tuple([z.number().int(), z.uuid()])
const latest = [endOfTime, 'ffffffff-ffff-ffff-ffff-ffffffffffff'] as const

const parsed = (text: string): Record<string, unknown> => {
  try { return z.record(z.string(), z.unknown()).parse(JSON.parse(text)) } catch { return text === '' ? {} : { text } }
}

/** A line as a caller sees it; '' in a column: the line is about none. */
const shown = ({ stage, chain, batch, metadata, ...line }: z.infer<typeof Row>, inside: boolean): z.infer<typeof Entry> => ({
  ...line, metadata: inside ? { ...parsed(metadata), ...Object.fromEntries(Object.entries({ stage, chain, batch }).filter(([, value]) => value !== '')) } : {},
})

export default operation({
  name: 'list_logs', aliases: ['get_service_logs'], route: 'GET /v1/dashboard/logs', auth: 'key', lane: 'system', tool: true, sources: ['logs_service'], rows: 'logs',
  summary: 'The newest log lines of the services, of one level or of all.',
  input: z.object({ limit: limitField(1_000, 100), level: z.enum(levels).optional().describe('Only lines of this level'), cursor: cursorField }),
  output: z.object({ count: z.number().int(), logs: z.array(Entry), ...pageFields, coverage_status: CoverageStatus }),
  empty: () => emptyBecause('no_signal'),
  run: async ({ limit, level, cursor }, { store, principal, services: { cursors, coverage } }) => {
    const inside = principal.role === 'admin' || principal.role === 'operator'
    const [before, id] = cursor === undefined ? latest : cursors.read('list_logs', { level }, cursor, Position)
    const [status, rows] = await Promise.all([coverage.status('ALL'), store.query(listLogs, { before, id, limit: limit + 1, level: level ?? '' }, Row)])
    const { page, more } = pageOf(rows, limit, (last) => cursors.write('list_logs', { level }, [Date.parse(last.timestamp), last.id]))
    return { count: page.length, logs: page.map((row) => shown(row, inside)), ...more, coverage_status: status }
  },
})
