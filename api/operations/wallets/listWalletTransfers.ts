import { z } from 'zod'
import { Address, Amount, EvmAddress, Hash, Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { chainOfAddress, fits, idOf, plainAddress } from '../../addresses.js'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause } from '../../empty.js'
import { addressField, storedField, chainOf, cursorField, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { pageFields, pageOf } from '../../pages.js'
import { statusOfAll } from '../../reach.js'
import { emptyUnlessStored, storedChain } from '../../span.js'
import { untrusted } from '../../untrusted.js'
import { joinedAmong } from '../bitcoin/joined.js'

const listed = { newest: loadSql(import.meta.url, 'listWalletTransfers.sql', 'narrowed'), narrowed: loadSql(import.meta.url, 'listWalletTransfers.sql') } as const
const Transfer = z.object({
  tx_hash: Hash, block_number: z.number().int(), timestamp: Instant, kind: z.enum(['native', 'internal', 'withdrawal', 'erc20', 'erc721', 'erc1155', 'wrap', 'unwrap', 'utxo', 'coinbase']),
  position: z.number().int().describe('Log index, or the place of a native movement in its block'), direction: z.enum(['in', 'out']),
  counterparty: Address.describe('Of Bitcoin the main receiver or sender of the whole transaction, who need not have this amount: get_wallet has who got what'), counterparty_label: z.string().describe('By registers, as known now; empty: none'), counterparty_entity: z.string(), counterparty_class: z.string().describe('coinjoin, with the zero address: any who took part may be it'),
  token: EvmAddress.describe('Zero address: the chain\'s own coin'), token_symbol: z.string().describe('Untrusted text from the chain'), token_decimals: z.number().int().nullable(),
  amount: Amount.describe('In the smallest unit of the token'), token_id: z.string().nullable(), value_usd: z.number().nullable().describe('null: no price or no decimals'),
})
/** Sort position: block, kind, position, sub, direction. */
const Position = z.tuple([z.number().int(), z.number().int(), z.number().int(), z.number().int(), z.number().int()])
const newest = ['18446744073709551615', 127, 4_294_967_295, 4_294_967_295, 127] as const
/** Of what comes out of a CoinJoin any of those who took part may be the sender, and of what goes into one the receiver. */
const oneOfMany = { counterparty: `0x${'0'.repeat(40)}`, counterparty_label: '', counterparty_entity: '', counterparty_class: 'coinjoin' }
const Row = Transfer.extend({ token_symbol: z.string().transform((text) => untrusted(text)), at: Position })

export default operation({
  name: 'list_wallet_transfers', aliases: ['wallet_transfers', 'address_transfers'], route: 'GET /v1/wallets/transfers/{address}', auth: 'key', lane: 'behavioral', tool: true, cacheSeconds: 5,
  sources: ['transfers', 'labels', 'prices'], rows: 'transfers', hours: Infinity,
  summary: 'Every movement of one address, newest first, exact amounts. Use get_wallet for the sums.',
  input: z.object({
    address: addressField, chain: storedField.default('ETH'), direction: z.enum(['in', 'out']).optional().describe('Only received or only sent'), token: z.string().regex(/^0x[0-9a-fA-F]{40}$/).optional().describe('Only this token'), limit: limitField(200, 20), cursor: cursorField,
  }),
  output: z.object({ chain: z.string(), address: z.string(), count: z.number().int(), transfers: z.array(Transfer), ...pageFields, coverage_status: CoverageStatus }),
  empty: (output, ask) => emptyUnlessStored(output) ?? (fits(output.address, output.chain, ask) ? null : emptyBecause('unsupported_input')),
  run: async (input, ask) => {
    const [address, token] = [plainAddress(input.address), input.token?.toLowerCase()]
    const asked = chainOf(input.chain)
    const chain = chainOfAddress(asked, address)
    const { cursors } = ask.services
    const inputs = { chain: chain.id, address, direction: input.direction, token }
    const [block, kind, position, sub, side] = input.cursor === undefined ? newest : cursors.read('list_wallet_transfers', inputs, input.cursor, Position)
    const stored = storedChain(chain)
    const statement = input.cursor === undefined && input.direction === undefined && token === undefined ? listed.newest : listed.narrowed
    const [rows, status] = await Promise.all([
      stored !== null && fits(address, stored, ask) ? ask.store.query(statement, { chain: stored, address: idOf(address, stored), token: token?.slice(2) ?? '', direction: input.direction ?? '', block, kind, position, sub, side, limit: input.limit + 1 }, Row) : [],
      statusOfAll(asked, chain, ask),
    ])
    const { page, more } = pageOf(rows, input.limit, (last) => cursors.write('list_wallet_transfers', inputs, last.at))
    const joined = await joinedAmong(page.filter(({ kind: of }) => of === 'utxo'), ask)
    const transfers = page.map(({ at: _, ...row }) => (row.kind === 'utxo' && joined.has(row.tx_hash) ? { ...row, ...oneOfMany } : row))
    return { chain: chain.id, address, count: page.length, transfers, ...more, coverage_status: status }
  },
})
