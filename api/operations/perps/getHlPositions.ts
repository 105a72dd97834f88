import { z } from 'zod'
import { operation } from '../../operation.js'
import { remainderAfter, rowsAfter } from '../../remainder.js'
import { At, Coin, Price, Ratio, Side, Size, Trader, Usd, venue } from './fields.js'
import { aged, unasked } from './observed.js'
import { readCovered } from './readings.js'
import { shown } from './shown.js'

/** As the venue said last of an account it was asked about. liquidation_distance: of the mark price; negative sizes are short. return_on_equity, formula_liquidation_price (first margin tier) and hour_funding_usd (paid is negative) are worked out by the venue's formulas; liquidation_price is what it said. */
export const Position = z.object({
  address: Trader, coin: Coin, side: Side, size: Size, entry_price: Price.nullable(), mark_price: Price, value_usd: Usd, unrealised_pnl_usd: Usd, leverage: z.number(), margin: z.enum(['cross', 'isolated']), margin_used_usd: Usd,
  liquidation_price: Price.nullable(), liquidation_distance: Ratio.nullable(), return_on_equity: Ratio.nullable(), formula_liquidation_price: Price.nullable(), hour_funding_usd: Usd.nullable(), observed_at: At,
})

export default operation({
  ...shown('positions'), name: 'get_hl_positions', aliases: ['get_top_positions'], route: 'GET /v1/feed/hl/positions', rows: 'positions',
  summary: 'The largest open positions of accounts that are followed, with leverage and how far each is from liquidation.',
  input: z.object({ top_n: z.number().int().min(1).max(20).default(10).describe('Positions wanted'), offset: z.number().int().min(0).max(180).default(0).describe('Rows to skip') }),
  remainder: (args, { positions }, given) => remainderAfter(args, positions.length, given, { top_n: positions.length - given }),
  output: z.object({ ...venue, top_n: z.number().int(), count: z.number().int(), positions: z.array(Position) }),
  run: async ({ top_n, offset }, ask) => {
    const [{ rows: all, answer }, whose] = await Promise.all([readCovered('positions', { top_n: offset + top_n, address: '' }, Position, ask), unasked('', ask)])
    const rows = rowsAfter(all, offset), status = answer.coverage_status
    return { ...answer, top_n, count: rows.length, positions: rows, coverage_status: aged(whose === null ? status : { ...status, warnings: [...status.warnings, whose] }, rows) }
  },
})
