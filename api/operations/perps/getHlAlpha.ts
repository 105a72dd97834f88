import { z } from 'zod'
import { operation } from '../../operation.js'
import { At, Coin, Price, Side, venue } from './fields.js'
import { marked, readMadeSignals } from './made.js'
import { read, readCovered } from './readings.js'
import { shown } from './shown.js'

/** Components run from -1 (short) to 1 (long); null: not enough data. */
const Alpha = z.object({
  coin: Coin, score: z.number(), side: Side.nullable(), funding: z.number().nullable(), open_interest: z.number().nullable(), flow: z.number().nullable(), book: z.number().nullable(), smart_money: z.number().nullable(),
  liquidations: z.number().nullable(), mark_price: Price, timestamp: At,
})

/** One version of one strategy, before the split and after it, net of all costs, against entries by lot. held: gained in both parts and beat the lots; null: too few. */
const OutOfSample = z.object({
  name: z.string(), version: z.string(), archived: z.boolean(), split_at: At, train: z.object({ trades: z.number().int(), basis_points: z.number().nullable() }),
  test: z.object({ trades: z.number().int(), basis_points: z.number().nullable(), low: z.number().nullable(), high: z.number().nullable(), random_entry: z.number().nullable() }), held: z.boolean().nullable(),
})

export default operation({
  ...shown('alpha'), name: 'get_hl_alpha', route: 'GET /v1/feed/hl/alpha', rows: 'coins',
  summary: 'Coins by directional score; how strategies did out of sample.',
  input: z.object({}),
  output: z.object({ ...venue, count: z.number().int(), coins: z.array(Alpha), out_of_sample: z.array(OutOfSample) }),
  run: async (_input, ask) => {
    const [{ rows, answer }, results, under] = await Promise.all([readCovered('alpha', {}, Alpha, ask), read('alpha_results', {}, OutOfSample, ask), readMadeSignals(ask)])
    return { ...answer, coins: rows, out_of_sample: results, coverage_status: marked(answer.coverage_status, results.length > 0 && under) }
  },
})
