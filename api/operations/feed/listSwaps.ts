import { z } from 'zod'
import { AppError } from '../../../schemas/errors.js'
import { Amount, EvmAddress, Hash, Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { ethField, chainOf, cursorField, limitField, usdField } from '../../fields.js'
import { operation } from '../../operation.js'
import { lastPlace, newestHeight, pageFields, pageOf } from '../../pages.js'
import { paramsOf, accountSpanOf, Window, windowOf } from '../../span.js'
import { emptyIfUnpriced, swapsUnpriced } from '../../unpriced.js'
import { untrusted } from '../../untrusted.js'

const listSwaps = loadSql(import.meta.url, 'listSwaps.sql')
const Swap = z.object({
  tx_hash: Hash, block_number: z.number().int(), timestamp: Instant, trader: EvmAddress, hops: z.number().int(), protocols: z.array(z.string()),
  token_sold: EvmAddress.nullable().describe('null: not resolved'), token_sold_symbol: z.string(), amount_sold: Amount,
  token_bought: EvmAddress.nullable(), token_bought_symbol: z.string(), amount_bought: Amount, value_usd: z.number().nullable().describe('Of its legs with a price; null: none has one'),
})
const symbol = z.string().transform((text) => untrusted(text))
const { value_usd: _usd, ...common } = Swap.shape
const Row = z.object({ ...common, token_sold: z.string(), token_bought: z.string(), token_sold_symbol: symbol, token_bought_symbol: symbol, usd: z.number().nullable(), tx_index: z.number().int() })
/** Sort position: the end of the hour in Unix milliseconds, height, place in the block. */
const Position = z.tuple([z.number().int(), z.number().int(), z.number().int()])

export default operation({
  name: 'list_swaps', aliases: ['recent_swaps', 'get_swaps', 'get_recent_swaps'], route: 'GET /v1/feed/swaps/recent', auth: 'public', lane: 'market', tool: true, cacheSeconds: 30, sources: ['swaps', 'transfers', 'prices'], rows: 'swaps', hours: 1,
  summary: 'Swaps of the last indexed hour, one row per transaction, newest first. Use list_hops for the legs of one.',
  input: z.object({ chain: ethField.default('ETH'), limit: limitField(50, 10), min_usd: usdField(10_000), cursor: cursorField }),
  output: z.object({
    chain: z.string(), min_usd: z.number(), count: z.number().int(), window: Window, swaps: z.array(Swap), ...pageFields, coverage_status: CoverageStatus,
  }),
  empty: emptyIfUnpriced,
  run: async (input, ask) => {
    const chain = chainOf(input.chain)
    if (chain.id !== 'ETH') throw new AppError('UNKNOWN_CHAIN', 'Swaps are read from Ethereum only', { status: 404, body: { received: input.chain, valid_chains: ['ETH'], hint: 'This operation covers ETH only.' } })
    const { cursors, coverage } = ask.services
    const inputs = { chain: chain.id, min_usd: input.min_usd }
    const [until, block, index] = input.cursor === undefined ? [undefined, newestHeight, lastPlace] as const : cursors.read('list_swaps', inputs, input.cursor, Position)
    const [status, span] = await Promise.all([coverage.status(chain.id), accountSpanOf(chain, 1, ask, false, until)])
    const rows = span === null ? [] : await ask.store.query(listSwaps, { ...paramsOf(span), block, index, min_usd: input.min_usd, limit: input.limit + 1 }, Row)
    const { page, more } = pageOf(rows, input.limit, (last) => cursors.write('list_swaps', inputs, [span?.to, last.block_number, last.tx_index]))
    // Without a least worth every swap is listed: none is none, priced or not.
    const unpriced = input.min_usd === 0 && rows.length === 0 ? [] : await swapsUnpriced(span, rows, ask)
    return {
      chain: chain.id, min_usd: input.min_usd, count: page.length, window: windowOf(span), ...more,
      swaps: page.map(({ usd, tx_index: _, ...row }) => ({ ...row, token_sold: row.token_sold === '' ? null : row.token_sold, token_bought: row.token_bought === '' ? null : row.token_bought, value_usd: usd })), coverage_status: { ...status, warnings: [...status.warnings, ...unpriced] },
    }
  },
})
