/** What is left of each token after all that is indexed, and whether that is a balance. */
import { z } from 'zod'
import { EvmAddress } from '../../../schemas/primitives.js'
import type { Bounds } from '../../ledgerView.js'
import { hasNoGap, isWhole } from '../../reach.js'
import { untrusted } from '../../untrusted.js'

export const Balance = z.object({
  token: EvmAddress, token_symbol: z.string(), token_decimals: z.number().int().nullable(), nft: z.boolean(), transfers: z.number().int(), net_amount: z.string().nullable().describe('Signed, smallest unit; null: one was absurd'),
  complete: z.boolean().describe('false: net of what is indexed, not a balance'),
  incomplete_because: z.enum(['history_not_whole', 'inputs_unresolved', 'coin_moves_without_transfers', 'rebasing', 'less_than_nothing', 'absurd_amount']).nullable().describe('A fee or a rebase nobody lists stays unseen; inputs_unresolved: inputs of Bitcoin whose outputs are not known may have spent it'), value_usd: z.number().nullable(),
})
export type Balance = z.infer<typeof Balance>

export const BalanceRow = Balance.omit({ complete: true, incomplete_because: true }).extend({ nft: z.coerce.boolean(), rebasing: z.coerce.boolean(), token_symbol: z.string().transform((text) => untrusted(text)) })
const coin = `0x${'00'.repeat(20)}`

/** Of accounts: fees, rewards and the genesis move the coin without a transfer; a token of which more left than came had some without one, too. On Bitcoin every output and every input that is resolved counts. */
const reasonOf = ({ token, net_amount: net, rebasing }: z.infer<typeof BalanceRow>, bounds: Bounds | undefined): Balance['incomplete_because'] =>
  (!hasNoGap(bounds) ? 'history_not_whole' : !isWhole(bounds) ? 'inputs_unresolved' : token === coin && bounds?.chain !== 'BTC' ? 'coin_moves_without_transfers' : rebasing ? 'rebasing'
    : net === null ? 'absurd_amount' : net.startsWith('-') ? 'less_than_nothing' : null)

/** `rows` with what they are worth as balances; `bounds`: what is indexed of the chain. */
export const balancesOf = (rows: readonly z.infer<typeof BalanceRow>[], bounds: Bounds | undefined): Balance[] => rows.map((row) => {
  const reason = reasonOf(row, bounds)
  const { rebasing: _, ...rest } = row
  return { ...rest, complete: reason === null, incomplete_because: reason }
})
