import { z } from 'zod'
import { Hash } from '../../../schemas/primitives.js'
import { limitField, usdField } from '../../fields.js'
import { operation } from '../../operation.js'
import { At, Coin, Price, Size, Trader, Usd, hoursField, venue } from './fields.js'
import { perps, readCovered } from './readings.js'

/** kind liquidation: one party was closed by force; method says how. side is the aggressor's. */
const PerpsEvent = z.object({
  kind: z.enum(['trade', 'liquidation']), coin: Coin, side: z.enum(['buy', 'sell']), price: Price, size: Size, value_usd: Usd, timestamp: At, hash: Hash, trade_id: z.string(),
  buyer: Trader, seller: Trader, taker: Trader, liquidated: Trader.nullable(), method: z.enum(['market', 'backstop']).nullable(),
})

export default operation({
  ...perps('events'), name: 'get_hl_recent', aliases: ['get_hl_trades', 'get_hl_liquidations'], route: 'GET /v1/feed/hl/recent', rows: 'events',
  summary: 'Large trades and liquidations on the perps venue, newest first.',
  input: z.object({ hours: hoursField(1, 168, 24), min_usd: usdField(10_000), limit: limitField(5_000, 50) }),
  output: z.object({ ...venue, hours: z.number().int(), min_usd: z.number(), limit: z.number().int(), count: z.number().int(), events: z.array(PerpsEvent) }),
  run: async (input, ask) => {
    const { rows, answer } = await readCovered('events', input, PerpsEvent, ask)
    return { ...answer, ...input, events: rows }
  },
})
