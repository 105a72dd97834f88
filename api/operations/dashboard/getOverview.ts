import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { operation } from '../../operation.js'
import { indexedChains, missingWarnings, spansOf } from '../../span.js'
import { isTraced, tracedField } from '../../traced.js'
import { withUnalerted } from '../../unalerted.js'
import { allUnpriced, sumOfKnown, unpricedOf, withUnpriced } from '../../unpriced.js'
import { Health, health } from '../health/getHealth.js'

const getOverview = loadSql(import.meta.url, 'getOverview.sql')
const Hour = z.object({
  blocks: z.number(), transactions: z.number(), transfers: z.number(), whales: z.number().nullable().describe('Movements from 100,000 USD; null: no block of the chain has a price of its coin'), swaps: z.number(), alerts: z.number(),
})
const Row = Hour.extend({ whales: z.number(), open_incidents: z.number() })

const OfChain = Hour.extend({ chain: z.string() })
const none = { blocks: 0, transactions: 0, transfers: 0, swaps: 0, alerts: 0 }
type Counts = typeof none
const add = (one: Counts, other: Counts): Counts => ({
  blocks: one.blocks + other.blocks, transactions: one.transactions + other.transactions, transfers: one.transfers + other.transfers, swaps: one.swaps + other.swaps, alerts: one.alerts + other.alerts,
})

export default operation({
  name: 'get_overview', aliases: ['dashboard_overview'], route: 'GET /v1/dashboard/overview', auth: 'key', lane: 'system', tool: true, cacheSeconds: 2, sources: ['blocks', 'transfers', 'swaps', 'alerts', 'batches'],
  summary: 'The service on one page: state, chains, stages, totals, the last hour, dead letters, incidents.',
  input: z.object({}),
  output: Health.extend({
    last_hour: Hour.describe('Of all chains together'), last_hours: z.array(OfChain).describe('The hour of each chain that ends at its newest indexed block; Bitcoin has no swaps'),
    internal_complete: tracedField,
    dead_letters: z.number(), open_incidents: z.number(), coverage_status: CoverageStatus,
  }),
  run: async (_input, ask) => {
    const { coverage, pipeline } = ask.services
    const asked = await indexedChains({ id: 'ALL' }, ask)
    const [seen, dead, status, view, spans, ...rows] = await Promise.all([
      health({}, ask), pipeline.deadLetters(1), coverage.status('ALL'), coverage.view(), spansOf({ id: 'ALL' }, 1, ask), ...asked.map(async (chain) => ({ chain, row: (await ask.store.query(getOverview, { chain }, Row))[0] })),
    ])
    const unpriced = await unpricedOf(spans, ask), unvalued = allUnpriced(unpriced)
    const hours = rows.map(({ chain, row }) => { const { open_incidents: _, ...hour } = row ?? { ...none, whales: 0, open_incidents: 0 }; return { chain, ...hour, whales: unvalued.has(chain) ? null : hour.whales } })
    return {
      ...seen, last_hour: { ...hours.map(({ chain: _, whales: __, ...hour }) => hour).reduce(add, none), whales: sumOfKnown(hours.map(({ whales }) => whales)) }, last_hours: hours, internal_complete: isTraced(view, asked), dead_letters: dead.count,
      open_incidents: rows[0]?.row?.open_incidents ?? 0, coverage_status: withUnpriced(withUnalerted({ ...status, warnings: [...status.warnings, ...missingWarnings(spans)] }, view, 'ALL'), unpriced),
    }
  },
})
