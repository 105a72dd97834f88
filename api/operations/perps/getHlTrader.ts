import { z } from 'zod'
import { limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { At, Coin, Price, Size, Trader, traderField, Usd, venue } from './fields.js'
import { Position } from './getHlPositions.js'
import { Skill } from './getHlTraders.js'
import { judged, readJudged } from './judged.js'
import { read } from './readings.js'

const { rank: _rank, ...skill } = Skill.shape
const Profile = z.object({ ...skill, account_value_usd: Usd.nullable(), withdrawable_usd: Usd.nullable(), liquidations: z.number().int() })
const Fill = z.object({ coin: Coin, direction: z.string(), side: z.enum(['buy', 'sell']), price: Price, size: Size, value_usd: Usd, closed_pnl_usd: Usd, fee_usd: Usd, taker: z.boolean(), liquidation: z.boolean(), trade_id: z.string(), timestamp: At })

export default operation({
  ...judged('trader'), name: 'get_hl_trader', route: 'GET /v1/feed/hl/trader/{address}', rows: 'trader',
  summary: 'One account on the perps venue: skill, open positions and newest fills. trader is null where the account is not known.',
  input: z.object({ address: traderField, limit: limitField(200, 50) }),
  output: z.object({ ...venue, address: Trader, count: z.number().int().describe('Fills given'), trader: Profile.nullable(), positions: z.array(Position), fills: z.array(Fill) }),
  run: async (input, ask) => {
    const params = { ...input, address: input.address.toLowerCase() }
    const [{ rows: [trader], answer }, positions, fills] = await Promise.all([readJudged('trader', params, Profile, ask), read('positions', { ...params, top_n: 200 }, Position, ask), read('fills', params, Fill, ask)])
    return { ...answer, address: params.address, count: fills.length, trader: trader ?? null, positions, fills }
  },
})
