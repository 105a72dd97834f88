import { z } from 'zod'
import { knownSince, unknownOf } from '../../known.js'
import { operation } from '../../operation.js'
import { At, Coin, hoursField, Ratio, Usd, venue } from './fields.js'
import { forcedKnown } from './forced.js'
import { perps, readCovered } from './readings.js'

const CoinPulse = z.object({ coin: Coin, volume_usd: Usd, net_usd: Usd, change: Ratio.nullable() })
/** from: of the hours asked for, since the venue was heard. net: what takers bought less what they sold. change: of the price over the window. liquidations, liquidated: null where none was heard and no node's files told of all the window. */
const Pulse = z.object({
  from: At, to: At, trades: z.number().int(), traders: z.number().int(), volume_usd: Usd, buy_usd: Usd, sell_usd: Usd, net_usd: Usd, liquidations: z.number().int().nullable(), liquidated_long_usd: Usd.nullable(), liquidated_short_usd: Usd.nullable(),
  open_interest_usd: Usd.nullable(), mean_funding_rate: Ratio.nullable(), coins: z.array(CoinPulse),
})

const hourMs = 3_600_000
/** Of the last minute some is always on its way. */
const aheadMs = 60_000
const Row = Pulse.extend({ made: z.boolean(), liquidations: z.number().int(), liquidated_long_usd: Usd, liquidated_short_usd: Usd })

export default operation({
  ...perps('pulse'), name: 'get_hl_pulse', aliases: ['perps_pulse', 'get_perps_summary'], route: 'GET /v1/feed/hl/pulse', rows: 'pulse',
  summary: 'The perps venue at a glance: volume, who buys, liquidations, open interest, the busiest coins. Use get_hl_recent for single trades.',
  input: z.object({ hours: hoursField(1, 24, 1) }), output: z.object({ ...venue, hours: z.number().int(), pulse: Pulse.nullable() }),
  run: async ({ hours }, ask) => {
    const view = await ask.services.coverage.view(), asked = Date.now() - hours * hourMs
    const { rows: [row], answer: { chain, coverage_status: status } } = await readCovered('pulse', { hours, known: Math.max(0, (knownSince(view, 'HL') ?? 0) - 1) }, Row, ask)
    // Where nobody listened all the while, that no trade was heard is no number of trades.
    const [silent] = unknownOf(view, 'HL', asked, Date.now())
    if (row === undefined || (row.trades === 0 && silent !== undefined && silent.from <= asked && silent.to >= Date.now() - aheadMs)) return { chain, hours, pulse: null, coverage_status: status }
    const { liquidations, liquidated_long_usd: longs, liquidated_short_usd: shorts } = row, { known, warnings } = await forcedKnown([liquidations, longs, shorts], Date.parse(row.from), ask)
    const forced = { liquidations: known(liquidations), liquidated_long_usd: known(longs), liquidated_short_usd: known(shorts) }
    return { chain, hours, pulse: Pulse.parse({ ...row, ...forced }), coverage_status: { ...status, warnings: [...status.warnings, ...warnings] } }
  },
})
