import { z } from 'zod'
import { EvmAddress, Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause } from '../../empty.js'
import { accountsField, chainOf, cursorField, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { pageFields, pageOf } from '../../pages.js'
import { accountChain, accountSpanOf, emptyUnlessAccounts, Window, windowOf } from '../../span.js'

const listLeaders = loadSql(import.meta.url, 'listLeaders.sql')
const leaderRun = loadSql(import.meta.url, 'leaderRun.sql')
const number = z.number(), whole = z.number().int()
const Rule = z.object({ id: z.string(), version: whole, parameters: z.record(z.string(), z.union([number, z.array(z.string())])) })
const Leader = z.object({
  rank: whole, address: EvmAddress, label: z.string(), leader: z.boolean(), net_usd: number, realised_usd: number, realised_usd_fifo: number, gas_usd: number, gas_unpriced: whole.nullable().describe('Transactions whose gas has no price: 0 in gas_usd and net_usd; null: an older board, not counted'), volume_usd: number,
  trades: whole, closed: whole, wins: whole, tokens: whole, best_token: EvmAddress, best_token_usd: number, unknown_share: number, hold_hours: number,
})
const Run = z.object({ as_of: number, as_of_time: z.string(), in_force_from: number, rule: z.string(), version: number, scored: number, leaders: number }).catchall(z.union([number, z.array(z.string())]))
const Row = Leader.omit({ rank: true }).extend({ place: whole, scored: whole, leader: z.coerce.boolean() })
/** Sort position: the height a board is of, the version of the rule it goes by, and a place on it. */
const Position = z.tuple([whole, whole, whole])

export default operation({
  name: 'list_leaders', aliases: ['smart_money_leaderboard', 'top_traders'], route: 'GET /v1/smart-money/leaderboard', auth: 'key', lane: 'behavioral', tool: true, cacheSeconds: 60,
  sources: ['wallet_trades', 'address_transfers', 'prices', 'labels'], rows: 'wallets',
  summary: 'Wallets ranked by realised profit from trading over 30, 90 or 180 days, losers kept, by an open rule.',
  input: z.object({
    chain: accountsField.default('ETH'), days: z.literal([30, 90, 180]).default(30).describe('Days the ranking covers'), order: z.enum(['best', 'worst']).default('best').describe('Which end first'),
    leaders_only: z.boolean().default(false).describe('Only those the rule calls leaders'), limit: limitField(100, 20), cursor: cursorField,
  }),
  output: z.object({
    chain: z.string(), days: whole, rule: Rule.nullable(), as_of_block: whole.nullable(), as_of: Instant.nullable(), in_force_from: whole.nullable(), window: Window, scored: whole, leaders: whole, count: whole, wallets: z.array(Leader), ...pageFields,
    coverage_status: CoverageStatus,
  }),
  // Without a run nobody was looked at.
  empty: (output) => emptyUnlessAccounts(output) ?? (output.rule === null ? emptyBecause('data_gap') : null),
  run: async (input, ask) => {
    const chain = chainOf(input.chain)
    const { cursors, coverage } = ask.services
    const inputs = { chain: chain.id, days: input.days, order: input.order, leaders_only: input.leaders_only }
    const [asOf, by, below] = input.cursor === undefined ? [0, 0, 0] as const : cursors.read('list_leaders', inputs, input.cursor, Position)
    const stored = accountChain(chain)
    const [status, [run]] = await Promise.all([coverage.status(chain.id), stored === null ? [] : ask.store.query(leaderRun, { chain: stored, as_of: asOf, version: by, days: input.days }, Run)])
    if (stored === null || run === undefined) {
      return { chain: chain.id, days: input.days, rule: null, as_of_block: null, as_of: null, in_force_from: null, window: null, scored: 0, leaders: 0, count: 0, wallets: [], next_cursor: null, has_more: false, coverage_status: status }
    }
    const { as_of, as_of_time, in_force_from, rule, version, scored, leaders, ...parameters } = run
    const [span, rows] = await Promise.all([accountSpanOf(chain, input.days * 24, ask, false, Date.parse(as_of_time)), ask.store.query(listLeaders, { chain: stored, days: input.days, rule, version, as_of, in_force_from, worst: input.order === 'worst', only: input.leaders_only, below, limit: input.limit + 1 }, Row)])
    const { page, more } = pageOf(rows, input.limit, ({ place }) => cursors.write('list_leaders', inputs, [as_of, version, place]))
    return {
      chain: chain.id, days: input.days, rule: { id: rule, version, parameters }, as_of_block: as_of, as_of: as_of_time, in_force_from, window: windowOf(span), scored, leaders, count: page.length,
      wallets: page.map(({ place, scored: _, ...row }) => ({ rank: place, ...row })), ...more, coverage_status: status,
    }
  },
})
