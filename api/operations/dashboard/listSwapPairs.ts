import { z } from 'zod'
import { EvmAddress, Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { accountsField, chainOf, cursorField, limitField, usdField } from '../../fields.js'
import { operation } from '../../operation.js'
import { highestRank, pageFields, pageOf, Ranked } from '../../pages.js'
import { emptyUnlessAccounts, paramsOf, accountSpanOf, Window, windowOf } from '../../span.js'
import { listedField, withUnlisted } from '../../unlisted.js'
import { emptyIfUnpriced, swapsUnpriced } from '../../unpriced.js'
import { untrusted } from '../../untrusted.js'

const listSwapPairs = loadSql(import.meta.url, 'listSwapPairs.sql')
const Pair = z.object({
  token_a: EvmAddress, token_a_symbol: z.string(), token_a_listed: listedField, token_b: EvmAddress, token_b_symbol: z.string(), token_b_listed: z.boolean(), swaps: z.number().int(), traders: z.number().int(), volume_usd: z.number().nullable().describe('null: no swap has a price'), volume_listed_usd: z.number().nullable().describe('Of volume_usd, what the coin or a listed token gave the price of: of others their own pools say it'),
  unpriced: z.number().int().describe('Swaps without a price'), trusted_share: z.number().describe('Share of swaps in pools of known factories'), protocols: z.array(z.string()),
  price_a_in_b: z.number().nullable().describe('Of the last swap'), last_swap: Instant,
})
const symbol = z.string().transform((text) => untrusted(text))
const Row = Pair.extend({ token_a_symbol: symbol, token_b_symbol: symbol, token_a_listed: z.coerce.boolean(), token_b_listed: z.coerce.boolean(), rank: z.string(), place: z.string() })

export default operation({
  name: 'list_swap_pairs', aliases: ['swap_pairs'], route: 'GET /v1/dashboard/swap-pairs', auth: 'key', lane: 'market', tool: true, cacheSeconds: 10, sources: ['swaps', 'prices'], rows: 'pairs',
  summary: 'Pairs of tokens by traded volume. Use list_swaps for single swaps.',
  input: z.object({ chain: accountsField.default('ETH'), minutes: z.number().int().min(1).max(1440).default(60).describe('Minutes back'), limit: limitField(50, 10), min_usd: usdField(0), cursor: cursorField }),
  output: z.object({ chain: z.string(), window: Window, count: z.number().int(), pairs: z.array(Pair), ...pageFields, coverage_status: CoverageStatus }),
  empty: (output) => emptyUnlessAccounts(output) ?? emptyIfUnpriced(output),
  run: async (input, ask) => {
    const chain = chainOf(input.chain)
    const { cursors, coverage } = ask.services
    const inputs = { chain: chain.id, minutes: input.minutes, min_usd: input.min_usd }
    const [until, rank, after] = input.cursor === undefined ? [undefined, highestRank, ''] as const : cursors.read('list_swap_pairs', inputs, input.cursor, Ranked)
    const [status, span] = await Promise.all([coverage.status(chain.id), accountSpanOf(chain, input.minutes / 60, ask, false, until)])
    const rows = span === null ? [] : await ask.store.query(listSwapPairs, { ...paramsOf(span), min_usd: input.min_usd, rank, after, limit: input.limit + 1 }, Row)
    const { page, more } = pageOf(rows, input.limit, (last) => cursors.write('list_swap_pairs', inputs, [span?.to, last.rank, last.place]))
    // Without a least worth every pair is listed: none is none, priced or not.
    const unpriced = input.min_usd === 0 && rows.length === 0 ? [] : await swapsUnpriced(span, rows, ask)
    return { chain: chain.id, window: windowOf(span), count: page.length, pairs: page.map(({ rank: _, place: __, ...pair }) => pair), ...more, coverage_status: await withUnlisted({ ...status, warnings: [...status.warnings, ...unpriced] }, chain.id, ask) }
  },
})
