/** An address in a list: what it is, and what it moved from…to. */
import { z } from 'zod'
import { Address, Instant } from '../../../schemas/primitives.js'

export const Wallet = z.object({
  chain: z.string(), address: Address, label: z.string(), entity: z.string(), classification: z.string(), transfers_in: z.number().int(), transfers_out: z.number().int(), usd_in: z.number(), usd_out: z.number(),
  volume_usd: z.number(), first_seen: Instant.nullable().describe('Within from…to'), last_seen: Instant.nullable(), from: Instant.nullable().describe('What the sums cover; null: all of the index'), to: Instant.nullable(),
})
export type Wallet = z.infer<typeof Wallet>
export const WalletRow = Wallet.omit({ chain: true, from: true, to: true })
