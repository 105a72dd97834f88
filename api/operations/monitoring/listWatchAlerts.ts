import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { events, readAlerts, WatchAlert } from '../../../workers/monitoring/alerts.js'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause } from '../../empty.js'
import { cursorField, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { pageFields, pageOf } from '../../pages.js'
import { reaches } from '../../tiers.js'
import { unalerted } from '../../unalerted.js'
import { ownerOf } from './lists.js'

const countWatched = loadSql(import.meta.url, 'countWatched.sql')
const Position = z.number().int().min(0)

export default operation({
  name: 'list_watch_alerts', aliases: ['watch_alerts', 'monitoring_alerts'], route: 'GET /v1/monitoring/alerts', auth: 'key', lane: 'compliance', tool: true, sources: ['watch_alerts', 'sanctions_changes'], rows: 'alerts',
  summary: 'What happened to the addresses your key watches: transfers, those a reorg took back, sanctions listings.',
  input: z.object({
    list_id: z.string().regex(/^wl_[0-9a-f]{16}$/).optional().describe('Only this watch list'), event: z.enum(events).optional().describe('Only such'),
    after: z.number().int().min(0).optional().describe('Only above this position, oldest first'), limit: limitField(500, 50), cursor: cursorField,
  }),
  output: z.object({ count: z.number().int(), watched: z.number().int().describe('Addresses on your lists'), alerts: z.array(WatchAlert), ...pageFields, coverage_status: CoverageStatus }),
  // A key that was moved to a tier without monitoring keeps its lists, and nobody looks at them.
  empty: async ({ watched, coverage_status: { data_fresh: fresh } }, ask) =>
    emptyBecause(watched === 0 || !reaches(ask.principal.tier, 'compliance') ? 'data_gap' : fresh ? await unalerted('ALL', ask) ?? 'no_signal' : 'stale_pipeline'),
  run: async (input, ask) => {
    const { cursors, coverage } = ask.services
    const owner = ownerOf(ask)
    const inputs = { list_id: input.list_id, event: input.event, after: input.after }
    const position = input.cursor === undefined ? undefined : cursors.read('list_watch_alerts', inputs, input.cursor, Position)
    const newestFirst = input.after === undefined
    const [rows, [row], status] = await Promise.all([
      readAlerts(ask.store, {
        owner, lists: input.list_id === undefined ? [] : [input.list_id], event: input.event ?? '', limit: input.limit + 1, newestFirst,
        ...(newestFirst ? { before: position } : { after: position ?? input.after ?? 0 }),
      }, ask.signal),
      ask.store.query(countWatched, { owner }, z.object({ watched: z.number() })), coverage.status('ALL'),
    ])
    const { page, more } = pageOf(rows, input.limit, (last) => cursors.write('list_watch_alerts', inputs, last.position))
    return { count: page.length, watched: row?.watched ?? 0, alerts: page, ...more, coverage_status: status }
  },
})
