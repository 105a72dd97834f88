import { z } from 'zod'
import { isSilent } from '../../known.js'
import { operation } from '../../operation.js'
import { At, Price, Usd, coinField, venue } from './fields.js'
import { forcedKnown } from './forced.js'
import { readCovered } from './readings.js'
import { shown } from './shown.js'
import { nowhere, withUnlisted } from './unlisted.js'

/** Left out where none was heard and it is not known that there were none. liquidated_usd: null where none was heard and no node's files told of all the window. */
const Bucket = z.object({ start: At, trades: z.number().int(), buy_usd: Usd, sell_usd: Usd, net_usd: Usd, liquidated_usd: Usd.nullable(), open: Price.nullable(), close: Price.nullable() })
const bucketMs = 300_000
const Row = Bucket.extend({ liquidated_usd: Usd })

export default operation({
  ...shown('flow'), empty: (output) => nowhere(output, 1), name: 'get_hl_flow_history', route: 'GET /v1/feed/hl/flow-history', rows: 'flow',
  summary: 'Buying and selling of one coin by takers, in buckets of five minutes, oldest first.',
  input: z.object({ coin: coinField, buckets: z.number().int().min(1).max(48).default(12).describe('Buckets of five minutes') }),
  output: z.object({ ...venue, coin: z.string(), buckets: z.number().int(), count: z.number().int(), flow: z.array(Bucket) }),
  run: async (input, ask) => {
    const [{ rows: all, answer }, view] = await Promise.all([readCovered('flow', input, Row, ask), ask.services.coverage.view()])
    const rows = all.filter(({ start, trades, liquidated_usd: usd }) => trades > 0 || usd > 0 || !isSilent(view, 'HL', Date.parse(start), Date.parse(start) + bucketMs))
    const { known, warnings } = await forcedKnown(rows.map(({ liquidated_usd: usd }) => usd), Date.parse(rows[0]?.start ?? ''), ask)
    return { ...answer, ...input, count: rows.length, flow: rows.map((row) => ({ ...row, liquidated_usd: known(row.liquidated_usd) })), coverage_status: await withUnlisted({ ...answer.coverage_status, warnings: [...answer.coverage_status.warnings, ...warnings] }, rows.length === 0 ? [input.coin] : [], ask) }
  },
})
