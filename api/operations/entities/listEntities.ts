import { z } from 'zod'
import { chainOf, cursorField, limitField } from '../../fields.js'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { operation } from '../../operation.js'
import { newestHeight, pageFields, pageOf } from '../../pages.js'
import { paramsOf, spanOf, Window, windowOf } from '../../span.js'
import { unpricedOf, withUnpriced } from '../../unpriced.js'
import { clusterAddresses } from './clusterAddresses.js'

const listEntities = loadSql(import.meta.url, 'listEntities.sql')
const registersStamp = loadSql(import.meta.url, 'registersStamp.sql')
const usd = z.number().nullable()
const Entity = z.object({
  name: z.string(), chains: z.array(z.string()), classifications: z.array(z.string()), addresses: z.number().int(), btc_cluster_addresses: clusterAddresses, sources: z.array(z.string()),
  usd_in: usd.describe('In the window on ETH, wraps of coin in both sums, and in the last indexed day of BTC; null, as the others: of what moved on BTC nothing has a price, and nothing else moved'), usd_out: usd,
  usd_unknown: usd.describe('Received on BTC where an input is not known, so it may be change: in no other sum'),
})
/** Sort position: addresses, name. It is of the registers as they were loaded: when they change, the cursor ends. */
const Position = z.tuple([z.number().int(), z.string()])

export default operation({
  name: 'list_entities', aliases: ['entity_list', 'get_entities'], route: 'GET /v1/entity/list', auth: 'public', lane: 'whales', tool: true, cacheSeconds: 60, sources: ['labels', 'transfers'], rows: 'entities',
  summary: 'Owners of labelled addresses, the most addresses first. Use get_entity for one.',
  input: z.object({ limit: limitField(500, 500), cursor: cursorField }),
  output: z.object({ window: Window, total: z.number().int(), count: z.number().int(), entities: z.array(Entity), ...pageFields, coverage_status: CoverageStatus }),
  run: async ({ limit, cursor }, ask) => {
    const { cursors, coverage } = ask.services
    const [status, span, bitcoin, [loaded]] = await Promise.all([coverage.status('ALL'), spanOf(chainOf('ETH'), 24, ask, true), spanOf(chainOf('BTC'), 24, ask, true), ask.store.query(registersStamp, {}, z.object({ stamp: z.string() }))])
    const inputs = { registers: loaded?.stamp }
    const [addresses, after] = cursor === undefined ? [newestHeight, ''] as const : cursors.read('list_entities', inputs, cursor, Position)
    const [rows, unpriced] = await Promise.all([ask.store.query(listEntities, { ...(span === null ? { chain: 'ETH', from: 0, to: 0 } : paramsOf(span)), btc_from: bitcoin?.from ?? 0, btc_to: bitcoin?.to ?? 0, addresses, after, limit: limit + 1 }, Entity.extend({ total: z.number() })), unpricedOf([span, bitcoin].filter((one) => one !== null), ask)])
    const { page, more } = pageOf(rows, limit, (last) => cursors.write('list_entities', inputs, [last.addresses, last.name]))
    return { window: windowOf(span), total: rows[0]?.total ?? 0, count: page.length, entities: page.map(({ total: _, ...entity }) => entity), ...more, coverage_status: withUnpriced(status, unpriced) }
  },
})
