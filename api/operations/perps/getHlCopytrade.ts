import { z } from 'zod'
import { operation } from '../../operation.js'
import { cut, firstOf } from '../../cut.js'
import { At, FundingKnown, Ratio, Style, Trader, Usd, venue } from './fields.js'
import { judged, readJudged, withUnsaid } from './judged.js'

const Copied = z.object({
  address: Trader, score: z.number(), style: Style.nullable(), trades: z.number().int(), win_rate: Ratio.nullable(), edge_after_cost: Ratio.nullable(), max_drawdown: Ratio.nullable(), median_hold_seconds: z.number(),
  leverage: z.number().nullable(), realised_pnl_usd: Usd, funding_known: FundingKnown, reasons: z.array(z.string()), judged_at: At,
})

/** A curated list is one that can be read. */
const most = 50

export default operation({
  ...judged('copytrade'), name: 'get_hl_copytrade', route: 'GET /v1/feed/hl/copytrade/curated', rows: 'traders',
  summary: 'Accounts fit to be copied, with the score and why. Use get_hl_trader for one of them.',
  input: z.object({}),
  output: z.object({ ...venue, count: z.number().int(), traders: z.array(Copied), has_more: cut() }),
  run: async (_input, ask) => {
    const { rows: all, answer } = await readJudged('copytrade', { limit: most + 1 }, Copied, ask)
    const { rows: traders, ...more } = firstOf(all, most)
    return { ...answer, traders, ...more, coverage_status: await withUnsaid(answer.coverage_status, traders, ask) }
  },
})
