import { z } from 'zod'
import { Amount, EvmAddress } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause } from '../../empty.js'
import { accountsField, chainOf, cursorField, hoursOfWord, limitField, windowField } from '../../fields.js'
import { operation } from '../../operation.js'
import { highestRank, pageFields, pageOf } from '../../pages.js'
import { emptyUnlessAccounts, paramsOf, accountSpanOf, segmentBlocksOf, Window, windowOf } from '../../span.js'
import { emptyIfUnlabelled, withUnlabelled } from '../../unlabelled.js'
import { listedField, withUnlisted } from '../../unlisted.js'
import { untrusted } from '../../untrusted.js'

const countSmart = loadSql(import.meta.url, 'countSmart.sql')
const listSmartMoneyFlows = loadSql(import.meta.url, 'listSmartMoneyFlows.sql')
const classes = ['fund', 'whale', 'smart'] as const
const Flow = z.object({
  class: z.enum(classes).describe('Of who was labelled or lost a label within the window what came before may be missing or stand twice'), token: EvmAddress, token_symbol: z.string(), token_decimals: z.number().int().nullable(), transfers: z.number().int().describe('Wraps of a fund or whale by label among them: coin out, the wrapped token in'), amount_in: Amount.nullable(), amount_out: Amount.nullable(),
  usd_in: z.number().nullable().describe('Of what has a price; null, as the others: nothing has'), usd_out: z.number().nullable(), usd_net: z.number().nullable(), unpriced: z.number().int().describe('Transfers without a price'), listed: listedField,
})
const Row = Flow.extend({ listed: z.coerce.boolean(), token_symbol: z.string().transform((text) => untrusted(text)), rank: z.string(), place: z.string() })
const Smart = z.object({ count: z.coerce.number(), run: z.string(), as_of: z.string(), rule_version: z.number(), rule: z.string(), labels: z.string() })
/** Sort position: the time the ranking is of (Unix milliseconds), the run that says who leads (in force from, as of, version and rule), the run of rules that says who is a whale, the rank in millionths of a dollar, class and token. */
const Position = z.tuple([z.number().int().min(0), z.string().regex(/^\d{1,19}$/), z.string().regex(/^\d{1,19}$/), z.number().int().min(0).max(65_535), z.string(), z.string().regex(/^\d{1,19}$/), z.string().regex(/^\d{1,39}$/), z.string()])

export default operation({
  name: 'list_smart_money_flows', aliases: ['smart_money_flow', 'get_smart_money_flow', 'smart_money'], route: 'GET /v1/wallets/smart-money-flow', auth: 'key', lane: 'behavioral', tool: true, cacheSeconds: 30,
  sources: ['transfers', 'wallet_trades', 'labels', 'label_changes', 'prices'], rows: 'flows',
  summary: 'Tokens that addresses labelled fund or whale moved, and that leaders (smart) and whales by rule traded. Use list_leaders for who leads.',
  input: z.object({ chain: accountsField.default('ETH'), window: windowField.default('1h').describe('How far back: 1h to 168h, or 1d to 7d'), limit: limitField(100, 100), cursor: cursorField }),
  output: z.object({ chain: z.string(), window: Window, wallets: z.number().int().describe('Addresses so labelled, leaders and whales by rule, each once'), count: z.number().int(), flows: z.array(Flow), ...pageFields, coverage_status: CoverageStatus }),
  // Nobody is known to be smart, or those alone whom rules find: silence says nothing about what they did.
  empty: (output) => emptyUnlessAccounts(output) ?? (output.wallets === 0 ? emptyBecause('data_gap') : emptyIfUnlabelled(output)),
  run: async (input, ask) => {
    const chain = chainOf(input.chain)
    const hours = hoursOfWord(input.window) ?? 1
    const { cursors, coverage } = ask.services
    const inputs = { chain: chain.id, hours }
    const [until, begun, of, version, rule, labels, rank, after] = input.cursor === undefined ? [undefined, '', '0', 0, '', '', highestRank, ''] as const : cursors.read('list_smart_money_flows', inputs, input.cursor, Position)
    const [status, span] = await Promise.all([coverage.status(chain.id), accountSpanOf(chain, hours, ask, true, until)])
    const [smart] = span === null ? [] : await ask.store.query(countSmart, { chain: span.chain, run: begun, as_of: of, rule_version: version, rule, labels }, Smart)
    const rows = span === null ? [] : await ask.store.query(listSmartMoneyFlows, { ...paramsOf(span), segmentBlocks: segmentBlocksOf(span.chain), run: smart?.run ?? '0', as_of: smart?.as_of ?? '0', rule_version: smart?.rule_version ?? 0, rule: smart?.rule ?? '', labels: smart?.labels ?? '0', rank, after, limit: input.limit + 1 }, Row)
    const { page, more } = pageOf(rows, input.limit, (last) => cursors.write('list_smart_money_flows', inputs, [span?.to, smart?.run, smart?.as_of, smart?.rule_version, smart?.rule, smart?.labels, last.rank, last.place]))
    return { chain: chain.id, window: windowOf(span), wallets: smart?.count ?? 0, count: page.length, flows: page.map(({ rank: _, place: __, ...flow }) => flow), ...more, coverage_status: span === null ? status : await withUnlisted(await withUnlabelled(status, span.chain, ask), span.chain, ask) }
  },
})
