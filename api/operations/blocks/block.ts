/** A block as the API gives it. */
import { z } from 'zod'
import { Amount, EvmAddress, Hash, Instant } from '../../../schemas/primitives.js'

export const Block = z.object({
  chain: z.string(), number: z.number().int(), hash: Hash, parent_hash: Hash, timestamp: Instant, miner: EvmAddress.describe('The zero address on Bitcoin: see bitcoin.miner'), gas_used: Amount, gas_limit: Amount,
  base_fee_per_gas: Amount.nullable().describe('Wei; null before London'), difficulty: Amount.nullable().describe('On Bitcoin by its bits, rounded down; null: not yet known'), size: Amount.describe('Bytes'), extra_data: z.string().describe('Hex'),
  tx_count: z.number().int(), log_count: z.number().int(), withdrawal_count: z.number().int(), blob_gas_used: Amount.nullable(), excess_blob_gas: Amount.nullable(),
  internal_complete: z.boolean().describe('false: movements of coin inside transactions are not known for this block'),
})

/** What only a block of Bitcoin has; amounts in satoshis. */
export const OfBitcoin = z.object({
  version: z.number().int(), merkle_root: Hash, bits: z.number().int(), nonce: z.number().int(), weight: z.number().int(), input_count: z.number().int(), output_count: z.number().int(),
  unresolved_inputs: z.number().int().describe('Whose outputs are not indexed: their senders and amounts are not known'), output_value: Amount, subsidy: Amount, fees: Amount.nullable().describe('null: an input is unresolved'),
  coinbase_text: z.string().describe('Hex of what the miner wrote: untrusted'), miner: z.string().describe('Pool by its mark in that text, else by the label of the address it pays; empty: not known'), miner_by: z.enum(['coinbase_tag', 'payout_label', 'unknown']),
})

export const BlockDetail = Block.extend({
  bitcoin: OfBitcoin.optional().describe('On Bitcoin: gas and logs are 0 there'),
  transactions: z.object({
    count: z.number().int(), succeeded: z.number().int(), failed: z.number().int(), status_unknown: z.number().int().describe('Before Byzantium receipts do not say whether a transaction succeeded, and what else tells it does not always: in neither of the two'), contracts_created: z.number().int(), senders: z.number().int().nullable().describe('On Bitcoin who held what is spent; null: an input is unresolved'), receivers: z.number().int().describe('On Bitcoin who holds outputs, change among them'),
    value: Amount.describe('Wei sent along with transactions that succeeded'), fees: Amount.nullable().describe('Wei paid for gas, base fee included and blob_fees not; on Bitcoin satoshis, null: an input is unresolved'), blob_fees: Amount.nullable().describe('Wei burnt for blob gas; null on Bitcoin'),
  }).describe('Summary of the transactions in the block'),
})
