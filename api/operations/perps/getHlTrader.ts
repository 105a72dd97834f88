import { z } from 'zod'
import { limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { At, Coin, Price, Size, Trader, traderField, Usd, venue } from './fields.js'
import { Position } from './getHlPositions.js'
import { Skill } from './getHlTraders.js'
import { judged, readJudged } from './judged.js'
import { marked } from './made.js'
import { aged, agedAccount, unasked } from './observed.js'
import { Count, Ms, Name, newest, pagedInput, pagedOutput, turn } from './paged.js'
import { read } from './readings.js'
import { unheard } from './shown.js'

const { rank: _rank, ...skill } = Skill.shape
/** account_observed_at: of account_value_usd and withdrawable_usd; all three are null where the venue was not asked about the account. */
const Profile = z.object({ ...skill, account_value_usd: Usd.nullable(), withdrawable_usd: Usd.nullable(), account_observed_at: At.nullable(), liquidations: z.number().int() })
const Fill = z.object({ coin: Coin, direction: z.string(), side: z.enum(['buy', 'sell']), price: Price, size: Size, value_usd: Usd, closed_pnl_usd: Usd, fee_usd: Usd.nullable().describe('null: in a token without a price'), taker: z.boolean(), liquidation: z.boolean(), trade_id: z.string(), timestamp: At })

/** Of the last fill: time, coin, trade id and what tells apart those without one. */
const Below = z.tuple([Ms, Name, Count, Count])
const Row = Fill.extend({ at: Below })
const asked = judged('trader')
/** Open positions in one answer: more than nearly anybody has. */
const most = 200
const moreAreOpen = `More positions are open than the ${most} largest`

export default operation({
  ...asked, empty: (output) => (output.positions.length > 0 || output.fills.length > 0 ? null : asked.empty(output) ?? unheard(output)), name: 'get_hl_trader', route: 'GET /v1/feed/hl/trader/{address}', rows: 'trader', lists: ['fills'],
  summary: 'One account on the perps venue: skill, open positions and newest fills. trader is null where the account is not known.',
  input: z.object({ address: traderField, limit: limitField(200, 50), ...pagedInput }),
  output: z.object({ ...venue, address: Trader, limit: z.number().int(), count: z.number().int().describe('Fills given'), trader: Profile.nullable(), positions: z.array(Position), fills: z.array(Fill), ...pagedOutput }),
  run: async ({ cursor, ...input }, ask) => {
    const params = { ...input, address: input.address.toLowerCase() }
    const { at: [before, coin, tid, extra], page } = turn('get_hl_trader', { address: params.address }, Below, () => [newest(), '', '0', '0'], cursor, ask)
    const [{ rows: [trader], answer }, open, told, unseen] = await Promise.all([readJudged('trader', params, Profile, ask), read('positions', { ...params, top_n: most + 1 }, Position, ask), read('fills', { address: params.address, before, coin, tid, extra, limit: input.limit + 1 }, Row, ask), unasked(params.address, ask)])
    const { rows: fills, more } = page(told, input.limit)
    const positions = open.slice(0, most), status = { ...answer.coverage_status, warnings: [...answer.coverage_status.warnings, ...open.length > most ? [moreAreOpen] : [], ...unseen === null ? [] : [unseen]] }
    return { ...answer, address: params.address, limit: input.limit, count: fills.length, trader: trader ?? null, positions, fills, ...more, coverage_status: marked(aged(agedAccount(status, trader?.account_observed_at ?? null), positions), positions, fills) }
  },
})
