import { z } from 'zod'
import { Address, Amount, Hash, Instant } from '../../../schemas/primitives.js'
import { inCoins, satoshisIn } from '../../../schemas/satoshis.js'
import { loadSql } from '../../../schemas/sql.js'
import { cursorField, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { listed, newestHeight, pageOf } from '../../pages.js'
import { spanOf, windowOf } from '../../span.js'

const listBtcFlows = loadSql(import.meta.url, 'listBtcFlows.sql')
const chain = { id: 'BTC' } as const

/** A transaction as a movement between owners, by labels and clusters as they are now: what went back to the sender is left out. Bitcoin amounts are exact decimals, satoshis integers. */
const BtcFlow = z.object({
  tx_hash: Hash, block_number: z.number().int(), block_hash: Hash, timestamp: Instant, confirmations: z.number().int().nullable().describe('Blocks from its own to the head, both counted; null: the head is not known'),
  flow: z.enum(['exchange_inflow', 'exchange_outflow', 'internal', 'transfer', 'coinbase', 'coinjoin', 'unknown']).describe('unknown: an input is, so it may be change'), net_transfer_btc: z.string().regex(/^\d+\.\d{8}$/), net_transfer_sats: Amount, value_usd: z.number().nullable().describe('null: no price within the hour before'), price_method: z.string().describe('unknown: there is none'),
  from_cluster: z.string().nullable(), from_entity: z.string(), from_address: Address.nullable().describe('The largest input of the sender, who is a named one first; null: newly mined, or not known, as in a CoinJoin and while an input is unresolved'), to_cluster: z.string().nullable(), to_entity: z.string(),
  to_address: Address.nullable().describe('The largest of the receiver, who is a named one first'), to_transfer_sats: Amount.describe('What that receiver got'),
  receivers: z.array(z.object({ entity: z.string(), cluster: z.string().nullable(), address: Address, net_transfer_sats: Amount })).describe('All that are named, each with what it got'), inputs: z.number().int(), inputs_unresolved: z.number().int().describe('Whose outputs are not indexed: while there are any, change may still be in the net transfer'),
  outputs: z.number().int(), fee_sats: Amount.nullable(),
  known_then: z.object({ flow: z.string(), net_transfer_sats: Amount, from_entity: z.string(), to_entity: z.string() }).nullable().describe('As labels said when it was indexed, without clusters; a CoinJoin is of nobody then, too'),
})
const Row = BtcFlow.omit({ confirmations: true, net_transfer_btc: true, known_then: true }).extend({ known_then: z.tuple([z.string(), z.string(), z.string(), z.string()]).nullable(), at: z.tuple([z.string(), z.string(), z.string()]) })
/** Sort position: height, net in satoshis, place in the block; and the time the list began to be read, so that its span stays. */
const Position = z.tuple([z.number().int().min(0), z.string().regex(/^\d{1,20}$/), z.string().regex(/^\d{1,20}$/), z.string().regex(/^\d{1,10}$/)])

export default operation({
  name: 'list_btc_flows', aliases: ['recent_btc', 'btc_flows', 'get_btc_flows'], route: 'GET /v1/feed/btc/recent', auth: 'key', lane: 'whales', tool: true, cacheSeconds: 10, sources: ['btc_transactions', 'btc_inputs', 'btc_outputs', 'btc_coinjoins', 'btc_clusters', 'labels', 'prices'], chain: 'BTC',
  summary: 'Large Bitcoin movements between owners as known now: newest block first, then the largest.',
  input: z.object({
    limit: limitField(200, 50), min_btc: z.number().min(0, { abort: true }).max(21_000_000_000).refine((btc) => satoshisIn(btc) !== null, { message: 'at most 8 decimals: 0.00000001 BTC is the least there is' }).default(10).describe('At least'), hours: z.number().int().min(1).max(168).default(24).describe('Hours back'),
    entity_only: z.boolean().default(false).describe('true: only where one side is a known entity'), cursor: cursorField,
  }),
  output: z.array(BtcFlow),
  run: async (input, ask) => {
    const { cursors, coverage } = ask.services
    const inputs = { min_btc: input.min_btc, hours: input.hours, entity_only: input.entity_only }
    const [until, block, net, index] = input.cursor === undefined ? [undefined, newestHeight, '18446744073709551615', '4294967295'] as const : cursors.read('list_btc_flows', inputs, input.cursor, Position)
    const [span, view] = await Promise.all([spanOf(chain, input.hours, ask, false, until), coverage.view()])
    if (span === null) return listed([], { next_cursor: null, has_more: false, window: null })
    const minSats = satoshisIn(input.min_btc) ?? 0n
    const rows: z.infer<typeof Row>[] = []
    // Blocks from the newest down, more at once the longer it takes: most pages are of the first few.
    for (let high = Math.min(span.newest, Number(block)), step = 4; high >= span.first && rows.length <= input.limit; high -= step, step *= 4) {
      const piece = { chain: chain.id, low: Math.max(span.first, high - step + 1), high, from: span.from, min_sats: `${minSats}`, entity_only: input.entity_only, block, net, index, limit: input.limit + 1 - rows.length }
      rows.push(...await ask.store.query(listBtcFlows, piece, Row, {}, ask.signal))
    }
    const { page, more } = pageOf(rows, input.limit, ({ at }) => cursors.write('list_btc_flows', inputs, [span.to, ...at]))
    const head = view.heads.get(chain.id)?.number
    return listed(page.map(({ at: _, net_transfer_sats: sats, known_then: then, ...row }) => (
      { ...row, known_then: then === null ? null : { flow: then[0], net_transfer_sats: then[1], from_entity: then[2], to_entity: then[3] }, confirmations: head === undefined ? null : Math.max(1, head - row.block_number + 1), net_transfer_btc: inCoins(BigInt(sats)), net_transfer_sats: sats })), { ...more, window: windowOf(span) })
  },
})
