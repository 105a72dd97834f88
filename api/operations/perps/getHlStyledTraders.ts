import { z } from 'zod'
import { limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { At, FundingKnown, Ratio, Style, Trader, Usd, venue } from './fields.js'
import { judged, readJudged, withUnsaid } from './judged.js'
import { pagedInput, pagedOutput, Standing, top, turn } from './paged.js'

const Styled = z.object({
  address: Trader, style: Style, trades: z.number().int(), win_rate: Ratio.nullable(), payoff: Ratio.nullable(), median_hold_seconds: z.number(), maker_share: Ratio, trades_per_day: z.number(), net_to_gross: Ratio.nullable(),
  realised_pnl_usd: Usd, funding_known: FundingKnown, volume_usd: Usd, liquidations: z.number().int(), reasons: z.array(z.string()), window_days: z.number().int(), last_trade_at: At,
})

const Row = Styled.extend({ at: z.tuple([z.string(), z.number(), z.string()]) })

export default operation({
  ...judged('styles'), name: 'get_hl_styled_traders', route: 'GET /v1/feed/hl/traders/styled', rows: 'traders',
  summary: 'Accounts with the style of their trading and what it was judged by.',
  input: z.object({ limit: limitField(200, 100), ...pagedInput }),
  output: z.object({ ...venue, limit: z.number().int(), count: z.number().int(), traders: z.array(Styled), ...pagedOutput }),
  run: async ({ cursor, limit }, ask) => {
    const { at: [run, net, address], page } = turn('get_hl_styled_traders', {}, Standing, top, cursor, ask)
    const { rows, answer } = await readJudged('styles', { as_of: run, net, address, limit: limit + 1 }, Row, ask)
    const { rows: traders, more } = page(rows, limit, (last) => [...last.at, 0])
    return { ...answer, limit, count: traders.length, traders, ...more, coverage_status: await withUnsaid(answer.coverage_status, traders, ask) }
  },
})
