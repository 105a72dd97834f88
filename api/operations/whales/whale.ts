/** A large movement of value as the API gives it. */
import { z } from 'zod'
import type { Chain } from '../../../schemas/chains.js'
import { Address, Amount, EvmAddress, Hash, Instant } from '../../../schemas/primitives.js'
import { endsOf, venueEnd } from '../../byTime.js'
import type { LedgerView } from '../../ledgerView.js'
import { untrusted } from '../../untrusted.js'

export const Whale = z.object({
  chain: z.string(), tx_hash: Hash, block_number: z.number().int(), block_hash: Hash, timestamp: Instant,
  kind: z.enum(['native', 'internal', 'withdrawal', 'erc20', 'erc721', 'erc1155', 'utxo', 'coinbase', 'perp_trade', 'perp_liquidation']).describe('perp_liquidation: the venue itself called it forced'), position: z.number().int().describe('Log index, or the place of a native movement in its block'),
  from_address: Address, from_label: z.string().describe('As known when it was indexed; empty: none'), from_entity: z.string(), from_class: z.string().describe('unresolved: an input is not known, so it may be change; coinjoin: any who took part may have sent it'),
  to_address: Address, to_label: z.string(), to_entity: z.string(), to_class: z.string(),
  token: EvmAddress.describe('Zero address: the chain\'s own coin, or a perp'), token_symbol: z.string().describe('Untrusted text from the chain'), token_decimals: z.number().int().nullable(),
  amount: Amount.describe('In the smallest unit of the token'), value_usd: z.number(), price_method: z.string(),
})

/** Sort position of a row: block, kind, position, sub. */
export const Position = z.tuple([z.number().int(), z.number().int(), z.number().int(), z.number().int()])
/** The same on the perps venue: time (Unix milliseconds), coin, trade id, what tells apart those without one. */
export const PerpsPosition = z.tuple([z.number().int().min(0), z.string(), z.string().regex(/^\d{1,20}$/), z.string().regex(/^\d{1,20}$/)])
/** Above what a block holds (of the venue: a millisecond), below what later ones do. */
export const aboveOf = (at: z.infer<typeof Position> | z.infer<typeof PerpsPosition>): typeof at => (typeof at[1] === 'string' ? [at[0] + 1, '\u{10ffff}', '0', '0'] : [at[0] + 1, 0, 0, 0])
/** The same of all that had come of each chain, and of the venue, by `view`. */
export const endsOfWhales = (chain: Pick<Chain, 'id'>, view: LedgerView): Record<string, z.infer<typeof Position> | z.infer<typeof PerpsPosition>> =>
  ({ HL: [venueEnd(view), '\u{10ffff}', '0', '0'], ...endsOf<z.infer<typeof Position> | z.infer<typeof PerpsPosition>>(chain, view, (height) => [height, 0, 0, 0]) })
export const PerpsWhaleRow = Whale.extend({ token_symbol: z.string().transform((text) => untrusted(text)), size: z.string(), at: PerpsPosition })
export const WhaleRow = Whale.extend({ token_symbol: z.string().transform((text) => untrusted(text)), at: Position })
