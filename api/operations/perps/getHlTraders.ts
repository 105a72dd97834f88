import { z } from 'zod'
import { limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { At, Ratio, Style, Trader, Usd, venue } from './fields.js'
import { judged, readJudged } from './judged.js'

/** Profit is net of fees, funding included; a trade is a round trip from flat to flat. null: too few trades to tell. */
export const Skill = z.object({
  rank: z.number().int(), address: Trader, trades: z.number().int(), win_rate: Ratio.nullable(), profit_factor: Ratio.nullable(), realised_pnl_usd: Usd, volume_usd: Usd, roi: Ratio.nullable(),
  sharpe: z.number().nullable(), max_drawdown: Ratio.nullable(), style: Style.nullable(), history_truncated: z.boolean(), first_trade_at: At, last_trade_at: At,
})

export default operation({
  ...judged('traders'), name: 'get_hl_traders', aliases: ['get_top_traders'], route: 'GET /v1/feed/hl/traders', rows: 'traders',
  summary: 'Accounts by realised profit and skill. Use get_hl_trader for one of them.',
  input: z.object({ limit: limitField(100, 20), min_trades: z.number().int().min(1).max(4_294_967_295).default(3).describe('Round trips an account must have') }),
  output: z.object({ ...venue, limit: z.number().int(), min_trades: z.number().int(), count: z.number().int(), traders: z.array(Skill) }),
  run: async (input, ask) => {
    const { rows, answer } = await readJudged('traders', input, Skill, ask)
    return { ...answer, ...input, traders: rows }
  },
})
