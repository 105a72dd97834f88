/** One swap event of a transaction. */
import { z } from 'zod'
import { Amount, EvmAddress, Hash } from '../../../schemas/primitives.js'
import { untrusted } from '../../untrusted.js'

export const Hop = z.object({
  log_index: z.number().int(), protocol: z.string(), aggregator: z.boolean().describe('true: repeats the pools\' rows, do not add up'), pool: Hash.describe('Address left-padded, or a pool id'), trusted: z.boolean().describe('The pool comes from a known factory'),
  trader: EvmAddress, sender: EvmAddress, recipient: EvmAddress,
  token_sold: EvmAddress.nullable().describe('null: not resolved; zero address: the chain\'s own coin'), token_sold_symbol: z.string(), token_sold_decimals: z.number().int().nullable(), amount_sold: Amount,
  token_bought: EvmAddress.nullable(), token_bought_symbol: z.string(), token_bought_decimals: z.number().int().nullable(), amount_bought: Amount,
  value_usd: z.number().nullable(), price_method: z.string(), price_side: z.string(),
})
const symbol = z.string().transform((text) => untrusted(text))
export const HopRow = Hop.extend({ token_sold_symbol: symbol, token_bought_symbol: symbol, block_number: z.number().int() })
