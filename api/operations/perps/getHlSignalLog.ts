import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { emptyBecause } from '../../empty.js'
import { limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { At, Coin, Price, Ratio, Side, Usd, venue } from './fields.js'
import { looked, readLooked, unlooked } from './looked.js'
import { Name, pagedInput, pagedOutput, turn } from './paged.js'

/** Accounted with a fixed quantity, after fees, slippage and funding; an open one is marked to market. exit_reason unknown: it is over, but trades of its time were not heard, so nothing is known of what it made; costs.funding_usd and pnl_usd are null where a rate of funding is not known. Prices are those of the tape; path: the worst and best on the way, of the entry. reconstructed: its data were heard long after, so nobody was told then. */
const Logged = z.object({
  id: z.string(), version: z.string(), strategy: z.string(), coin: Coin, side: Side, status: z.enum(['open', 'closed']), signalled_at: At, entry_at: At.nullable(), entry_price: Price.nullable(), stop_price: Price.nullable(),
  target_price: Price.nullable(), exit_at: At.nullable(), exit_price: Price.nullable(), exit_reason: z.enum(['target', 'stop', 'horizon', 'reverse', 'manual', 'unknown']).nullable(), quantity_usd: Usd, pnl_usd: Usd.nullable(),
  costs: z.object({ fee_usd: Usd.nullable(), slippage_usd: Usd.nullable(), funding_usd: Usd.nullable() }), pnl: Ratio.nullable(), path: z.object({ worst: Ratio.nullable(), best: Ratio.nullable() }), archived: z.boolean(), reconstructed: z.boolean(),
})

/** Of the last row: when (Unix seconds), rule, coin, version and id. */
const Position = z.tuple([z.number().int().min(0).max(4_294_967_295), Name, Name, Name, z.string().max(128)])
const Row = Logged.extend({ at: Position })
const archivedVersion = loadSql(import.meta.url, 'archivedVersion.sql')
/** A version that was given up is told on request alone: to leave it out is no evidence of silence. */
const leftOut = 'This version is archived: it is told with archived=true alone'

export default operation({
  ...looked('signal_log'), name: 'get_hl_signal_log', route: 'GET /v1/feed/hl/signal-log', rows: 'signals',
  empty: (output) => (output.coverage_status.warnings.includes(leftOut) ? emptyBecause('unsupported_input') : unlooked(output)),
  summary: 'Signals given and what became of them.',
  input: z.object({
    status: z.enum(['all', 'open', 'closed']).default('all').describe('Of the signals'), version: z.enum(['v3', 'v4', 'v5', 'v6', 'v7', 'all']).default('v3').describe('Of the model'),
    limit: limitField(500, 100), archived: z.boolean().default(false).describe('Also archived ones'), ...pagedInput,
  }),
  output: z.object({ ...venue, status: z.string(), version: z.string(), limit: z.number().int(), archived: z.boolean(), count: z.number().int(), signals: z.array(Logged), ...pagedOutput }),
  run: async ({ cursor, ...input }, ask) => {
    const { limit, ...inputs } = input
    const { at: [before, kind, coin, of, id], page } = turn('get_hl_signal_log', inputs, Position, () => [4_294_967_295, '', '', '', ''], cursor, ask)
    const { rows, answer } = await readLooked('signal_log', { ...inputs, before, kind, coin, of, id, limit: limit + 1 }, Row, ask)
    const { rows: signals, more } = page(rows, limit)
    const [version] = rows.length > 0 || inputs.archived ? [] : await ask.store.query(archivedVersion, { version: inputs.version }, z.object({ archived: z.boolean() }))
    const { coverage_status: status } = answer
    return { ...answer, ...input, count: signals.length, signals, ...more, coverage_status: version?.archived === true ? { ...status, warnings: [...status.warnings, leftOut] } : status }
  },
})
