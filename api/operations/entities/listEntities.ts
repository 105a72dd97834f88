import { z } from 'zod'
import { chainOf, cursorField, limitField } from '../../fields.js'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause } from '../../empty.js'
import { operation } from '../../operation.js'
import { newestHeight, pageFields, pageOf } from '../../pages.js'
import { paramsOf, spanOf, Window, windowOf } from '../../span.js'
import { withUnlisted } from '../../unlisted.js'
import { allUnpriced, knownApartOf, unpricedOf, withUnpriced } from '../../unpriced.js'
import { clusterAddresses } from './clusterAddresses.js'

const listEntities = loadSql(import.meta.url, 'listEntities.sql')
const registersStamp = loadSql(import.meta.url, 'registersStamp.sql'), countNames = loadSql(import.meta.url, 'countNames.sql')
const usd = z.number().nullable()
const Entity = z.object({
  name: z.string(), chains: z.array(z.string()), classifications: z.array(z.string()), addresses: z.number().int(), btc_cluster_addresses: clusterAddresses, sources: z.array(z.string()),
  usd_in: usd.describe('In the window on ETH, wraps of coin in both sums, and in the last indexed day of BTC; null, as the others: on BTC, or where no block of the window has a price, something moved and nothing is known to be worth anything'), usd_out: usd, usd_listed_in: usd.describe('Of usd_in, what is of the coin and listed tokens: of others their own pools say the price'), usd_listed_out: usd,
  usd_unknown: usd.describe('Received on BTC where an input is not known, so it may be change: in no other sum'),
})
const moves = z.number()
const Row = Entity.extend({ usd_in: moves, usd_out: moves, usd_listed_in: moves, usd_listed_out: moves, usd_unknown: moves, transfers_in: moves, transfers_out: moves, btc_in: moves, btc_out: moves, btc_unknown: moves, total: moves })
/** Its dollars as get_entity tells them: unknown where something moved whose dollars may be, and there are none. */
const told = ({ total: _, transfers_in: ins, transfers_out: outs, btc_in: got, btc_out: gave, btc_unknown: unsure, ...row }: z.infer<typeof Row>, isBlank: boolean): z.infer<typeof Entity> => {
  const { usd_net: __, ...dollars } = knownApartOf({ ...row, transfers_in: got + (isBlank ? ins : 0), transfers_out: gave + (isBlank ? outs : 0), transfers_unknown: unsure }, true)
  return { ...row, ...dollars }
}
/** Sort position: addresses, name. It is of the registers as they were loaded: when they change, the cursor ends. */
const Position = z.tuple([z.number().int(), z.string()])

export default operation({
  name: 'list_entities', aliases: ['entity_list', 'get_entities'], route: 'GET /v1/entity/list', auth: 'public', lane: 'whales', tool: true, cacheSeconds: 60, sources: ['labels', 'transfers'], rows: 'entities',
  summary: 'Owners of labelled addresses, the most addresses first. Use get_entity for one.',
  input: z.object({ limit: limitField(500, 500), cursor: cursorField }),
  output: z.object({ window: Window, total: z.number().int(), count: z.number().int(), entities: z.array(Entity), ...pageFields, coverage_status: CoverageStatus }),
  // Where no register is loaded nobody has said yet who owns what.
  empty: async (_output, ask) => ((await ask.store.query(countNames, {}, z.object({ searched: z.number() })))[0]?.searched === 0 ? emptyBecause('data_gap') : null),
  run: async ({ limit, cursor }, ask) => {
    const { cursors, coverage } = ask.services
    const [status, span, bitcoin, [loaded]] = await Promise.all([coverage.status('ALL'), spanOf(chainOf('ETH'), 24, ask, true), spanOf(chainOf('BTC'), 24, ask, true), ask.store.query(registersStamp, {}, z.object({ stamp: z.string() }))])
    const inputs = { registers: loaded?.stamp }
    const [addresses, after] = cursor === undefined ? [newestHeight, ''] as const : cursors.read('list_entities', inputs, cursor, Position)
    const [rows, unpriced] = await Promise.all([ask.store.query(listEntities, { ...(span === null ? { chain: 'ETH', from: 0, to: 0 } : paramsOf(span)), btc_from: bitcoin?.from ?? 0, btc_to: bitcoin?.to ?? 0, addresses, after, limit: limit + 1 }, Row), unpricedOf([span, bitcoin].filter((one) => one !== null), ask)])
    const { page, more } = pageOf(rows, limit, (last) => cursors.write('list_entities', inputs, [last.addresses, last.name]))
    return { window: windowOf(span), total: rows[0]?.total ?? 0, count: page.length, entities: page.map((row) => told(row, allUnpriced(unpriced).has('ETH'))), ...more, coverage_status: await withUnlisted(withUnpriced(status, unpriced), 'ALL', ask) }
  },
})
