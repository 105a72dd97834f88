import { z } from 'zod'
import { limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { At, FundingKnown, Ratio, Style, Trader, Usd, venue } from './fields.js'
import { judged, readJudged, withUnsaid } from './judged.js'
import { pagedInput, pagedOutput, Standing, top, turn } from './paged.js'

/** Profit is net of fees and of the funding that was heard (funding_known); a trade is a round trip from flat to flat. null: too few trades to tell. */
export const Skill = z.object({
  rank: z.number().int(), address: Trader, trades: z.number().int(), win_rate: Ratio.nullable(), profit_factor: Ratio.nullable(), realised_pnl_usd: Usd, funding_known: FundingKnown, volume_usd: Usd, roi: Ratio.nullable(),
  sharpe: z.number().nullable(), max_drawdown: Ratio.nullable(), style: Style.nullable(), history_truncated: z.boolean(), window_days: z.number().int().describe('Days it was judged by'), first_trade_at: At, last_trade_at: At,
})

const Row = Skill.extend({ at: z.tuple([z.string(), z.number(), z.string()]) })

export default operation({
  ...judged('traders'), name: 'get_hl_traders', aliases: ['get_top_traders'], route: 'GET /v1/feed/hl/traders', rows: 'traders',
  summary: 'Accounts by realised profit and skill. Use get_hl_trader for one of them.',
  input: z.object({ limit: limitField(100, 20), min_trades: z.number().int().min(1).default(3).describe('Round trips an account must have'), ...pagedInput }),
  output: z.object({ ...venue, limit: z.number().int(), min_trades: z.number().int(), count: z.number().int(), traders: z.array(Skill), ...pagedOutput }),
  run: async ({ cursor, ...input }, ask) => {
    const { at: [run, net, address, rank], page } = turn('get_hl_traders', { min_trades: input.min_trades }, Standing, top, cursor, ask)
    const { rows, answer } = await readJudged('traders', { min_trades: input.min_trades, as_of: run, net, address, rank, limit: input.limit + 1 }, Row, ask)
    const { rows: traders, more } = page(rows, input.limit, (last) => [...last.at, last.rank])
    return { ...answer, ...input, count: traders.length, traders, ...more, coverage_status: await withUnsaid(answer.coverage_status, traders, ask) }
  },
})
