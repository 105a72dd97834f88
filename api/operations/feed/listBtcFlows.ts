import { z } from 'zod'
import { Address, Amount, Hash, Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { cursorField, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { listed, newestHeight, pageOf } from '../../pages.js'
import { paramsOf, spanOf, windowOf } from '../../span.js'

const listBtcFlows = loadSql(import.meta.url, 'listBtcFlows.sql')
const chain = { id: 'BTC' } as const

/** A transaction as a movement between owners: what went back to the sender is left out. Bitcoin amounts are exact decimals, satoshis integers. */
const BtcFlow = z.object({
  tx_hash: Hash, block_number: z.number().int(), block_hash: Hash, timestamp: Instant, confirmations: z.number().int().nullable().describe('Blocks from its own to the head, both counted; null: the head is not known'),
  flow: z.enum(['exchange_inflow', 'exchange_outflow', 'internal', 'transfer', 'coinbase', 'coinjoin']), net_transfer_btc: z.string().regex(/^\d+\.\d{8}$/), net_transfer_sats: Amount, value_usd: z.number().nullable().describe('null: no price within the hour before'),
  from_cluster: z.string().nullable(), from_entity: z.string(), from_address: Address.nullable().describe('The largest input; null: newly mined, or not known'), to_cluster: z.string().nullable(), to_entity: z.string(),
  to_address: Address.nullable().describe('The largest output that is no change, a named one first'), inputs: z.number().int(), inputs_unresolved: z.number().int().describe('Whose outputs are not indexed: while there are any, change may still be in the net transfer'),
  outputs: z.number().int(), fee_sats: Amount.nullable(),
})
const Row = BtcFlow.omit({ confirmations: true, net_transfer_btc: true }).extend({ at: z.tuple([z.string(), z.string(), z.string()]) })
/** Sort position: height, net in satoshis, place in the block; and the time the list began to be read, so that its span stays. */
const Position = z.tuple([z.number().int().min(0), z.string().regex(/^\d{1,20}$/), z.string().regex(/^\d{1,20}$/), z.string().regex(/^\d{1,10}$/)])
const satoshis = 100_000_000n
const inBtc = (sats: bigint): string => `${sats / satoshis}.${String(sats % satoshis).padStart(8, '0')}`

export default operation({
  name: 'list_btc_flows', aliases: ['recent_btc', 'btc_flows', 'get_btc_flows'], route: 'GET /v1/feed/btc/recent', auth: 'key', lane: 'whales', tool: true, cacheSeconds: 10, chain: 'BTC',
  summary: 'Large Bitcoin movements between owners, with one confirmation or more: newest block first, then the largest.',
  input: z.object({
    limit: limitField(200, 50), min_btc: z.number().min(0).max(21_000_000_000).default(10).describe('Leave out smaller movements'), hours: z.number().int().min(1).max(168).default(24).describe('Hours back from the newest indexed block'),
    entity_only: z.boolean().default(false).describe('true: only where one side is a known entity'), cursor: cursorField,
  }),
  output: z.array(BtcFlow),
  run: async (input, ask) => {
    const { cursors, coverage } = ask.services
    const inputs = { min_btc: input.min_btc, hours: input.hours, entity_only: input.entity_only }
    const [until, block, net, index] = input.cursor === undefined ? [undefined, newestHeight, '18446744073709551615', '4294967295'] as const : cursors.read('list_btc_flows', inputs, input.cursor, Position)
    const [span, view] = await Promise.all([spanOf(chain, input.hours, ask, false, until), coverage.view()])
    if (span === null) return listed([], { next_cursor: null, has_more: false, window: null })
    const minSats = BigInt(Math.round(Math.min(input.min_btc, 90_000_000) * 1e8))
    const rows = await ask.store.query(listBtcFlows, { ...paramsOf(span), min_sats: `${minSats}`, entity_only: input.entity_only, block, net, index, limit: input.limit + 1 }, Row, {}, ask.signal)
    const { page, more } = pageOf(rows, input.limit, ({ at }) => cursors.write('list_btc_flows', inputs, [span.to, ...at]))
    const head = view.heads.get(chain.id)?.number
    return listed(page.map(({ at: _, net_transfer_sats: sats, ...row }) => (
      { ...row, confirmations: head === undefined ? null : Math.max(1, head - row.block_number + 1), net_transfer_btc: inBtc(BigInt(sats)), net_transfer_sats: sats })), { ...more, window: windowOf(span) })
  },
})
