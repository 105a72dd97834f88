import { z } from 'zod'
import { chains } from '../../../schemas/chains.js'
import { Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { operation } from '../../operation.js'

const publicAlarm = loadSql(import.meta.url, 'publicAlarm.sql')
const severities = ['info', 'warning', 'critical'] as const
const Row = z.object({ chain: z.string(), kind: z.string(), severity: z.enum(severities).catch('warning'), opened_at: Instant })
const Incident = z.object({ chain: z.string().nullable(), kind: z.string(), severity: z.enum(severities), opened_at: Instant, message: z.string() })

/** What outsiders are told, by kind: an incident's own words, and some names of kinds, tell of hosts and parts. */
const told: Readonly<Record<string, { readonly kind: string; readonly message: string }>> = {
  deep_reorg: { kind: 'deep_reorg', message: 'The chain was rewritten below the height that was thought final. It stands still until an operator has looked.' },
  reorg: { kind: 'reorg', message: 'The chain was rewritten, and followed.' },
  late_writer: { kind: 'orphans_swept', message: 'Rows of blocks that are no longer part of the chain were taken away.' },
  no_head: { kind: 'node_silent', message: 'No node says what the newest block is.' },
}
const other = { kind: 'outage', message: 'A part of the service is disturbed; operators see which.' }

export default operation({
  name: 'get_public_alarm', route: 'GET /v1/alarm/public', auth: 'public', lane: 'system', tool: true, cacheSeconds: 5,
  summary: 'Whether anything is wrong at this moment: open incidents and the state of each chain. get_trust says what the data cover.',
  input: z.object({}),
  output: z.object({
    status: z.enum(['ok', 'degraded', 'alarm']).describe('alarm: a critical incident is open; degraded: another one is, or a chain that is followed trails'), as_of: Instant,
    count: z.number().int(), incidents: z.array(Incident), chains: z.array(CoverageStatus),
  }),
  run: async (_input, { store, services, signal }) => {
    const live = chains.filter(({ status }) => status === 'live' || status === 'perps-only')
    const [rows, { heads }, ...statuses] = await Promise.all([store.query(publicAlarm, {}, Row, {}, signal), services.coverage.view(), ...live.map(({ id }) => services.coverage.status(id))])
    const incidents = rows.map((row) => ({ ...row, chain: row.chain === '' ? null : row.chain, ...(Object.hasOwn(told, row.kind) ? told[row.kind] ?? other : other) }))
    const critical = incidents.some(({ severity }) => severity === 'critical')
    // A chain without a node, or a venue that was never heard, is nobody's outage.
    const degraded = incidents.some(({ severity }) => severity !== 'info') || statuses.some(({ chain, pipeline, data_fresh: fresh }) => !fresh && pipeline !== 'pending' && (pipeline !== 'perps-only' || heads.has(chain)))
    return { status: critical ? 'alarm' as const : degraded ? 'degraded' as const : 'ok' as const, as_of: new Date().toISOString(), count: incidents.length, incidents, chains: statuses }
  },
})
