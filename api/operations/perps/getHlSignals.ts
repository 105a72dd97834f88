import { z } from 'zod'
import { limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { At, Coin, Evidence, Price, Side, hoursField, venue } from './fields.js'
import { looked, readLookedAndAlerted, unlookedOrUnalerted } from './looked.js'
import { Ms, newest, pagedInput, pagedOutput, turn } from './paged.js'

const Signal = z.object({ id: z.string(), kind: z.string(), version: z.string(), coin: Coin, side: Side.nullable(), strength: z.number(), price: Price.nullable(), summary: z.string(), evidence: Evidence, timestamp: At })

/** Since when, and of the last row when it was, its strength and id. */
const Position = z.tuple([Ms, Ms, z.number(), z.string().max(128)])
const Row = Signal.extend({ at: z.tuple([z.number(), z.number(), z.string()]) })

export default operation({
  ...looked('signals'), empty: unlookedOrUnalerted, name: 'get_hl_signals', aliases: ['perps_signals'], route: 'GET /v1/feed/hl/signals', rows: 'signals',
  summary: 'Signals of the last hours: copy-trade, funding, flow, liquidations.',
  input: z.object({ hours: hoursField(1, 24, 4), limit: limitField(2_000, 2_000), ...pagedInput }),
  output: z.object({ ...venue, hours: z.number().int(), limit: z.number().int(), count: z.number().int(), signals: z.array(Signal), ...pagedOutput }),
  run: async ({ cursor, hours, limit }, ask) => {
    const { at: [from, before, strength, id], page } = turn('get_hl_signals', { hours }, Position, () => [Date.now() - hours * 3_600_000, newest(), 0, ''], cursor, ask)
    const { rows, answer } = await readLookedAndAlerted('signals', { from, before, strength, id, limit: limit + 1 }, Row, ask)
    const { rows: signals, more } = page(rows, limit, ({ at }) => [from, ...at])
    return { ...answer, hours, limit, count: signals.length, signals, ...more }
  },
})
