/** A block as the API gives it. */
import { z } from 'zod'
import { Amount, EvmAddress, Hash, Instant } from '../../../schemas/primitives.js'

export const Block = z.object({
  chain: z.string(), number: z.number().int(), hash: Hash, parent_hash: Hash, timestamp: Instant, miner: EvmAddress, gas_used: Amount, gas_limit: Amount,
  base_fee_per_gas: Amount.nullable().describe('Wei; null before London'), difficulty: Amount, size: Amount.describe('Bytes'), extra_data: z.string().describe('Hex'),
  tx_count: z.number().int(), log_count: z.number().int(), withdrawal_count: z.number().int(), blob_gas_used: Amount.nullable(), excess_blob_gas: Amount.nullable(),
  internal_complete: z.boolean().describe('false: movements of coin inside transactions are not known for this block'),
})

export const BlockDetail = Block.extend({
  transactions: z.object({
    count: z.number().int(), succeeded: z.number().int(), failed: z.number().int(), contracts_created: z.number().int(), senders: z.number().int(), receivers: z.number().int(),
    value: Amount.describe('Wei sent along with transactions that succeeded'), fees: Amount.describe('Wei paid for gas, base fee included'),
  }).describe('Summary of the transactions in the block'),
})
