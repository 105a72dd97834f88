import { z } from 'zod'
import { operation } from '../../operation.js'
import { At, Coin, Price, Ratio, Size, Usd, venue } from './fields.js'
import { readCovered } from './readings.js'
import { shown } from './shown.js'

const Predicted = z.object({ venue: z.string(), rate: Ratio, interval_hours: z.number().nullable(), next_at: At })
/** formula_rate: of the hour under way, by the venue's formula from the premiums heard. */
const Market = z.object({
  coin: Coin, funding_rate: Ratio, funding_apr: Ratio, premium: Ratio.nullable(), open_interest: Size, open_interest_usd: Usd, mark_price: Price, oracle_price: Price, day_volume_usd: Usd, day_change: Ratio.nullable(),
  formula_rate: Ratio.nullable(), predicted: z.array(Predicted), timestamp: At,
})

export default operation({
  ...shown('funding'), name: 'get_hl_funding', aliases: ['funding_rates', 'get_funding_rates', 'get_open_interest'], route: 'GET /v1/feed/hl/funding', rows: 'markets',
  summary: 'Funding rates and open interest of every coin, the largest open interest first.',
  input: z.object({}),
  output: z.object({ ...venue, count: z.number().int(), markets: z.array(Market) }),
  run: async (_input, ask) => {
    const { rows, answer } = await readCovered('funding', {}, Market, ask)
    return { ...answer, markets: rows }
  },
})
