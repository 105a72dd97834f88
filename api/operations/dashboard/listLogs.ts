import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { limitField } from '../../fields.js'
import { operation } from '../../operation.js'

const listLogs = loadSql(import.meta.url, 'listLogs.sql')
const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
const Entry = z.object({
  id: z.string(), level: z.string(), service: z.string(), message: z.string(), trace_id: z.string(), metadata: z.record(z.string(), z.unknown()).describe('Empty unless an operator asks'), timestamp: z.string(),
})
const Row = Entry.extend({ metadata: z.string() })

const parsed = (text: string): Record<string, unknown> => {
  try { return z.record(z.string(), z.unknown()).parse(JSON.parse(text)) } catch { return text === '' ? {} : { text } }
}

export default operation({
  name: 'list_logs', aliases: ['get_service_logs'], route: 'GET /v1/dashboard/logs', auth: 'key', lane: 'system', tool: true,
  summary: 'The newest log lines of the services, of one level or of all.',
  input: z.object({ limit: limitField(1_000, 100), level: z.enum(levels).optional().describe('Only lines of this level') }),
  output: z.object({ count: z.number().int(), logs: z.array(Entry) }),
  run: async ({ limit, level }, { store, principal }) => {
    const inside = principal.role === 'admin' || principal.role === 'operator'
    const rows = await store.query(listLogs, { limit, level: level ?? '' }, Row)
    return { count: rows.length, logs: rows.map((row) => ({ ...row, metadata: inside ? parsed(row.metadata) : {} })) }
  },
})
