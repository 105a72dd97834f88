import { z } from 'zod'
import { EvmAddress } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { chainField, chainOf, hoursField } from '../../fields.js'
import { operation } from '../../operation.js'
import { emptyUnlessStored, paramsOf, spanOf, Window, windowOf } from '../../span.js'
import { untrusted } from '../../untrusted.js'

const listExchangeFlows = loadSql(import.meta.url, 'listExchangeFlows.sql')
const listExchangeFlowsNow = loadSql(import.meta.url, 'listExchangeFlowsNow.sql')
const Token = z.object({
  token: EvmAddress, token_symbol: z.string(), token_decimals: z.number().int().nullable(), amount_in: z.string().nullable(), amount_out: z.string().nullable(), amount_net: z.string().nullable().describe('Signed'),
  usd_in: z.number(), usd_out: z.number(), usd_net: z.number(),
})
const Flow = z.object({
  exchange: z.string(), transfers_in: z.number().int(), transfers_out: z.number().int(), usd_in: z.number().describe('Of what has a price'), usd_out: z.number(), usd_net: z.number(), token_count: z.number().int(),
  tokens: z.array(Token).describe('The 20 with the most dollars; amounts null: one was absurd'),
})
const Now = Flow.omit({ token_count: true, tokens: true })
const Row = Flow.extend({ all_exchanges: z.number().int(), all_in: z.number(), all_out: z.number(), tokens: z.array(Token.extend({ token_symbol: z.string().transform((text) => untrusted(text)) })) })

export default operation({
  name: 'list_exchange_flows', aliases: ['exchange_flows', 'get_exchange_flows'], route: 'GET /v1/dashboard/exchange-flows', auth: 'key', lane: 'market', tool: true, cacheSeconds: 15,
  sources: ['transfers', 'labels', 'prices'], rows: 'exchanges',
  summary: 'What went in and out of each labelled exchange, by token, without moves between its own addresses.',
  input: z.object({ chain: chainField.default('ETH'), hours: hoursField(168, 24), known_now: z.boolean().default(false).describe('Also by what is known today; slower') }),
  output: z.object({ chain: z.string(), window: Window, count: z.number().int(), total: z.number().int().describe('Exchanges that moved anything: usd_in and usd_out are of all of them, the 50 largest are listed'), usd_in: z.number(), usd_out: z.number(), usd_net: z.number(), exchanges: z.array(Flow).describe('As addresses were known when it moved'), known_now: z.array(Now).nullable().describe('As they are known today; null: not asked for'), coverage_status: CoverageStatus }),
  empty: emptyUnlessStored,
  run: async (input, ask) => {
    const chain = chainOf(input.chain)
    const [status, span] = await Promise.all([ask.services.coverage.status(chain.id), spanOf(chain, input.hours, ask, true)])
    const [rows, now] = span === null ? [[], null] : await Promise.all([
      ask.store.query(listExchangeFlows, { ...paramsOf(span), limit: 50 }, Row), input.known_now ? ask.store.query(listExchangeFlowsNow, { ...paramsOf(span), limit: 50 }, Now) : null,
    ])
    const { all_exchanges: total, all_in: gained, all_out: lost } = rows[0] ?? { all_exchanges: 0, all_in: 0, all_out: 0 }
    const exchanges = rows.map(({ all_exchanges: _, all_in: __, all_out: ___, ...flow }) => flow)
    return { chain: chain.id, window: windowOf(span), count: exchanges.length, total, usd_in: gained, usd_out: lost, usd_net: gained - lost, exchanges, known_now: now, coverage_status: status }
  },
})
