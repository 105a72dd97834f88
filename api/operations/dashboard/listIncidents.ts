import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause } from '../../empty.js'
import { limitField } from '../../fields.js'
import { operation } from '../../operation.js'

const listIncidents = loadSql(import.meta.url, 'listIncidents.sql')
const Incident = z.object({
  id: z.string(), chain: z.string(), kind: z.string(), severity: z.string(), status: z.enum(['open', 'closed']), summary: z.string(), detail: z.string().nullable().describe('null unless an operator asks'),
  opened_at: z.string(), closed_at: z.string().nullable(),
})

export default operation({
  name: 'list_incidents', aliases: ['get_incidents'], route: 'GET /v1/dashboard/incidents', auth: 'key', lane: 'system', tool: true, sources: ['incidents'], rows: 'incidents',
  summary: 'What went wrong with the data or their sources (deep reorgs, lying endpoints, orphans swept), the last opened first.',
  input: z.object({ limit: limitField(100, 20) }),
  output: z.object({ count: z.number().int(), open: z.number().int().describe('Of those listed'), incidents: z.array(Incident), coverage_status: CoverageStatus }),
  // The service's own book: nothing in it means nothing happened.
  empty: () => emptyBecause('no_signal'),
  run: async ({ limit }, { store, services, principal }) => {
    const inside = principal.role === 'admin' || principal.role === 'operator'
    const [status, rows] = await Promise.all([services.coverage.status('ALL'), store.query(listIncidents, { limit }, Incident)])
    return { count: rows.length, open: rows.filter((row) => row.status === 'open').length, incidents: rows.map((row) => ({ ...row, detail: inside ? row.detail : null })), coverage_status: status }
  },
})
