import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { operation } from '../../operation.js'
import { Health, health } from '../health/getHealth.js'

const getOverview = loadSql(import.meta.url, 'getOverview.sql')
const Hour = z.object({ blocks: z.number(), transactions: z.number(), transfers: z.number(), whales: z.number(), swaps: z.number(), alerts: z.number() })
const Row = Hour.extend({ open_incidents: z.number() })

export default operation({
  name: 'get_overview', aliases: ['dashboard_overview'], route: 'GET /v1/dashboard/overview', auth: 'key', lane: 'system', tool: true, cacheSeconds: 2, sources: ['blocks', 'transfers', 'swaps', 'alerts', 'batches'],
  summary: 'The service on one page: state, chains, stages, totals, the last hour of Ethereum, dead letters, incidents.',
  input: z.object({}),
  output: Health.extend({
    last_hour: Hour.describe('The hour that ends at the newest indexed block of ETH'), internal_complete: z.boolean().describe('false: the counts of transfers miss movements inside transactions of some blocks'),
    dead_letters: z.number(), open_incidents: z.number(), coverage_status: CoverageStatus,
  }),
  run: async (_input, ask) => {
    const { coverage, pipeline } = ask.services
    const [seen, [row], dead, status, view] = await Promise.all([
      health({}, ask), ask.store.query(getOverview, { chain: 'ETH' }, Row), pipeline.deadLetters(1), coverage.status('ALL'), coverage.view(),
    ])
    const { open_incidents: incidents = 0, ...hour } = row ?? { blocks: 0, transactions: 0, transfers: 0, whales: 0, swaps: 0, alerts: 0 }
    return { ...seen, last_hour: hour, internal_complete: (view.bounds.get('ETH')?.untraced ?? 0) === 0, dead_letters: dead.count, open_incidents: incidents, coverage_status: status }
  },
})
