import { z } from 'zod'
import { Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { emptyBecause } from '../../empty.js'
import { cursorField, endOfTime, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { pageFields, pageOf } from '../../pages.js'
import { Links, linksOf } from './links.js'

const listReports = loadSql(import.meta.url, 'listReports.sql')
const Row = z.object({ content_hash: z.string(), kind: z.string(), subject: z.string(), chain: z.string(), created_at: Instant })
/** Time (Unix milliseconds) and hash of the last report given. */
const Position = z.tuple([z.number().int().min(0), z.string().regex(/^[0-9a-f]{64}$/)])
/** Later than any report, above any hash. */
const first: z.infer<typeof Position> = [endOfTime, 'f'.repeat(64)]

export default operation({
  name: 'list_reports', route: 'GET /v1/reports', auth: 'key', tier: 'compliance', lane: 'compliance', tool: false, sources: ['reports'], rows: 'reports',
  summary: 'The signed reports of your key, newest first.',
  input: z.object({ limit: limitField(200, 50), cursor: cursorField }), output: z.object({ count: z.number().int(), reports: z.array(Row.extend({ links: Links })), ...pageFields }),
  empty: () => emptyBecause('no_signal'),
  run: async (input, { store, principal, services: { cursors }, baseUrl, signal }) => {
    const owned = { owner: principal.owner }
    const [before, last] = input.cursor === undefined ? first : cursors.read('list_reports', owned, input.cursor, Position)
    const rows = await store.query(listReports, { ...owned, before, last, limit: input.limit + 1 }, Row, {}, signal)
    const { page, more } = pageOf(rows, input.limit, (row) => cursors.write('list_reports', owned, [Date.parse(row.created_at), row.content_hash]))
    return { count: page.length, reports: page.map((row) => ({ ...row, links: linksOf(row.content_hash, baseUrl) })), ...more }
  },
})
