import { z } from 'zod'
import { operation } from '../../operation.js'
import { At, Coin, Evidence, Price, Side, hoursField, venue } from './fields.js'
import { perps, readCovered } from './readings.js'

const Signal = z.object({ id: z.string(), kind: z.string(), version: z.string(), coin: Coin, side: Side.nullable(), strength: z.number(), price: Price.nullable(), summary: z.string(), evidence: Evidence, timestamp: At })

export default operation({
  ...perps('signals'), name: 'get_hl_signals', aliases: ['perps_signals'], route: 'GET /v1/feed/hl/signals', rows: 'signals',
  summary: 'Signals of the last hours: copy-trade, funding, flow, liquidations.',
  input: z.object({ hours: hoursField(1, 24, 4) }),
  output: z.object({ ...venue, hours: z.number().int(), count: z.number().int(), signals: z.array(Signal) }),
  run: async (input, ask) => {
    const { rows, answer } = await readCovered('signals', input, Signal, ask)
    return { ...answer, ...input, signals: rows }
  },
})
