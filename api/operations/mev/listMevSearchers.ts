import { z } from 'zod'
import { EvmAddress, Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { blockChainOf, ethField, cursorField, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { highestRank, pageFields, pageOf, Ranked } from '../../pages.js'
import { emptyUnlessAccounts, paramsOf, accountSpanOf, Window, windowOf } from '../../span.js'
import { mevKinds } from './find.js'

const listSearchers = loadSql(import.meta.url, 'listSearchers.sql')
const count = z.coerce.number().int()
const Searcher = z.object({
  searcher: EvmAddress, finds: count, sandwiches: count, arbitrages: count, liquidations: count, jit: count, victims: count, unpriced: count.describe('Finds without a price: not in the sums'),
  builder_unknown: count.describe('Finds whose builder payment is not known: profit_usd is too high by it'), gross_usd: z.number().nullable().describe('Of finds with a price; null, as profit_usd: none has one'), profit_usd: z.number().nullable().describe('After gas and known builder payments; where it is null it ranks as 0'),
  victim_loss_usd: z.number().nullable().describe('null: no victim\'s loss has a price'), losses_unpriced: count.describe('Victims whose loss is not known or has no price: in no sum'),
  last_block: count, last_seen: Instant,
})
const Row = Searcher.extend({ rank: z.string() })
const grades = ['high', 'medium', 'low'] as const

export default operation({
  name: 'list_mev_searchers', aliases: ['mev_leaderboard', 'top_searchers'], route: 'GET /v1/mev/searchers', auth: 'public', lane: 'behavioral', tool: true, cacheSeconds: 60, sources: ['mev', 'prices'], rows: 'searchers', empty: emptyUnlessAccounts,
  summary: 'Searchers by profit after costs over the days up to the newest block, losers last.',
  input: z.object({
    chain: ethField.default('ETH'), days: z.number().int().min(1).max(90).default(7).describe('Days back'), kind: z.enum(mevKinds).optional().describe('Only these'),
    confidence: z.enum(grades).default('medium').describe('Least confidence'), limit: limitField(100, 20), cursor: cursorField,
  }),
  output: z.object({ chain: z.string(), days: z.number().int(), window: Window, count: z.number().int(), searchers: z.array(Searcher), ...pageFields, coverage_status: CoverageStatus }),
  run: async (input, ask) => {
    const chain = blockChainOf(input.chain)
    const { cursors, coverage } = ask.services
    const inputs = { chain: chain.id, days: input.days, kind: input.kind, confidence: input.confidence }
    const [until, rank, after] = input.cursor === undefined ? [undefined, highestRank, ''] as const : cursors.read('list_mev_searchers', inputs, input.cursor, Ranked)
    const [status, span] = await Promise.all([coverage.status(chain.id), accountSpanOf(chain, input.days * 24, ask, false, until)])
    const params = { kind: input.kind ?? '', grades: grades.slice(0, grades.indexOf(input.confidence) + 1), rank, after, limit: input.limit + 1 }
    const rows = span === null ? [] : await ask.store.query(listSearchers, { ...paramsOf(span), ...params }, Row)
    const { page, more } = pageOf(rows, input.limit, (last) => cursors.write('list_mev_searchers', inputs, [span?.to, last.rank, last.searcher]))
    return { chain: chain.id, days: input.days, window: windowOf(span), count: page.length, searchers: page.map(({ rank: _, ...searcher }) => searcher), ...more, coverage_status: status }
  },
})
