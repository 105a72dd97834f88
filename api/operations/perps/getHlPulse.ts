import { z } from 'zod'
import { operation } from '../../operation.js'
import { At, Coin, hoursField, Ratio, Usd, venue } from './fields.js'
import { forcedKnown } from './forced.js'
import { perps, readCovered } from './readings.js'

const CoinPulse = z.object({ coin: Coin, volume_usd: Usd, net_usd: Usd, change: Ratio.nullable() })
/** net: what takers bought less what they sold. change: of the price over the window. liquidations, liquidated: null where none was heard and no node's files told of all the window. */
const Pulse = z.object({
  from: At, to: At, trades: z.number().int(), traders: z.number().int(), volume_usd: Usd, buy_usd: Usd, sell_usd: Usd, net_usd: Usd, liquidations: z.number().int().nullable(), liquidated_long_usd: Usd.nullable(), liquidated_short_usd: Usd.nullable(),
  open_interest_usd: Usd.nullable(), mean_funding_rate: Ratio.nullable(), coins: z.array(CoinPulse),
})

const Row = Pulse.extend({ made: z.boolean(), liquidations: z.number().int(), liquidated_long_usd: Usd, liquidated_short_usd: Usd })

export default operation({
  ...perps('pulse'), name: 'get_hl_pulse', aliases: ['perps_pulse', 'get_perps_summary'], route: 'GET /v1/feed/hl/pulse', rows: 'pulse',
  summary: 'The perps venue at a glance: volume, who buys, liquidations, open interest, the busiest coins. Use get_hl_recent for single trades.',
  input: z.object({ hours: hoursField(1, 24, 1) }), output: z.object({ ...venue, hours: z.number().int(), pulse: Pulse.nullable() }),
  run: async ({ hours }, ask) => {
    const { rows: [row], answer: { chain, coverage_status: status } } = await readCovered('pulse', { hours }, Row, ask)
    if (row === undefined) return { chain, hours, pulse: null, coverage_status: status }
    const { liquidations, liquidated_long_usd: longs, liquidated_short_usd: shorts } = row, known = await forcedKnown([liquidations, longs, shorts], Date.parse(row.from), ask)
    const forced = { liquidations: known(liquidations), liquidated_long_usd: known(longs), liquidated_short_usd: known(shorts) }
    return { chain, hours, pulse: Pulse.parse({ ...row, ...forced }), coverage_status: status }
  },
})
