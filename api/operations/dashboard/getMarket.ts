import { z } from 'zod'
import type { Chain } from '../../../schemas/chains.js'
import { messageOf } from '../../../schemas/errors.js'
import { Amount, EvmAddress } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause } from '../../empty.js'
import { storedField, chainOf } from '../../fields.js'
import { operation, type Ask } from '../../operation.js'
import { accountChain, emptyUnlessStored, paramsOf, spansOf, storedChains, Window, windowsOf } from '../../span.js'
import { withUnlisted } from '../../unlisted.js'
import { allUnpriced, unpricedOf, withUnpriced, type Unpriced } from '../../unpriced.js'
import getGas from './getGas.js'
import listExchangeFlows from './listExchangeFlows.js'
import listStablecoins from './listStablecoins.js'
import listSwapPairs from './listSwapPairs.js'

const getWhaleActivity = loadSql(import.meta.url, 'getWhaleActivity.sql')
const Sums = z.object({ count: z.number().int(), usd: z.number(), largest_usd: z.number().nullable(), exchange_in_usd: z.number(), exchange_out_usd: z.number() })
const Row = Sums.extend({ exchange_unknown_usd: z.number(), listed: Sums })
const known = z.number().nullable()
const KnownSums = z.object({ count: known, usd: known, largest_usd: known, exchange_in_usd: known, exchange_out_usd: known })
const Whales = KnownSums.extend({ count: known.describe('null, as the sums: no block has a price of its chain\'s coin'), exchange_unknown_usd: known, listed: KnownSums.describe('Of these, the coin and listed tokens: what others are worth their own pools say, unless an oracle or a peg does') })
const none = { count: null, usd: null, largest_usd: null, exchange_in_usd: null, exchange_out_usd: null }
const unknown: z.infer<typeof Whales> = { ...none, exchange_unknown_usd: null, listed: none }
const whaleUsd = 100_000
type Row = z.infer<typeof Row>
type Sums = z.infer<typeof Sums>
const add = (one: Sums, other: Sums): Sums => ({
  count: one.count + other.count, usd: one.usd + other.usd, largest_usd: one.largest_usd === null ? other.largest_usd : Math.max(one.largest_usd, other.largest_usd ?? 0),
  exchange_in_usd: one.exchange_in_usd + other.exchange_in_usd, exchange_out_usd: one.exchange_out_usd + other.exchange_out_usd,
})
const together = (one: Row, other: Row): Row => ({ ...add(one, other), exchange_unknown_usd: one.exchange_unknown_usd + other.exchange_unknown_usd, listed: add(one.listed, other.listed) })
const nothing: Sums = { count: 0, usd: 0, largest_usd: null, exchange_in_usd: 0, exchange_out_usd: 0 }

const sections = {
  swap_pairs: async (chain: string, ask: Ask) => {
    const { window, pairs } = await listSwapPairs.run(listSwapPairs.input.parse({ chain, limit: 5 }), ask)
    return { window, pairs: pairs.map(({ token_a, token_a_symbol, token_b, token_b_symbol, swaps, volume_usd, volume_listed_usd }) => ({ token_a, token_a_symbol, token_b, token_b_symbol, swaps, volume_usd, volume_listed_usd })) }
  },
  exchange_flows: async (chain: string, ask: Ask) => {
    const { window, usd_in, usd_out, usd_net, usd_listed_in, usd_listed_out, usd_unknown, exchanges } = await listExchangeFlows.run(listExchangeFlows.input.parse({ chain, known_now: false }), ask)
    return {
      window, usd_in, usd_out, usd_net, usd_listed_in, usd_listed_out, usd_unknown,
      top: exchanges.slice(0, 5).map(({ exchange, usd_net: net, usd_listed_in: gained, usd_listed_out: lost, usd_unknown: unsure, transfers_unknown: blank }) => ({ exchange, usd_net: net, usd_listed_net: gained === null || lost === null ? null : gained - lost, usd_unknown: unsure, transfers_unknown: blank })),
    }
  },
  whale_activity: async (chain: string, ask: Ask) => {
    const spans = await spansOf(chainOf(chain), 1, ask)
    const unvalued = allUnpriced(await unpricedOf(spans, ask))
    const valued = spans.filter((span) => !unvalued.has(span.chain))
    if (valued.length === 0 && spans.length > 0) return { window: windowsOf(spans), ...unknown }
    const rows = await Promise.all(valued.map((span) => ask.store.query(getWhaleActivity, { ...paramsOf(span), min_usd: whaleUsd }, Row)))
    return { window: windowsOf(spans), ...rows.flat().reduce(together, { ...nothing, exchange_unknown_usd: 0, listed: nothing }) }
  },
  gas: async (chain: string, ask: Ask) => {
    const { window, gas } = await getGas.run(getGas.input.parse({ chain }), ask)
    return { window, base_fee: gas?.base_fee ?? null, next_base_fee: gas?.next_base_fee ?? null, gas_price_p50: gas?.gas_price?.p50 ?? null, priority_fee_p50: gas?.priority_fee?.p50 ?? null }
  },
  stablecoins: async (chain: string, ask: Ask) => {
    const { window, stablecoins } = await listStablecoins.run(listStablecoins.input.parse({ chain }), ask)
    return {
      window, volume_usd: stablecoins.reduce((sum, one) => sum + one.volume_usd, 0), net_usd: stablecoins.reduce<number | null>((sum, one) => (sum === null || (one.net_usd === null && one.net !== '0') ? null : sum + (one.net_usd ?? 0)), 0),
      top: stablecoins.slice(0, 5).map(({ token, token_symbol, net_usd, volume_usd }) => ({ token, token_symbol, net_usd, volume_usd })),
    }
  },
}
/** Of the day that exchange flows are of: the hour of the whales is its last. */
const unpricedDay = async (chain: Chain, ask: Ask): Promise<readonly Unpriced[]> => unpricedOf(await spansOf(chain, 24, ask, true), ask)
/** Sections about what only a chain of accounts has. */
const ofAccounts = new Set<string>(['swap_pairs', 'gas', 'stablecoins'])
/** Sections without a meaning: on Bitcoin those of accounts, on a venue, which has no blocks, all. */
const meaningless = ({ id, status }: Chain): readonly string[] => (status === 'perps-only' ? Object.keys(sections).sort() : id === 'BTC' ? [...ofAccounts].sort() : [])
const pair = z.object({ token_a: EvmAddress, token_a_symbol: z.string(), token_b: EvmAddress, token_b_symbol: z.string(), swaps: z.number().int(), volume_usd: z.number().nullable().describe('null: no swap has a price'), volume_listed_usd: z.number().nullable().describe('As in list_swap_pairs') })

export default operation({
  name: 'get_market', aliases: ['market_overview', 'get_market_overview'], route: 'GET /v1/dashboard/market', auth: 'key', lane: 'market', tool: true, cacheSeconds: 10,
  sources: ['swaps', 'transfers', 'blocks', 'transactions', 'logs', 'btc_coinjoins', 'labels', 'prices'], rows: 'whale_activity',
  summary: 'The market on one page: swap pairs, exchange flows, whales, gas, stablecoins. A section that failed or is not indexed is null.',
  input: z.object({ chain: storedField.default('ETH') }),
  output: z.object({
    chain: z.string(), swap_pairs: z.object({ window: Window, pairs: z.array(pair) }).nullable(),
    exchange_flows: z.object({ window: Window, usd_in: known, usd_out: known, usd_net: known, usd_listed_in: known.describe('As in list_exchange_flows'), usd_listed_out: known, usd_unknown: known, top: z.array(z.object({ exchange: z.string(), usd_net: known.describe('Without usd_unknown'), usd_listed_net: known, usd_unknown: known.describe('Received on Bitcoin in transfers_unknown transactions, an input of which is not known: it may be its change'), transfers_unknown: z.number().int() })) }).nullable(),
    whale_activity: Whales.extend({ window: Window }).nullable(),
    gas: z.object({ window: Window, base_fee: Amount.nullable(), next_base_fee: Amount.nullable(), gas_price_p50: Amount.nullable(), priority_fee_p50: Amount.nullable() }).nullable(),
    stablecoins: z.object({ window: Window, volume_usd: z.number(), net_usd: z.number().nullable().describe('Minted less burnt; null: one of them has no price'), top: z.array(z.object({ token: EvmAddress, token_symbol: z.string(), net_usd: z.number().nullable(), volume_usd: z.number() })) }).nullable(),
    failed: z.array(z.string()).describe('Sections that failed and are null for that'), not_applicable: z.array(z.string()).describe('Sections that have no meaning on this chain and are null for that'), coverage_status: CoverageStatus,
  }),
  // Null on a chain that is stored means that the section failed, or that nothing is indexed, which coverage tells.
  empty: (output) => emptyUnlessStored(output) ?? (output.failed.length > 0 ? emptyBecause('unclassified') : null),
  settled: ({ failed }) => failed.length === 0,
  run: async (input, ask) => {
    const chain = chainOf(input.chain)
    const failed: string[] = []
    const section = async <Name extends keyof typeof sections>(name: Name): Promise<Awaited<ReturnType<(typeof sections)[Name]>> | null> => {
      const stored = ofAccounts.has(name) ? [accountChain(chain)].filter((id) => id !== null) : storedChains(chain)
      const { bounds } = await ask.services.coverage.view()
      // Of a chain without a block nothing is 0.
      if (!stored.some((id) => bounds.has(id))) return null
      try {
        return await sections[name](chain.id, ask) as Awaited<ReturnType<(typeof sections)[Name]>>
      } catch (thrown) {
        // A caller who has gone takes the whole answer along.
        if (ask.signal.aborted) throw thrown
        ask.log.warn({ section: name, reason: messageOf(thrown) }, 'a section of the market failed')
        failed.push(name)
        return null
      }
    }
    const [status, unpriced, pairs, flows, whales, gas, stablecoins] = await Promise.all([
      ask.services.coverage.status(chain.id), unpricedDay(chain, ask), section('swap_pairs'), section('exchange_flows'), section('whale_activity'), section('gas'), section('stablecoins'),
    ])
    return { chain: chain.id, swap_pairs: pairs, exchange_flows: flows, whale_activity: whales, gas, stablecoins, failed: failed.sort(), not_applicable: [...meaningless(chain)], coverage_status: await withUnlisted(withUnpriced(status, unpriced), chain.id, ask) }
  },
})
