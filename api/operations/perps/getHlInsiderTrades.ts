import { z } from 'zod'
import { operation } from '../../operation.js'
import { At, Coin, Evidence, Price, Ratio, Side, Trader, Usd, hoursField, venue } from './fields.js'
import { judged, readJudged } from './judged.js'

const Informed = z.object({
  address: Trader, coin: Coin, side: Side, score: z.number(), opened_at: At, entry_price: Price, value_usd: Usd, leverage: z.number().nullable(), moved: Ratio.nullable(), moved_hours: z.number(), pnl_usd: Usd.nullable(), evidence: Evidence,
})

export default operation({
  ...judged('insider_trades'), name: 'get_hl_insider_trades', route: 'GET /v1/feed/hl/insider-trades', rows: 'trades',
  summary: 'Trades opened shortly before a move in their favour: suspected, with the evidence, never proven.',
  input: z.object({ hours: hoursField(1, 720, 72) }),
  output: z.object({ ...venue, hours: z.number().int(), count: z.number().int(), trades: z.array(Informed) }),
  run: async (input, ask) => {
    const { rows, answer } = await readJudged('insider_trades', input, Informed, ask)
    return { ...answer, ...input, trades: rows }
  },
})
