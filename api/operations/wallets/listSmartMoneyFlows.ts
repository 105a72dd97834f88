import { z } from 'zod'
import { Amount, EvmAddress } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause } from '../../empty.js'
import { chainField, chainOf } from '../../fields.js'
import { operation } from '../../operation.js'
import { emptyUnlessAccounts, paramsOf, accountSpanOf, Window, windowOf } from '../../span.js'
import { untrusted } from '../../untrusted.js'

const countSmart = loadSql(import.meta.url, 'countSmart.sql')
const listSmartMoneyFlows = loadSql(import.meta.url, 'listSmartMoneyFlows.sql')
const classes = ['fund', 'whale', 'smart'] as const
const Flow = z.object({
  class: z.enum(classes), token: EvmAddress, token_symbol: z.string(), token_decimals: z.number().int().nullable(), transfers: z.number().int(), amount_in: Amount.nullable(), amount_out: Amount.nullable(),
  usd_in: z.number(), usd_out: z.number(), usd_net: z.number(),
})
const hoursIn = { h: 1, d: 24 } as const

export default operation({
  name: 'list_smart_money_flows', aliases: ['smart_money_flow', 'get_smart_money_flow', 'smart_money'], route: 'GET /v1/wallets/smart-money-flow', auth: 'key', lane: 'behavioral', tool: true, cacheSeconds: 30,
  sources: ['transfers', 'wallet_trades', 'labels', 'prices'], rows: 'flows',
  summary: 'Tokens that funds, whales and leaders (smart) gained and lost. Use list_leaders for who leads.',
  input: z.object({ chain: chainField.default('ETH'), window: z.string().regex(/^(([1-9]|[1-9]\d|1[0-5]\d|16[0-8])h|[1-7]d)$/).default('1h').describe('How far back: 1h to 168h, or 1d to 7d') }),
  output: z.object({ chain: z.string(), window: Window, wallets: z.number().int().describe('Addresses with such a class, and leaders'), count: z.number().int(), flows: z.array(Flow), coverage_status: CoverageStatus }),
  // Nobody is known to be smart: silence says nothing about what they did.
  empty: (output) => emptyUnlessAccounts(output) ?? (output.wallets === 0 ? emptyBecause('data_gap') : null),
  run: async (input, ask) => {
    const chain = chainOf(input.chain)
    const hours = Number.parseInt(input.window, 10) * hoursIn[input.window.slice(-1) as keyof typeof hoursIn]
    const [status, span] = await Promise.all([ask.services.coverage.status(chain.id), accountSpanOf(chain, hours, ask, true)])
    const [[labelled], flows] = span === null ? [[], []] : await Promise.all([
      ask.store.query(countSmart, { chain: span.chain }, z.object({ count: z.coerce.number() })),
      ask.store.query(listSmartMoneyFlows, { ...paramsOf(span), limit: 100 }, Flow.extend({ token_symbol: z.string().transform((text) => untrusted(text)) })),
    ])
    return { chain: chain.id, window: windowOf(span), wallets: labelled?.count ?? 0, count: flows.length, flows, coverage_status: status }
  },
})
