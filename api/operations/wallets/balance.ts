/** What is left of each token after all that is indexed, and whether that is a balance. */
import { z } from 'zod'
import { EvmAddress } from '../../../schemas/primitives.js'
import { untrusted } from '../../untrusted.js'

export const Balance = z.object({
  token: EvmAddress, token_symbol: z.string(), token_decimals: z.number().int().nullable(), nft: z.boolean(), transfers: z.number().int(), net_amount: z.string().nullable().describe('Signed, smallest unit; null: one was absurd'),
  complete: z.boolean().describe('false: net of what is indexed, not a balance'),
  incomplete_because: z.enum(['history_not_whole', 'coin_moves_without_transfers', 'rebasing', 'less_than_nothing', 'absurd_amount']).nullable().describe('A fee or a rebase nobody lists stays unseen'), value_usd: z.number().nullable(),
})
export type Balance = z.infer<typeof Balance>

export const BalanceRow = Balance.omit({ complete: true, incomplete_because: true }).extend({ nft: z.coerce.boolean(), rebasing: z.coerce.boolean(), token_symbol: z.string().transform((text) => untrusted(text)) })
const coin = `0x${'00'.repeat(20)}`

/** Fees, rewards and the genesis move the coin without a transfer; a token of which more left than came had some without one, too. */
const reasonOf = ({ token, net_amount: net, rebasing }: z.infer<typeof BalanceRow>, whole: boolean): Balance['incomplete_because'] =>
  (!whole ? 'history_not_whole' : token === coin ? 'coin_moves_without_transfers' : rebasing ? 'rebasing' : net === null ? 'absurd_amount' : net.startsWith('-') ? 'less_than_nothing' : null)

/** `rows` with what they are worth as balances; `whole`: every block of the chain is indexed. */
export const balancesOf = (rows: readonly z.infer<typeof BalanceRow>[], whole: boolean): Balance[] => rows.map((row) => {
  const reason = reasonOf(row, whole)
  const { rebasing: _, ...rest } = row
  return { ...rest, complete: reason === null, incomplete_because: reason }
})
