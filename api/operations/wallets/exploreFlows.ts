import { z } from 'zod'
import { Amount, EvmAddress, Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { chainField, chainOf, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { paramsOf, spanOf, windowOf } from '../../span.js'
import { untrusted } from '../../untrusted.js'

const exploreFlows = loadSql(import.meta.url, 'exploreFlows.sql')
const hours = 24
const classField = z.string().min(1).max(32).optional()
const Flow = z.object({
  chain: z.string(), from_class: z.string(), to_class: z.string(), token: EvmAddress, token_symbol: z.string(), token_decimals: z.number().int().nullable(), transfers: z.number().int(),
  amount: Amount.nullable().describe('null: one was absurd'), value_usd: z.number(), unpriced: z.number().int().describe('Transfers without a price'), from: Instant, to: Instant,
})
const Row = Flow.omit({ chain: true, from: true, to: true }).extend({ token_symbol: z.string().transform((text) => untrusted(text)) })

export default operation({
  name: 'explore_flows', aliases: ['flow_explorer'], route: 'GET /v1/wallets/flow-explorer', auth: 'key', lane: 'behavioral', tool: true, cacheSeconds: 30, chain: 'ETH', hours: 24,
  summary: 'What moved between classes of addresses in the last indexed day, by token, the most USD first. Use list_wallets for the addresses of a class.',
  input: z.object({ chain: chainField.default('ETH'), from_class: classField.describe('Class of senders, e.g. exchange'), to_class: classField.describe('Class of receivers'), limit: limitField(100, 50) }),
  output: z.array(Flow),
  run: async (input, ask) => {
    const span = await spanOf(chainOf(input.chain), hours, ask, true)
    const window = windowOf(span)
    if (span === null || window === null) return []
    const rows = await ask.store.query(exploreFlows, { ...paramsOf(span), from_class: input.from_class?.toLowerCase() ?? '', to_class: input.to_class?.toLowerCase() ?? '', limit: input.limit }, Row)
    return rows.map((row) => ({ ...row, chain: span.chain, ...window }))
  },
})
