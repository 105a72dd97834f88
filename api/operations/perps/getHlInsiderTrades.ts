import { z } from 'zod'
import { limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { At, Coin, Evidence, Price, Ratio, Side, Trader, Usd, hoursField, venue } from './fields.js'
import { judged, readJudged } from './judged.js'
import { Count, Ms, Name, newest, pagedInput, pagedOutput, turn } from './paged.js'

const Informed = z.object({
  address: Trader, coin: Coin, side: Side, score: z.number(), opened_at: At, entry_price: Price, value_usd: Usd, leverage: z.number().nullable(), moved: Ratio.nullable(), moved_hours: z.number(), pnl_usd: Usd.nullable(), evidence: Evidence,
})

/** Of the last row: since when the list reads, when it was opened, account, coin, and its first fill. */
const Position = z.tuple([Ms, Ms, z.string().regex(/^(0x[0-9a-f]{40})?$/), Name, Count, Count, z.number().int().min(0).max(255)])
const Row = Informed.extend({ at: z.tuple([z.number(), z.string(), z.string(), z.string(), z.string(), z.number()]) })

export default operation({
  ...judged('insider_trades'), name: 'get_hl_insider_trades', route: 'GET /v1/feed/hl/insider-trades', rows: 'trades',
  summary: 'Trades opened shortly before a move in their favour: suspected, with the evidence, never proven.',
  input: z.object({ hours: hoursField(1, 720, 72), limit: limitField(500, 500), ...pagedInput }),
  output: z.object({ ...venue, hours: z.number().int(), limit: z.number().int(), count: z.number().int(), trades: z.array(Informed), ...pagedOutput }),
  run: async ({ cursor, hours, limit }, ask) => {
    const { at: [from, before, address, coin, tid, extra, part], page } = turn('get_hl_insider_trades', { hours }, Position, () => [Date.now() - hours * 3_600_000, newest(), '', '', '0', '0', 0], cursor, ask)
    const { rows, answer } = await readJudged('insider_trades', { from, before, address, coin, tid, extra, part, limit: limit + 1 }, Row, ask)
    const { rows: trades, more } = page(rows, limit, ({ at }) => [from, ...at])
    return { ...answer, hours, limit, count: trades.length, trades, ...more }
  },
})
