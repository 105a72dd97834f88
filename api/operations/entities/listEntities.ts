import { z } from 'zod'
import { chainOf } from '../../fields.js'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { operation } from '../../operation.js'
import { paramsOf, spanOf, Window, windowOf } from '../../span.js'

const listEntities = loadSql(import.meta.url, 'listEntities.sql')
const most = 500
const Entity = z.object({
  name: z.string(), chains: z.array(z.string()), classifications: z.array(z.string()), addresses: z.number().int(), sources: z.array(z.string()),
  usd_in: z.number().describe('In the window, on ETH'), usd_out: z.number(),
})

export default operation({
  name: 'list_entities', aliases: ['entity_list', 'get_entities'], route: 'GET /v1/entity/list', auth: 'public', lane: 'whales', tool: true, cacheSeconds: 60, sources: ['labels', 'transfers'], rows: 'entities',
  summary: `Owners of labelled addresses, up to ${most}, those with the most addresses first. Use get_entity for one.`,
  input: z.object({}),
  output: z.object({ window: Window, total: z.number().int(), count: z.number().int(), entities: z.array(Entity), coverage_status: CoverageStatus }),
  run: async (_input, ask) => {
    const [status, span] = await Promise.all([ask.services.coverage.status('ALL'), spanOf(chainOf('ETH'), 24, ask, true)])
    const rows = await ask.store.query(listEntities, { ...(span === null ? { chain: 'ETH', from: 0, to: 0 } : paramsOf(span)), limit: most }, Entity.extend({ total: z.number() }))
    return { window: windowOf(span), total: rows[0]?.total ?? 0, count: rows.length, entities: rows.map(({ total: _, ...entity }) => entity), coverage_status: status }
  },
})
