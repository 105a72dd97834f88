import { z } from 'zod'
import { operation } from '../../operation.js'
import { At, Coin, Price, Side, venue } from './fields.js'
import { perps, readCovered } from './readings.js'

/** Components run from -1 (short) to 1 (long); null: not enough data. */
const Alpha = z.object({
  coin: Coin, score: z.number(), side: Side.nullable(), funding: z.number().nullable(), open_interest: z.number().nullable(), flow: z.number().nullable(), book: z.number().nullable(), smart_money: z.number().nullable(),
  liquidations: z.number().nullable(), mark_price: Price, timestamp: At,
})

export default operation({
  ...perps('alpha'), name: 'get_hl_alpha', route: 'GET /v1/feed/hl/alpha', rows: 'coins',
  summary: 'Each coin’s directional score and what it is made of, the strongest first.',
  input: z.object({}),
  output: z.object({ ...venue, count: z.number().int(), coins: z.array(Alpha) }),
  run: async (_input, ask) => {
    const { rows, answer } = await readCovered('alpha', {}, Alpha, ask)
    return { ...answer, coins: rows }
  },
})
