/** A find of extracted value as the API gives it. */
import { z } from 'zod'
import { Amount, EvmAddress, Hash, Instant } from '../../../schemas/primitives.js'

export const mevKinds = ['sandwich', 'arbitrage', 'liquidation', 'jit'] as const
const Signed = z.string().regex(/^-?\d+$/)
const Pool = z.string().regex(/^0x([0-9a-f]{40}|[0-9a-f]{64})$/)
const usd = z.number().nullable()

export const Find = z.object({
  id: Hash, kind: z.enum(mevKinds), rule: z.string(), rule_version: z.number().int(), confidence: z.enum(['high', 'medium', 'low']), block_number: z.number().int(), block_hash: Hash, timestamp: Instant,
  searcher: EvmAddress.describe('The contract at work, or the account where that contract serves anybody'), account: EvmAddress.describe('Sent the first transaction'), transactions: z.array(Hash), pools: z.array(Pool), protocols: z.array(z.string()),
  legs: z.number().int(), victims: z.number().int(), losses_known: z.number().int().describe('Victims whose loss could be worked out'), victim_loss_usd: usd.describe('Of losses_known; null: none, or one has no price'),
  nets: z.array(z.object({ token: EvmAddress, amount: Signed })).describe('What the searcher came out with, per token; zero address: the coin, wrapped coin included'),
  profit_token: EvmAddress.nullable().describe('The one token with a net of a millionth or more of what went through; null: none or several have'), profit_amount: Signed.nullable().describe('Before costs'), gross_usd: usd.describe('Of nets with a price; null: one of a millionth or more of what went through has none, or no net is so large'),
  gas_cost: Amount.describe('In wei'), builder_payment: Amount.nullable().describe('In wei, to the fee recipient; null: no traces of the block'), gas_usd: usd, builder_usd: usd,
  net_usd: usd.describe('After gas and builder payment; null: one of the three is not known'), internal_complete: z.boolean().describe('false: movements inside transactions are not known'),
})

export const Leg = z.object({
  role: z.string(), own: z.boolean().describe('The searcher\'s'), tx_hash: Hash, tx_index: z.number().int(), log_index: z.number().int(), protocol: z.string(), pool: Pool.describe('Pool or market'), account: EvmAddress,
  token_in: EvmAddress.nullable(), amount_in: Amount, token_out: EvmAddress.nullable(), amount_out: Amount,
  loss: Amount.nullable().describe('What a victim would have got more of token_out'), loss_reason: z.string().describe('Why a victim\'s loss is not known; empty: it is, or the leg is no victim\'s'),
})

/** Sort position: height and id, newest height first. */
export const Position = z.tuple([z.number().int().min(0), Hash])
