import { z } from 'zod'
import { Amount, EvmAddress } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause } from '../../empty.js'
import { chainField, chainOf, cursorField, limitField } from '../../fields.js'
import type { Bounds } from '../../ledgerView.js'
import { operation, type Ask } from '../../operation.js'
import { pageFields, pageOf } from '../../pages.js'
import { paramsOf, spanOf, spansOf, Window, windowsOf, type Span } from '../../span.js'
import { listedField, withUnlisted } from '../../unlisted.js'
import { allUnpriced, isBlank, knownApartOf, knownOf, unpricedOf, withUnpriced } from '../../unpriced.js'
import { untrusted } from '../../untrusted.js'
import { Balance, BalanceRow, balancesOf } from '../wallets/balance.js'
import { mostTransfers } from '../wallets/profile.js'
import { clusterAddresses } from './clusterAddresses.js'

const getEntity = loadSql(import.meta.url, 'getEntity.sql')
const listEntityAddresses = loadSql(import.meta.url, 'listEntityAddresses.sql')
const listClusterAddresses = loadSql(import.meta.url, 'listClusterAddresses.sql')
const countEntityTransfers = loadSql(import.meta.url, 'countEntityTransfers.sql')
const listEntityBalances = loadSql(import.meta.url, 'listEntityBalances.sql')
const countNames = loadSql(import.meta.url, 'countNames.sql')
const listEntityFlows = loadSql(import.meta.url, 'listEntityFlows.sql')
const getBtcFlowsNow = loadSql(import.meta.url, 'getBtcFlowsNow.sql')
const Address = z.object({ chain: z.string(), address: z.string(), label: z.string(), classification: z.string(), sources: z.array(z.string()), confidence: z.number().int(), official: z.boolean().describe('As in a statement of get_labels'), cluster: z.string().nullable().describe('Where its cluster alone (get_btc_cluster) makes it the owner\'s') })
const Head = z.object({ entity: z.string(), total: z.number(), deposits_found: z.number(), btc_cluster_addresses: z.number(), classifications: z.array(z.string()) })
const usd = z.number().nullable()
const Flow = z.object({
  chain: z.string(), token: EvmAddress, token_symbol: z.string(), token_decimals: z.number().int().nullable(), transfers_in: z.number().int().describe('Wraps among them, as in all sums: coin goes out, the wrapped token comes in'), transfers_out: z.number().int(), transfers_internal: z.number().int(),
  amount_in: Amount.nullable(), amount_out: Amount.nullable(), usd_in: usd.describe('Of what has a price, so 0 where a token has none; null, as the others: no block of the time has one, or on BTC nothing that moved'), usd_out: usd,
  transfers_unknown: z.number().int().describe('On Bitcoin: an input is not known, so what it received in them (*_unknown) may be its change; in no other sum'), amount_unknown: Amount, usd_unknown: usd, listed: listedField,
})
const priced = { usd_in: z.number(), usd_out: z.number(), usd_unknown: z.number() }
const Row = Flow.omit({ chain: true }).extend({ ...priced, token_symbol: z.string().transform((text) => untrusted(text)), listed: z.coerce.boolean(), all_in: z.number(), all_out: z.number(), all_listed_in: z.number(), all_listed_out: z.number(), all_unknown: z.number() })
const Named = Address.omit({ cluster: true }).extend({ official: z.coerce.boolean(), found: z.number() })
/** Sort position of an address: whether it is named, a rule found it, or a cluster holds it (0 to 2), its chain, its label where it is named, its cluster where that holds it, itself. */
const Position = z.tuple([z.number().int().min(0).max(2), z.string(), z.string(), z.string()])
const Now = z.object({
  transfers_in: z.number().int(), transfers_out: z.number().int(), transfers_unknown: z.number().int(), sats_in: Amount, sats_out: Amount, sats_unknown: Amount, usd_in: usd, usd_out: usd, usd_unknown: usd,
})
const Held = Balance.extend({ chain: z.string() })
const Entity = z.object({
  name: z.string(), classifications: z.array(z.string()), address_count: z.number().int().describe('That registers and imports name; balances are of these'), deposit_count: z.number().int().describe('Deposit addresses that a rule found on ETH, evidence in get_labels'), btc_cluster_addresses: clusterAddresses, addresses: z.array(Address).describe('A page: those that are named, then deposit addresses that a rule found (source rules), then of its clusters (source clusters)'), window: Window,
  usd_in: usd, usd_out: usd, usd_net: usd, usd_listed_in: usd.describe('Of usd_in, what is of the coin and listed tokens: of others their own pools say the price'), usd_listed_out: usd, usd_unknown: usd, flows: z.array(Flow).describe('On the chain asked about, or on all, the 20 tokens with the most USD, what has no price where the coin has none before them, as addresses were known when it moved; its own moves are left out'),
  btc_known_now: Now.nullable().describe('On Bitcoin, by labels and clusters as known today; null: not asked about, or nothing is indexed'),
  balances: z.array(Held).nullable().describe('There, of the addresses it has now, the 50 worth most of a chain at most; null: of no chain are they known'), balances_left_out: z.array(z.string()).describe('Chains on which it is too busy to be summed at once'),
})

/** Of one chain, the most USD first. */
const flowsOf = async (span: Span, entity: string, ask: Ask) =>
  (await ask.store.query(listEntityFlows, { ...paramsOf(span), entity }, Row)).map((row) => ({ ...row, chain: span.chain }))
type FlowRow = Awaited<ReturnType<typeof flowsOf>>[number]

const told = ({ all_in: _, all_out: __, all_listed_in: ___, all_listed_out: ____, all_unknown: _____, ...row }: FlowRow, unvalued: ReadonlySet<string>): z.infer<typeof Flow> => {
  const { usd_net: ______, ...dollars } = knownOf(row, isBlank(row.chain, unvalued))
  return { ...row, ...dollars }
}
const worth = ({ usd_in: gained, usd_out: lost }: z.infer<typeof Flow>): number => (gained === null || lost === null ? Infinity : gained + lost)

/** Of every token on every chain: unknown where something moved whose dollars may be, and there are none. */
const sumsOf = (parts: readonly { readonly flows: readonly FlowRow[] }[], unvalued: ReadonlySet<string>) => {
  const firsts = parts.flatMap(({ flows: [first] }) => first ?? []), blanks = parts.flatMap(({ flows }) => flows.filter(({ chain }) => isBlank(chain, unvalued)))
  const sum = (name: 'all_in' | 'all_out' | 'all_listed_in' | 'all_listed_out' | 'all_unknown'): number => firsts.reduce((all, first) => all + first[name], 0)
  const moves = (name: 'transfers_in' | 'transfers_out' | 'transfers_unknown'): number => blanks.reduce((all, row) => all + row[name], 0)
  return knownApartOf({ usd_in: sum('all_in'), usd_out: sum('all_out'), usd_listed_in: sum('all_listed_in'), usd_listed_out: sum('all_listed_out'), usd_unknown: sum('all_unknown'), transfers_in: moves('transfers_in'), transfers_out: moves('transfers_out'), transfers_unknown: moves('transfers_unknown') }, true)
}

/** On Bitcoin, by labels and clusters as known today. */
const readNow = async (span: Span, entity: string, ask: Ask): Promise<z.infer<typeof Now> | null> => {
  const [row] = await ask.store.query(getBtcFlowsNow, { ...paramsOf(span), entity }, Now.extend(priced), {}, ask.signal)
  if (row === undefined) return null
  const { usd_net: _, ...dollars } = knownOf(row, true)
  return { ...row, ...dollars }
}

/** What it holds on one chain; null: too busy to be summed at once. */
const heldOn = async (chain: string, entity: string, bounds: Bounds | undefined, ask: Ask): Promise<z.infer<typeof Held>[] | null> => {
  const [last, [moved]] = await Promise.all([spanOf({ id: chain }, 1, ask), ask.store.query(countEntityTransfers, { chain, entity }, z.object({ transfers: z.number() }))])
  if (last === null || moved === undefined || moved.transfers > mostTransfers) return null
  return balancesOf(await ask.store.query(listEntityBalances, { chain, entity, first: last.first, newest: last.newest }, BalanceRow), bounds).map((one) => ({ chain, ...one }))
}

export default operation({
  name: 'get_entity', aliases: ['entity_profile'], route: 'GET /v1/entity/{name}', auth: 'public', lane: 'whales', tool: true, cacheSeconds: 30, sources: ['labels', 'transfers', 'prices'], rows: 'entity', lists: ['entity.addresses'],
  summary: 'One owner of labelled addresses: its addresses, balances, flows of the last indexed day. Names: list_entities.',
  input: z.object({ name: z.string().min(1).max(128).describe('Case does not matter'), chain: chainField.describe('Of flows and balances; addresses are of all: ETH, BTC, HL or ALL').default('ALL'), limit: limitField(200, 200), cursor: cursorField }),
  output: z.object({ name: z.string(), searched: z.number().int().describe('Names that were looked through; 0: no register is loaded'), entity: Entity.nullable(), ...pageFields, coverage_status: CoverageStatus }),
  // The registers were read whole, where there are any: such a name is not in them.
  empty: ({ searched }) => emptyBecause(searched === 0 ? 'data_gap' : 'no_signal'),
  run: async ({ name, chain: received, limit, cursor }, ask) => {
    const chain = chainOf(received)
    const { cursors, coverage } = ask.services
    const inputs = { name: name.toLowerCase(), chain: chain.id }
    const [found, after_chain, after_label, after] = cursor === undefined ? [0, '', '', ''] as const : cursors.read('get_entity', inputs, cursor, Position)
    const of = { name, after, limit: limit + 1 }
    // Those of clusters follow: they are asked for where the page has room for them.
    const listed = async () => {
      const named = found === 2 ? [] : (await ask.store.query(listEntityAddresses, { ...of, chain: 'ETH', found, after_chain, after_label }, Named)).map((one) => ({ ...one, cluster: null }))
      if (named.length > limit) return named
      const clustered = await ask.store.query(listClusterAddresses, found === 2 ? { ...of, after_cluster: after_label } : { ...of, after_cluster: '', after: '' }, Address.extend({ official: z.coerce.boolean() }))
      return [...named, ...clustered.map((one) => ({ ...one, found: 2 }))].slice(0, limit + 1)
    }
    const [status, spans, [names], [first], rows, view] = await Promise.all([
      coverage.status(chain.id), spansOf(chain, 24, ask, true), ask.store.query(countNames, {}, z.object({ searched: z.number() })), ask.store.query(getEntity, { name, chain: 'ETH' }, Head),
      listed(), coverage.view(),
    ])
    const { page, more } = pageOf(rows, limit, (last) => cursors.write('get_entity', inputs, [last.found, last.chain, last.found === 0 ? last.label : last.cluster ?? '', last.address]))
    const searched = names?.searched ?? 0
    if (first === undefined) return { name, searched, entity: null, ...more, coverage_status: status }
    const parts = await Promise.all(spans.map(async (span) => ({ chain: span.chain, flows: await flowsOf(span, first.entity, ask), balances: await heldOn(span.chain, first.entity, view.bounds.get(span.chain), ask) })))
    const bitcoin = spans.find((span) => span.chain === 'BTC')
    const [now, unpriced] = await Promise.all([bitcoin === undefined ? null : readNow(bitcoin, first.entity, ask), unpricedOf(spans, ask)])
    const unvalued = allUnpriced(unpriced)
    const flows = parts.flatMap((part) => part.flows.map((row) => told(row, unvalued))).sort((a, b) => (worth(a) === worth(b) ? 0 : worth(b) - worth(a))).slice(0, 20)
    const held = parts.flatMap(({ balances }) => (balances === null ? [] : [balances]))
    return {
      name, searched, ...more, coverage_status: await withUnlisted(withUnpriced(status, unpriced), chain.id, ask),
      entity: {
        name: first.entity, classifications: first.classifications, address_count: first.total, deposit_count: first.deposits_found, btc_cluster_addresses: first.btc_cluster_addresses, addresses: page.map(({ found: _, ...address }) => address),
        window: windowsOf(spans), ...sumsOf(parts, unvalued), flows, btc_known_now: now,
        balances: held.length === 0 ? null : held.flat(), balances_left_out: parts.flatMap(({ chain: id, balances }) => (balances === null ? [id] : [])),
      },
    }
  },
})
