import { z } from 'zod'
import { Hash } from '../../../schemas/primitives.js'
import { cursorField, limitField, usdField } from '../../fields.js'
import { operation } from '../../operation.js'
import { pageFields, pageOf } from '../../pages.js'
import { At, Coin, Price, Size, Trader, Usd, hoursField, venue } from './fields.js'
import { nobody, readNewest, Recent } from './newest.js'
import { covered, perps, read } from './readings.js'

/** kind liquidation: one party was closed by force; method says how. What was auto-deleveraged is a trade. side is the aggressor's, or of a forced fill what the account had to do. null: that side was not heard. */
const PerpsEvent = z.object({
  kind: z.enum(['trade', 'liquidation']), coin: Coin, side: z.enum(['buy', 'sell']), price: Price, size: Size, value_usd: Usd, timestamp: At, hash: Hash, trade_id: z.string(),
  buyer: Trader.nullable(), seller: Trader.nullable(), taker: Trader.nullable(), liquidated: Trader.nullable(), method: z.enum(['market', 'backstop']).nullable(),
})

/** Sort position: since when the list reads, and of its last row time (both Unix milliseconds), coin, trade id and what tells apart those without one. */
const Position = z.tuple([z.number().int().min(0), z.number().int().min(0), z.string(), z.string().regex(/^\d{1,20}$/), z.string().regex(/^\d{1,20}$/)])
const written = (hex: string): string => `0x${hex.toLowerCase()}`
const account = (hex: string): string | null => (hex === nobody ? null : written(hex))
/** How the row of a trade is said; the taker is known where the trade was heard whole. Every member by its name: copying objects of 250 rows cost more than all else that is done with them here. */
const said = ({ kind, coin, side, price, size, value_usd, timestamp, hash, trade_id, buyer, seller, liquidated, method, heard }: Recent): z.infer<typeof PerpsEvent> => {
  const bought = account(buyer), sold = account(seller)
  return {
    kind, coin: Coin.parse(coin), side, price, size, value_usd, timestamp, hash: written(hash), trade_id, buyer: bought, seller: sold, taker: !heard ? null : side === 'buy' ? bought : sold,
    liquidated: account(liquidated), method: method === 'market' || method === 'backstop' ? method : null,
  }
}
const dayMs = 86_400_000
/** Segments that wait for enrich, at most, to be answered as they were said: further behind, what stands between would be left out. */
const most = 300
const none = '18446744073709551615'
/** What is asked many times a second: read sooner than further threads of the server have come to it, above all where it is busy. */
const fewHours = 1

export default operation({
  // A trade is to be seen within tenths of a second.
  ...perps('events'), cacheSeconds: 0.05, name: 'get_hl_recent', aliases: ['get_hl_trades', 'get_hl_liquidations'], route: 'GET /v1/feed/hl/recent', rows: 'events',
  summary: 'Large trades and liquidations on the perps venue, newest first.',
  input: z.object({ hours: hoursField(1, 168, 24), min_usd: usdField(10_000), limit: limitField(5_000, 50), cursor: cursorField }),
  output: z.object({ ...venue, hours: z.number().int(), min_usd: z.number(), limit: z.number().int(), count: z.number().int(), events: z.array(PerpsEvent), ...pageFields }),
  run: async ({ cursor, ...input }, ask) => {
    const { cursors } = ask.services
    const inputs = { hours: input.hours, min_usd: input.min_usd }
    // Clocks differ: what is said to come from the next day is the newest.
    const [from, before, coin, tid, extra] = cursor === undefined ? [Date.now() - input.hours * 3_600_000, Date.now() + dayMs, '', '0', '0'] as const : cursors.read('get_hl_recent', inputs, cursor, Position)
    const view = await ask.services.coverage.view(), entered = view.entered.get('HL') ?? 0
    const behind = (view.heads.get('HL')?.number ?? Infinity) - entered
    const waiting = entered > 0 && behind <= most ? entered : none
    const wanted = { from, before, coin, tid, extra, min_usd: input.min_usd, limit: input.limit + 1, entered: waiting }, first = cursor === undefined
    const reading = async () => (first && waiting !== none && behind > 0 ? await readNewest(wanted, view, ask) : undefined) ?? read('events', wanted, Recent, ask, { threads: input.hours <= fewHours ? 1 : undefined, first })
    const { rows, answer } = await covered(reading(), wanted, ask)
    const { page, more } = pageOf(rows, input.limit, ({ timestamp, coin: of, trade_id: id, apart }) => cursors.write('get_hl_recent', inputs, [from, Date.parse(timestamp), of, id, apart]))
    return { ...answer, ...input, count: page.length, events: page.map(said), ...more }
  },
})
