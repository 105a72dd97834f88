import { z } from 'zod'
import { Amount, EvmAddress } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { storedField, chainOf, cursorField, hoursField, limitField } from '../../fields.js'
import { keptOfLabels } from '../../labelsLoaded.js'
import { operation, type Ask } from '../../operation.js'
import { highestRank, pageFields, pageOf } from '../../pages.js'
import { indexedChains, emptyUnlessStored, paramsOf, segmentBlocksOf, spansOf, storedChains, upTo, Window, windowsOf, type Span } from '../../span.js'
import { emptyIfUnlabelled, withUnlabelled } from '../../unlabelled.js'
import { listedField, withUnlisted } from '../../unlisted.js'
import { allUnpriced, dollarsOf, isBlank, knownApartOf, type Moved, unpricedOf, withUnpriced } from '../../unpriced.js'
import { untrusted } from '../../untrusted.js'

const flowsOf = { ETH: loadSql(import.meta.url, 'listExchangeFlows.sql', 'Bitcoin', 'both'), BTC: loadSql(import.meta.url, 'listExchangeFlows.sql', 'Ethereum', 'both'), both: loadSql(import.meta.url, 'listExchangeFlows.sql') } as const
const listExchanges = loadSql(import.meta.url, 'listExchanges.sql')
const listNow = { ETH: loadSql(import.meta.url, 'listExchangeFlowsNow.sql'), BTC: loadSql(import.meta.url, 'listBtcExchangeFlowsNow.sql') } as const
const usd = z.number().nullable()
const Token = z.object({
  chain: z.string(), token: EvmAddress, token_symbol: z.string(), token_decimals: z.number().int().nullable(), amount_in: z.string().nullable(), amount_out: z.string().nullable(), amount_net: z.string().nullable().describe('Signed'),
  usd_in: usd, usd_out: usd, usd_net: usd, amount_unknown: Amount, listed: listedField,
})
const Flow = z.object({
  exchange: z.string(), transfers_in: z.number().int().describe('Wraps among them, as in all sums: coin goes out, the wrapped token comes in'), transfers_out: z.number().int(), usd_in: usd.describe('Of what has a price, so 0 where a token has none; null, as the others: no block of the time has one, or on BTC nothing that moved'), usd_out: usd, usd_net: usd, usd_listed_in: usd.describe('Of usd_in, what is of the coin and listed tokens'), usd_listed_out: usd,
  transfers_unknown: z.number().int().describe('On Bitcoin: an input is not known, so what it received in them (*_unknown) may be its change; in no other sum'), usd_unknown: usd, token_count: z.number().int(),
  tokens: z.array(Token).describe('The 20 with the most dollars; amounts null: one was absurd'),
})
const Now = Flow.omit({ token_count: true, tokens: true }).extend({ sats_in: Amount.nullable().describe('On Bitcoin'), sats_out: Amount.nullable(), sats_unknown: Amount.nullable() })
const none = Amount.nullable().default(null)
const summed = { usd_in: z.number(), usd_out: z.number(), usd_net: z.number(), usd_listed_in: z.number(), usd_listed_out: z.number() }
const NowRow = Now.extend({ ...summed, sats_in: none, sats_out: none, sats_unknown: none, transfers_unknown: z.number().int().default(0), usd_unknown: z.number().default(0) })
const TokenRow = Token.extend({ usd_in: z.number(), usd_out: z.number(), usd_net: z.number(), token_symbol: z.string().transform((text) => untrusted(text)) })
const Row = Flow.extend({ ...summed, usd_unknown: z.number(), all_exchanges: z.number().int(), all_in: z.number(), all_out: z.number(), all_listed_in: z.number(), all_listed_out: z.number(), all_unknown: z.number(), tokens: z.array(TokenRow), rank: z.string() })
/** Sort position: the height each chain's span ends at, the rank in millionths of a dollar, the exchange. */
const Position = z.tuple([z.record(z.string(), z.number().int().min(0)), z.string().regex(/^\d{1,39}$/), z.string()])

/** Above the number of exchanges: lists of both chains are whole when they are put together. */
const every = 10_000
type NowRow = z.infer<typeof NowRow>
const add = (one: NowRow, other: NowRow): NowRow => ({
  exchange: one.exchange, transfers_in: one.transfers_in + other.transfers_in, transfers_out: one.transfers_out + other.transfers_out, usd_in: one.usd_in + other.usd_in, usd_out: one.usd_out + other.usd_out,
  usd_net: one.usd_net + other.usd_net, usd_listed_in: one.usd_listed_in + other.usd_listed_in, usd_listed_out: one.usd_listed_out + other.usd_listed_out, sats_in: one.sats_in ?? other.sats_in, sats_out: one.sats_out ?? other.sats_out, sats_unknown: one.sats_unknown ?? other.sats_unknown,
  transfers_unknown: one.transfers_unknown + other.transfers_unknown, usd_unknown: one.usd_unknown + other.usd_unknown,
})

const knownToken = (row: z.infer<typeof TokenRow>, blank: boolean): z.infer<typeof Token> => {
  const [gained, lost] = [dollarsOf(blank && row.amount_in !== '0', row.usd_in), dollarsOf(blank && row.amount_out !== '0', row.usd_out)]
  return { ...row, usd_in: gained, usd_out: lost, usd_net: gained === null || lost === null ? null : gained - lost }
}

const Exchanges = z.object({ chain: z.string(), exchanges: z.array(z.string()) })
/** Names of the entities that labels call exchanges, by chain. */
const exchangesOf = async (chains: readonly string[], ask: Ask): Promise<ReadonlyMap<string, readonly string[]>> => {
  const rows = await (await keptOfLabels(ask)).once(`exchanges ${chains.join()}`, (store) => store.query(listExchanges, { chains }, Exchanges))
  return new Map(rows.map(({ chain, exchanges }) => [chain, exchanges]))
}

/** As they were known when it moved, of one chain or both, below a rank. */
const readFlows = (spans: readonly Span[], exchanges: ReadonlyMap<string, readonly string[]>, below: { readonly rank: string; readonly after: string; readonly limit: number }, ask: Ask): Promise<z.infer<typeof Row>[]> => {
  const [accounts, bitcoin] = ['ETH', 'BTC'].map((id) => spans.find(({ chain }) => chain === id))
  return ask.store.query(flowsOf[accounts === undefined ? 'BTC' : bitcoin === undefined ? 'ETH' : 'both'], {
    chain: accounts?.chain ?? '', newest: accounts?.newest ?? 0, from: accounts?.from ?? 0, to: accounts?.to ?? 0, segmentBlocks: segmentBlocksOf('ETH'), exchanges: exchanges.get(accounts?.chain ?? '') ?? [],
    btc: bitcoin?.chain ?? '', btc_newest: bitcoin?.newest ?? 0, btc_from: bitcoin?.from ?? 0, btc_to: bitcoin?.to ?? 0, btc_segmentBlocks: segmentBlocksOf('BTC'), btc_exchanges: exchanges.get(bitcoin?.chain ?? '') ?? [], ...below,
  }, Row)
}

/** What two spellings of one name have in common, as the statements have it. */
const nameOf = (exchange: string): string => exchange.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '') || exchange

/** Of all chains together as they are known today: how many, and the 50 largest; of one owner the spelling of the first chain is shown. */
const readNow = async (spans: readonly Span[], ask: Ask): Promise<{ readonly rows: readonly z.infer<typeof Now>[]; readonly total: number }> => {
  const unvalued = allUnpriced(await unpricedOf(spans, ask))
  const lists = await Promise.all(spans.map(async (span) => (await ask.store.query(listNow[span.chain === 'BTC' ? 'BTC' : 'ETH'], { ...paramsOf(span), limit: every }, NowRow))))
  const together = new Map<string, NowRow>()
  for (const row of lists.flat()) { const name = nameOf(row.exchange), held = together.get(name); together.set(name, held === undefined ? row : add(held, row)) }
  const rows = [...together.values()].sort((a, b) => b.usd_in + b.usd_out - a.usd_in - a.usd_out || (a.exchange < b.exchange ? -1 : 1)).slice(0, 50)
    .map((row) => ({ ...row, ...knownApartOf(row, row.sats_in !== null || unvalued.has('ETH')) }))
  return { rows, total: together.size }
}

const moves = (rows: readonly Moved[], name: 'transfers_in' | 'transfers_out' | 'transfers_unknown'): number => rows.reduce((sum, row) => sum + row[name], 0)

export default operation({
  name: 'list_exchange_flows', aliases: ['exchange_flows', 'get_exchange_flows'], route: 'GET /v1/dashboard/exchange-flows', auth: 'key', lane: 'market', tool: true, cacheSeconds: 15,
  sources: ['transfers', 'labels', 'prices'], rows: 'exchanges',
  summary: 'What went in and out of each exchange that labels name as an entity, by token, without moves between its own addresses. An exchange with a label alone is in none.',
  input: z.object({ chain: storedField.default('ETH'), hours: hoursField(168, 24), known_now: z.boolean().optional().describe('Also as known today; slower; default on BTC'), limit: limitField(200, 50), cursor: cursorField }),
  output: z.object({ chain: z.string(), window: Window, count: z.number().int(), total: z.number().int().describe('Exchanges that moved anything: usd_in and usd_out are of all of them'), usd_in: usd, usd_out: usd, usd_net: usd, usd_listed_in: usd, usd_listed_out: usd, usd_unknown: usd, exchanges: z.array(Flow).describe('As addresses were known when it moved'), known_now: z.array(Now).nullable().describe('The 50 that moved most USD as they are known today; null: not asked for, or told on the first page'), known_now_total: z.number().int().nullable(), ...pageFields, coverage_status: CoverageStatus }),
  // Without labels nobody is known to be an exchange.
  empty: (output) => emptyUnlessStored(output) ?? emptyIfUnlabelled(output),
  run: async (input, ask) => {
    const chain = chainOf(input.chain)
    const { cursors, coverage } = ask.services
    const inputs = { chain: chain.id, hours: input.hours, known_now: input.known_now }
    const [until, rank, after] = input.cursor === undefined ? [{} as Record<string, number>, highestRank, ''] as const : cursors.read('list_exchange_flows', inputs, input.cursor, Position)
    const [status, spans, known] = await Promise.all([coverage.status(chain.id), spansOf(chain, input.hours, ask, true, (id) => upTo(until[id])), exchangesOf(storedChains(chain), ask)])
    const wantsNow = input.cursor === undefined && (input.known_now ?? chain.id === 'BTC')
    const [rows, now, unpriced] = spans.length === 0 ? [[], null, []] : await Promise.all([readFlows(spans, known, { rank, after, limit: input.limit + 1 }, ask), wantsNow ? readNow(spans, ask) : null, unpricedOf(spans, ask)])
    const unvalued = allUnpriced(unpriced), blank = (chains: readonly { readonly chain: string }[]): boolean => chains.some((one) => isBlank(one.chain, unvalued))
    const { all_exchanges: total, all_in: gained, all_out: lost, all_listed_in: gainedSure, all_listed_out: lostSure, all_unknown: unsure } = rows[0] ?? { all_exchanges: 0, all_in: 0, all_out: 0, all_listed_in: 0, all_listed_out: 0, all_unknown: 0 }
    const { page, more } = pageOf(rows, input.limit, (last) => cursors.write('list_exchange_flows', inputs, [Object.fromEntries(spans.map((span) => [span.chain, span.newest])), last.rank, last.exchange]))
    const exchanges = page.map(({ all_exchanges: _, all_in: __, all_out: ___, all_listed_in: ____, all_listed_out: _____, all_unknown: ______, rank: _______, ...flow }) => ({ ...flow, ...knownApartOf(flow, blank(flow.tokens)), tokens: flow.tokens.map((row) => knownToken(row, blank([row]))) }))
    // The sums are of every exchange: null where those here have moved and no exchange has a dollar.
    const all = knownApartOf({ usd_in: gained, usd_out: lost, usd_listed_in: gainedSure, usd_listed_out: lostSure, usd_unknown: unsure, transfers_in: moves(page, 'transfers_in'), transfers_out: moves(page, 'transfers_out'), transfers_unknown: moves(page, 'transfers_unknown') }, blank(spans))
    return {
      chain: chain.id, window: windowsOf(spans), count: exchanges.length, total, ...all, exchanges, known_now: now === null ? null : [...now.rows], known_now_total: now?.total ?? null, ...more, coverage_status: await withUnlisted(await withUnlabelled(withUnpriced(status, unpriced), await indexedChains(chain, ask), ask), chain.id, ask),
    }
  },
})
