import { z } from 'zod'
import { operation } from '../../operation.js'
import { At, Coin, Price, Ratio, Usd, coinsField, venue } from './fields.js'
import { readCovered } from './readings.js'
import { shown } from './shown.js'
import { nowhere, withUnlisted } from './unlisted.js'

/** null: the band goes beyond the last level heard of that side, so what rests there is not known. imbalance: of the widest band of which both sides are. */
const Band = z.object({ basis_points: z.number().int(), bid_usd: Usd.nullable(), ask_usd: Usd.nullable() })
const Book = z.object({
  coin: Coin, best_bid: Price.nullable(), best_ask: Price.nullable(), mid: Price.nullable(), spread_basis_points: z.number().nullable(), bands: z.array(Band), imbalance: Ratio.nullable(), timestamp: At,
})

export default operation({
  ...shown('depth'), empty: (output) => nowhere(output, output.coins.length), name: 'get_hl_depth', aliases: ['get_order_book_depth'], route: 'GET /v1/feed/hl/depth', rows: 'books',
  summary: 'Order-book depth of coins: spread, dollars resting within bands around the middle, imbalance.',
  input: z.object({ coins: coinsField }),
  output: z.object({ ...venue, coins: z.array(z.string()), count: z.number().int(), books: z.array(Book) }),
  run: async (input, ask) => {
    const coins = [...new Set(input.coins.split(','))]
    const { rows, answer } = await readCovered('depth', { coins }, Book, ask)
    const without = coins.filter((coin) => !rows.some((book) => book.coin === coin))
    const status = await withUnlisted(answer.coverage_status, without, ask)
    return { ...answer, coins, books: rows, coverage_status: without.length === 0 ? status : { ...status, warnings: [...status.warnings, `No book was heard in the last hour of: ${without.join(', ')}`] } }
  },
})
