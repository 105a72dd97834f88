import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { emptyBecause } from '../../empty.js'
import { operation } from '../../operation.js'
import { remainderBy } from '../../remainder.js'
import { At, Ratio, Usd, venue } from './fields.js'
import { looked, readLooked, unlooked } from './looked.js'
import { marked, readMadeSignals } from './made.js'

/** Open signals are marked to market and counted apart. low, high: 95 % of the mean; random_entry: the mean of as many drawn by lot; unfilled: nobody traded in time; unknown: trades of their time were not heard, or their funding is not known, and they count in nothing else; open_pnl_usd: of those open whose worth is known, null where of none it is; max_drawdown: of what one signal is given. Archived ones and losers are listed too. */
const Strategy = z.object({
  name: z.string(), version: z.string(), description: z.string(), horizon_hours: z.number(), since: At, signals: z.object({ closed: z.number().int(), unfilled: z.number().int(), unknown: z.number().int(), reconstructed: z.number().int(), open: z.number().int() }), win_rate: Ratio.nullable(),
  net_basis_points: z.object({ mean: z.number().nullable(), low: z.number().nullable(), high: z.number().nullable(), random_entry: z.number().nullable() }),
  profit_factor: Ratio.nullable(), sharpe: z.number().nullable(), max_drawdown: Ratio.nullable(), pnl_usd: Usd, open_pnl_usd: Usd.nullable(), archived: z.boolean(),
})

const isRule = loadSql(import.meta.url, 'isRule.sql')

export default operation({
  // A name that no rule has would make the empty answer look like evidence.
  ...looked('strategies'), empty: async (output, ask, { name }) => (name === undefined || (await ask.store.query(isRule, { name }, z.object({ is_rule: z.number() }))).length > 0 ? unlooked(output) : emptyBecause('unsupported_input')),
  name: 'get_hl_strategies', route: 'GET /v1/feed/hl/strategies', rows: 'strategies',
  summary: 'Strategies behind the signals and how each has done.',
  input: z.object({ name: z.string().min(1).max(64).optional().describe('Only this one') }),
  output: z.object({ ...venue, count: z.number().int(), strategies: z.array(Strategy) }),
  remainder: (_args, { strategies }, given) => remainderBy('name', strategies.map(({ name }) => name), given),
  run: async ({ name = '' }, ask) => {
    const [{ rows, answer }, under] = await Promise.all([readLooked('strategies', { name }, Strategy, ask), readMadeSignals(ask)])
    return { ...answer, strategies: rows, coverage_status: marked(answer.coverage_status, rows.length > 0 && under) }
  },
})
