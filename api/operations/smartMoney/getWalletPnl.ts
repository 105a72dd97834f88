import { z } from 'zod'
import { Instant } from '../../../schemas/primitives.js'
import { chainOfAddress, fits } from '../../addresses.js'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause } from '../../empty.js'
import { addressField, accountsField, chainOf, cursorField, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { pageFields, pageOf } from '../../pages.js'
import { statusOfAll } from '../../reach.js'
import { emptyUnlessAccounts } from '../../span.js'
import { readPnl, tooCrowded, TokenPnl, Totals, type Pnl } from './readPnl.js'

/** Before any block of a chain with accounts, in Unix milliseconds, and above every height. */
const beforeAll = 1_000_000_000_000
/** Sort position: the result in dollars, the token, the time the span ends at (Unix milliseconds; a cursor that has a height there is one of a version before). */
const Below = z.tuple([z.number(), z.string(), z.number().int().min(beforeAll)])

export default operation({
  name: 'get_wallet_pnl', aliases: ['wallet_pnl', 'realised_pnl'], route: 'GET /v1/wallets/{address}/pnl', auth: 'key', lane: 'behavioral', tool: true, cacheSeconds: 15, sources: ['wallet_trades', 'address_transfers', 'prices'], rows: 'tokens', hours: Infinity,
  summary: 'What an address earned by trading: realised by average cost and FIFO, unrealised, gas, by token. Use list_leaders for the best and worst.',
  input: z.object({ address: addressField, chain: accountsField.default('ETH'), days: z.number().int().min(1).max(3_650).optional().describe('Count sales of the last days only'), limit: limitField(100, 20), cursor: cursorField }),
  output: z.object({
    chain: z.string(), address: z.string(), days: z.number().int().nullable(), as_of_block: z.number().int().nullable(), as_of: Instant.nullable(), totals: Totals.nullable().describe('null: no trades, or too many transfers'), count: z.number().int(), tokens: z.array(TokenPnl),
    ...pageFields, coverage_status: CoverageStatus,
  }),
  empty: (output, ask) => emptyUnlessAccounts(output) ?? (fits(output.address, 'ETH', ask) && !output.coverage_status.warnings.includes(tooCrowded) ? null : emptyBecause('unsupported_input')),
  run: async (input, ask) => {
    const address = /^0x/i.test(input.address) ? input.address.toLowerCase() : input.address
    const asked = chainOf(input.chain)
    const chain = chainOfAddress(asked, address)
    const { cursors } = ask.services
    const inputs = { chain: chain.id, address, days: input.days }
    const position = input.cursor === undefined ? undefined : cursors.read('get_wallet_pnl', inputs, input.cursor, Below)
    const days = input.days ?? null
    const nothing: Pnl = { totals: null, rows: [], span: null }
    const [status, { totals, rows, span, crowded }] = await Promise.all([
      statusOfAll(asked, chain, ask),
      fits(address, 'ETH', ask) ? readPnl(chain, address, { days, limit: input.limit + 1, ...(position === undefined ? {} : { below: [position[0], position[1]] as const, until: position[2] }) }, ask) : nothing,
    ])
    const { page, more } = pageOf(rows, input.limit, (last) => cursors.write('get_wallet_pnl', inputs, [last.rank_usd, last.token, span?.to]))
    return {
      chain: chain.id, address, days, as_of_block: span?.newest ?? null, as_of: span === null ? null : new Date(span.to).toISOString(), totals, count: page.length,
      tokens: page.map((row) => TokenPnl.parse(row)), ...more, coverage_status: crowded === true ? { ...status, warnings: [...status.warnings, tooCrowded] } : status,
    }
  },
})
