import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { emptyBecause } from '../../empty.js'
import { skipField } from '../../fields.js'
import { operation } from '../../operation.js'
import { remainderAfter, rowsAfter } from '../../remainder.js'
import { cut, firstOf } from '../../cut.js'
import { At, Coin, Evidence, FundingKnown, Ratio, Trader, Usd, hoursField, venue } from './fields.js'
import { judged, readJudged, withUnsaid } from './judged.js'

const Suspect = z.object({
  address: Trader, score: z.number(), pnl_usd: Usd, funding_known: FundingKnown, return_multiple: Ratio, trades: z.number().int(), win_rate: Ratio.nullable(), top_coin: Coin.nullable(), top_coin_share: Ratio.nullable(), funded_at: At.nullable(), first_trade_at: At,
  last_trade_at: At, evidence: Evidence,
})

const unfundedSql = loadSql(import.meta.url, 'unfunded.sql')
const leftOut = 'suspected accounts are left out: what they put in is not known'
const asked = judged('suspects')

/** Accounts in one answer. */
const most = 100

export default operation({
  ...asked, empty: (output) => asked.empty(output) ?? (output.coverage_status.warnings.some((one) => one.endsWith(leftOut)) ? emptyBecause('data_gap') : null), name: 'get_hl_suspects', route: 'GET /v1/feed/hl/suspects', rows: 'suspects',
  summary: 'Accounts whose profits look informed: suspected, with the evidence, never proven.',
  input: z.object({ hours: hoursField(24, 8_760, 720), min_pnl: z.number().int().min(500).default(2_000).describe('USD of realised profit'), min_return: z.number().min(1).default(5).describe('Profit as a multiple of the capital put in'), offset: skipField }),
  remainder: (args, { suspects }, given) => remainderAfter(args, suspects.length, given),
  output: z.object({ ...venue, hours: z.number().int(), min_pnl: z.number().int(), min_return: z.number(), count: z.number().int(), suspects: z.array(Suspect), has_more: cut('raise min_pnl or min_return') }),
  run: async ({ offset, ...input }, ask) => {
    const [{ rows: all, answer }, [unknown]] = await Promise.all([readJudged('suspects', { ...input, limit: most + 1 }, Suspect, ask), ask.store.query(unfundedSql, { hours: input.hours }, z.object({ unfunded: z.number() }))])
    const { rows: first, has_more } = firstOf(all, most), suspects = rowsAfter(first, offset)
    const { unfunded = 0 } = unknown ?? {}, status = await withUnsaid(answer.coverage_status, suspects, ask)
    return { ...answer, ...input, suspects, count: suspects.length, has_more, coverage_status: unfunded === 0 ? status : { ...status, warnings: [...status.warnings, `${unfunded} ${leftOut}`] } }
  },
})
