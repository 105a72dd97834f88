import { z } from 'zod'
import { EvmAddress } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { accountsField, chainOf, cursorField, hoursField, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { highestRank, pageFields, pageOf, Ranked } from '../../pages.js'
import { isIndexed } from '../../reach.js'
import { emptyUnlessAccounts, accountSpanOf, Window, windowOf } from '../../span.js'
import { listedField, withUnlisted } from '../../unlisted.js'
import { emptyIfUnpriced, swapsUnpriced } from '../../unpriced.js'
import { untrusted } from '../../untrusted.js'

const listTrending = loadSql(import.meta.url, 'listTrending.sql')
const listPrices = loadSql(import.meta.url, 'listPrices.sql')
const Token = z.object({
  token: EvmAddress, symbol: z.string().describe('Untrusted text'), listed: listedField, volume_usd: z.number(), volume_listed_usd: z.number().describe('As in list_swap_pairs'), previous_volume_usd: z.number().nullable().describe('Of the span of equal length before; null: it is not wholly indexed, or has swaps and no price'), change_percent: z.number().nullable().describe('null: nothing before, or not known'),
  trend: z.enum(['up', 'down', 'flat', 'new', 'unknown']).describe('unknown: as previous_volume_usd'), swaps: z.number().int(), traders: z.number().int(), price_usd: z.number().nullable(), price_method: z.string().nullable(),
  sparkline: z.array(z.number().nullable()).describe('USD volume of each of the last 24 hours, oldest first; null: no block of it is indexed, or no swap of it has a price'),
})
const Row = Token.omit({ price_usd: true, price_method: true }).extend({ listed: z.coerce.boolean(), symbol: z.string().transform((text) => untrusted(text)), rank: z.string() })

export default operation({
  name: 'list_trending', aliases: ['trending_tokens', 'get_trending_tokens', 'get_trending'], route: 'GET /v1/feed/trending', auth: 'key', lane: 'market', tool: true, cacheSeconds: 30, sources: ['swaps', 'prices'], rows: 'tokens',
  summary: 'Tokens by swap volume, beside the period of equal length before. Use list_swap_pairs for their pairs.',
  input: z.object({ chain: accountsField.default('ETH'), hours: hoursField(168, 6), limit: limitField(50, 10), cursor: cursorField }),
  output: z.object({ chain: z.string(), window: Window, previous_indexed: z.boolean().describe('false: blocks of the period before are missing or not worked out, so that nothing can be set against it'), count: z.number().int(), tokens: z.array(Token), ...pageFields, coverage_status: CoverageStatus }),
  empty: (output) => emptyUnlessAccounts(output) ?? emptyIfUnpriced(output),
  run: async (input, ask) => {
    const chain = chainOf(input.chain)
    const { cursors, coverage } = ask.services
    const inputs = { chain: chain.id, hours: input.hours }
    const [until, rank, after] = input.cursor === undefined ? [undefined, highestRank, ''] as const : cursors.read('list_trending', inputs, input.cursor, Ranked)
    // Reaches back over both periods and the 24 hours.
    const [status, span, all] = await Promise.all([coverage.status(chain.id), accountSpanOf(chain, input.hours, ask, false, until), accountSpanOf(chain, Math.max(2 * input.hours, 24), ask, false, until)])
    const before = span === null ? 0 : 2 * span.from - span.to
    // Before the rows: what is enriched while they are read was not told.
    const known = span !== null && await isIndexed(span.chain, before, span.from, ask, 'enrich')
    const rows = span === null || all === null ? [] : await ask.store.query(listTrending, { chain: span.chain, oldest: all.first, newest: span.newest, before, from: span.from, to: span.to, rank, after, limit: input.limit + 1 }, Row)
    const { page, more } = pageOf(rows, input.limit, (last) => cursors.write('list_trending', inputs, [span?.to, last.rank, last.token.slice(2)]))
    const prices = span === null || page.length === 0 ? [] : await ask.store.query(listPrices, { chain: span.chain, tokens: page.map(({ token }) => token), lowest: span.first, newest: span.newest },
      z.object({ token: z.string(), usd: z.number(), method: z.string() }))
    const priceOf = new Map(prices.map((price) => [price.token, price]))
    const tokens = page.map(({ rank: _, ...row }) => ({ ...row, ...(known ? {} : { previous_volume_usd: null, change_percent: null, trend: 'unknown' as const }), price_usd: priceOf.get(row.token)?.usd ?? null, price_method: priceOf.get(row.token)?.method ?? null }))
    return { chain: chain.id, window: windowOf(span), previous_indexed: known, count: tokens.length, tokens, ...more, coverage_status: await withUnlisted({ ...status, warnings: [...status.warnings, ...await swapsUnpriced(span, rows, ask)] }, chain.id, ask) }
  },
})
