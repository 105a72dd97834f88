import { z } from 'zod'
import { Hash } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { cursorField, limitField, usdField } from '../../fields.js'
import { operation, type Ask } from '../../operation.js'
import { pageFields, pageOf } from '../../pages.js'
import { At, Coin, Price, Size, Trader, Usd, hoursField, venue } from './fields.js'
import { covered, perps, read } from './readings.js'

/** kind liquidation: one party was closed by force; method says how. What was auto-deleveraged is a trade. side is the aggressor's, or of a forced fill what the account had to do. null: that side was not heard. */
const PerpsEvent = z.object({
  kind: z.enum(['trade', 'liquidation']), coin: Coin, side: z.enum(['buy', 'sell']), price: Price, size: Size, value_usd: Usd, timestamp: At, hash: Hash, trade_id: z.string(),
  buyer: Trader.nullable(), seller: Trader.nullable(), taker: Trader.nullable(), liquidated: Trader.nullable(), method: z.enum(['market', 'backstop']).nullable(),
})

/** Sort position: since when the list reads, and of its last row time (both Unix milliseconds), coin, trade id and what tells apart those without one. */
const Position = z.tuple([z.number().int().min(0), z.number().int().min(0), z.string().max(64), z.string().regex(/^\d{1,20}$/), z.string().regex(/^\d{1,20}$/)])
/** coin as it is stored, by which pages go on. */
const Row = PerpsEvent.omit({ taker: true }).extend({ coin: z.string(), hash: z.string(), buyer: z.string(), seller: z.string(), liquidated: z.string(), method: z.string(), heard: z.boolean(), apart: z.string() })
const nobody = '0'.repeat(40)
const written = (hex: string): string => `0x${hex.toLowerCase()}`
const account = (hex: string): string | null => (hex === nobody ? null : written(hex))
/** How the row of a trade is said; the taker is known where the trade was heard whole. Every member by its name: copying objects of 250 rows cost more than all else that is done with them here. */
const said = ({ kind, coin, side, price, size, value_usd, timestamp, hash, trade_id, buyer, seller, liquidated, method, heard }: z.infer<typeof Row>): z.infer<typeof PerpsEvent> => {
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

const newestTrades = loadSql(import.meta.url, 'getHlNewest.sql')
const Heard = Row.omit({ kind: true, apart: true, heard: true, liquidated: true, method: true }).extend({ newest: z.boolean() })
interface Wanted { readonly from: number; readonly before: number; readonly coin: string; readonly tid: string; readonly extra: string; readonly min_usd: number; readonly limit: number; readonly entered: number | string }

/** The rows of a first page where all are newer than anything that stands; undefined where they are not. */
const readNewest = async (wanted: Wanted, ask: Ask): Promise<z.infer<typeof Row>[] | undefined> => {
  const rows = await ask.store.query(newestTrades, { ...wanted }, Heard, { max_threads: 1 })
  if (rows.length < wanted.limit || rows.at(-1)?.newest !== true) return undefined
  return rows.map(({ coin, side, price, size, value_usd, timestamp, hash, trade_id, buyer, seller }) => ({ kind: 'trade', coin, side, price, size, value_usd, timestamp, hash, trade_id, buyer, seller, apart: '0', heard: true, liquidated: nobody, method: '' }))
}

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
    const page1 = async () => (first && waiting !== none && behind > 0 ? await readNewest(wanted, ask) : undefined) ?? read('events', wanted, Row, ask, { threads: input.hours <= fewHours ? 1 : undefined, first })
    const { rows, answer } = await covered(page1(), wanted, ask)
    const { page, more } = pageOf(rows, input.limit, ({ timestamp, coin: of, trade_id: id, apart }) => cursors.write('get_hl_recent', inputs, [from, Date.parse(timestamp), of, id, apart]))
    return { ...answer, ...input, count: page.length, events: page.map(said), ...more }
  },
})
