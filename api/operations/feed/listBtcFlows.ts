import { z } from 'zod'
import { Amount, Instant } from '../../../schemas/primitives.js'
import { limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { readRecord, unread } from '../../readings.js'

/** A transaction as a movement between owners: what went back to the sender is left out. Bitcoin amounts are exact decimals, satoshis integers. */
const BtcFlow = z.object({
  tx_hash: z.string().regex(/^[0-9a-f]{64}$/), block_number: z.number().int(), block_hash: z.string(), timestamp: Instant, confirmations: z.number().int().nullable(),
  flow: z.enum(['exchange_inflow', 'exchange_outflow', 'internal', 'transfer', 'coinbase', 'coinjoin']), net_transfer_btc: z.string().regex(/^\d+(\.\d{1,8})?$/), net_transfer_sats: Amount, value_usd: z.number().nullable(),
  from_cluster: z.string().nullable(), from_entity: z.string(), from_address: z.string().nullable().describe('The largest input; null: newly mined'), to_cluster: z.string().nullable(), to_entity: z.string(),
  to_address: z.string().nullable().describe('The largest output that is no change'), inputs: z.number().int(), outputs: z.number().int(), fee_sats: Amount.nullable(),
})

export default operation({
  name: 'list_btc_flows', aliases: ['recent_btc', 'btc_flows', 'get_btc_flows'], route: 'GET /v1/feed/btc/recent', auth: 'key', lane: 'whales', tool: true, cacheSeconds: 10, chain: 'BTC', record: 'btc_flows',
  summary: 'Large Bitcoin movements between owners, after one confirmation: newest block first, then the largest.',
  input: z.object({
    limit: limitField(200, 50), min_btc: z.number().min(0).max(21_000_000_000).default(10).describe('Leave out smaller movements'), hours: z.number().int().min(1).max(168).default(24).describe('Hours back from now'),
    entity_only: z.boolean().default(false).describe('true: only where one side is a known entity'),
  }),
  output: z.array(BtcFlow),
  empty: () => unread('btc_flows'),
  run: (input, ask) => readRecord('btc_flows', input, BtcFlow, ask),
})
