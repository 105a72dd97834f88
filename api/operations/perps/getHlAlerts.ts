import { z } from 'zod'
import { limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { At, Coin, Evidence, Price, Side, Trader, Usd, hoursField, venue } from './fields.js'
import { looked, readLookedAndAlerted, unlookedOrUnalerted } from './looked.js'
import { Ms, newest, pagedInput, pagedOutput, turn } from './paged.js'
import { forcedUnheard } from './shown.js'

/** confirmed: the venue said so; estimated: worked out from positions that are seen. The two are never added up. */
const PerpsAlert = z.object({
  id: z.string(), kind: z.string(), basis: z.enum(['confirmed', 'estimated']), score: z.number(), coin: Coin, side: Side.nullable(), address: Trader.nullable(), price: Price.nullable(), value_usd: Usd.nullable(), summary: z.string(), evidence: Evidence, timestamp: At,
})

/** Since when, and of the last row when it was and its id. */
const Position = z.tuple([Ms, Ms, z.string().max(128)])
const Row = PerpsAlert.extend({ at: z.tuple([z.number(), z.string()]) })

export default operation({
  ...looked('alerts'), empty: (output, ask) => forcedUnheard(output) ?? unlookedOrUnalerted(output, ask), name: 'get_hl_alerts', route: 'GET /v1/feed/hl/alerts', rows: 'alerts',
  summary: 'Liquidations, positions near them, leaders that open; newest first.',
  input: z.object({ hours: hoursField(1, 24, 1), min_score: z.number().min(0).default(40).describe('Least score, of 100'), limit: limitField(200, 50), ...pagedInput }),
  output: z.object({ ...venue, hours: z.number().int(), min_score: z.number(), limit: z.number().int(), count: z.number().int(), alerts: z.array(PerpsAlert), ...pagedOutput }),
  run: async ({ cursor, ...input }, ask) => {
    const { at: [from, before, id], page } = turn('get_hl_alerts', { hours: input.hours, min_score: input.min_score }, Position, () => [Date.now() - input.hours * 3_600_000, newest(), ''], cursor, ask)
    const { rows, answer } = await readLookedAndAlerted('alerts', { from, before, id, min_score: input.min_score, limit: input.limit + 1 }, Row, ask)
    const { rows: alerts, more } = page(rows, input.limit, ({ at }) => [from, ...at])
    return { ...answer, ...input, count: alerts.length, alerts, ...more }
  },
})
