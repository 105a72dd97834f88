import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause } from '../../empty.js'
import { cursorField, endOfTime, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { pageFields, pageOf } from '../../pages.js'

const listIncidents = loadSql(import.meta.url, 'listIncidents.sql')
const Incident = z.object({
  id: z.string(), chain: z.string(), kind: z.string(), severity: z.string(), status: z.enum(['open', 'closed']), summary: z.string(), detail: z.string().nullable().describe('null unless an operator asks'),
  opened_at: z.string(), closed_at: z.string().nullable(),
})

/** Sort position: when it was opened in Unix milliseconds, id. */
const Position = z.tuple([z.number().int(), z.string()])

export default operation({
  name: 'list_incidents', aliases: ['get_incidents'], route: 'GET /v1/dashboard/incidents', auth: 'key', lane: 'system', tool: true, sources: ['incidents'], rows: 'incidents',
  summary: 'What went wrong with the data or their sources (deep reorgs, lying endpoints, orphans swept), the last opened first.',
  input: z.object({ limit: limitField(100, 20), cursor: cursorField }),
  output: z.object({ count: z.number().int(), open: z.number().int().describe('Of those listed'), incidents: z.array(Incident), ...pageFields, coverage_status: CoverageStatus }),
  // The service's own book: nothing in it means nothing happened.
  empty: () => emptyBecause('no_signal'),
  run: async ({ limit, cursor }, { store, services: { cursors, coverage }, principal }) => {
    const inside = principal.role === 'admin' || principal.role === 'operator'
    const [before, after] = cursor === undefined ? [endOfTime, ''] as const : cursors.read('list_incidents', {}, cursor, Position)
    const [status, rows] = await Promise.all([coverage.status('ALL'), store.query(listIncidents, { before, after_id: after, inside, limit: limit + 1 }, Incident)])
    const { page, more } = pageOf(rows, limit, (last) => cursors.write('list_incidents', {}, [Date.parse(last.opened_at), last.id]))
    return { count: page.length, open: page.filter((row) => row.status === 'open').length, incidents: page.map((row) => ({ ...row, detail: inside ? row.detail : null })), ...more, coverage_status: status }
  },
})
