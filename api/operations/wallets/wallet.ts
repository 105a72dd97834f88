/** An address in a list: what it is, and what it moved from…to. */
import { z } from 'zod'
import { Address, Instant } from '../../../schemas/primitives.js'
import { dollarsOf } from '../../unpriced.js'

const usd = z.number().nullable()
export const Wallet = z.object({
  chain: z.string(), address: Address, label: z.string(), entity: z.string(), classification: z.string(), transfers_in: z.number().int(), transfers_out: z.number().int(), usd_in: usd.describe('Of what has a price, as the others: of a token that no list names, what its own pools say. null on BTC: nothing has'), usd_out: usd,
  volume_usd: usd, unpriced: z.number().int().optional().describe('Of BTC in the last day: transfers without a price, in no sum by dollars; who has only such comes last, the most bitcoin first'), first_seen: Instant.nullable().describe('Within from…to'), last_seen: Instant.nullable(), from: Instant.nullable().describe('What the sums cover; null: all of the index'), to: Instant.nullable(),
})
export type Wallet = z.infer<typeof Wallet>
const priced = { usd_in: z.number(), usd_out: z.number(), volume_usd: z.number() }
export const WalletRow = Wallet.omit({ chain: true, from: true, to: true }).extend(priced)

/** `row` of `chain` with its dollars: of what moved on Bitcoin they are unknown where none of it had a price, and no 0. */
export const knownWallet = <Row extends z.infer<typeof WalletRow>>(row: Row, chain: string) => {
  const [bitcoin, ins, outs] = [chain === 'BTC', row.transfers_in, row.transfers_out]
  return { ...row, usd_in: dollarsOf(bitcoin && ins > 0, row.usd_in), usd_out: dollarsOf(bitcoin && outs > 0, row.usd_out), volume_usd: dollarsOf(bitcoin && ins + outs > 0, row.volume_usd) }
}
