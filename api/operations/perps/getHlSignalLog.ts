import { z } from 'zod'
import { limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { At, Coin, Price, Ratio, Side, Usd, venue } from './fields.js'
import { perps, readCovered } from './readings.js'

/** Accounted with a fixed quantity, after fees, slippage and funding; an open one is marked to market. Prices are those of the tape; path: the worst and best on the way, of the entry. reconstructed: its data were heard long after, so nobody was told then. */
const Logged = z.object({
  id: z.string(), version: z.string(), strategy: z.string(), coin: Coin, side: Side, status: z.enum(['open', 'closed']), signalled_at: At, entry_at: At.nullable(), entry_price: Price.nullable(), stop_price: Price.nullable(),
  target_price: Price.nullable(), exit_at: At.nullable(), exit_price: Price.nullable(), exit_reason: z.enum(['target', 'stop', 'horizon', 'reverse', 'manual']).nullable(), quantity_usd: Usd, pnl_usd: Usd.nullable(),
  costs: z.object({ fee_usd: Usd.nullable(), slippage_usd: Usd.nullable(), funding_usd: Usd.nullable() }), pnl: Ratio.nullable(), path: z.object({ worst: Ratio.nullable(), best: Ratio.nullable() }), archived: z.boolean(), reconstructed: z.boolean(),
})

export default operation({
  ...perps('signal_log'), name: 'get_hl_signal_log', route: 'GET /v1/feed/hl/signal-log', rows: 'signals',
  summary: 'Signals given and what became of them.',
  input: z.object({
    status: z.enum(['all', 'open', 'closed']).default('all').describe('Of the signals'), version: z.enum(['v3', 'v4', 'v5', 'v6', 'v7', 'all']).default('v3').describe('Of the model'),
    limit: limitField(500, 100), archived: z.boolean().default(false).describe('Also archived ones'),
  }),
  output: z.object({ ...venue, status: z.string(), version: z.string(), limit: z.number().int(), archived: z.boolean(), count: z.number().int(), signals: z.array(Logged) }),
  run: async (input, ask) => {
    const { rows, answer } = await readCovered('signal_log', input, Logged, ask)
    return { ...answer, ...input, signals: rows }
  },
})
