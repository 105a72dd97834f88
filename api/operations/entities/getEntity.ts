import { z } from 'zod'
import { Amount, EvmAddress } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause } from '../../empty.js'
import { chainField, chainOf } from '../../fields.js'
import { operation } from '../../operation.js'
import { isWhole } from '../../reach.js'
import { paramsOf, spanOf, Window, windowOf } from '../../span.js'
import { untrusted } from '../../untrusted.js'
import { Balance, BalanceRow, balancesOf } from '../wallets/balance.js'
import { mostTransfers } from '../wallets/profile.js'

const listEntityAddresses = loadSql(import.meta.url, 'listEntityAddresses.sql')
const countEntityTransfers = loadSql(import.meta.url, 'countEntityTransfers.sql')
const listEntityBalances = loadSql(import.meta.url, 'listEntityBalances.sql')
const countNames = loadSql(import.meta.url, 'countNames.sql')
const listEntityFlows = loadSql(import.meta.url, 'listEntityFlows.sql')
const Address = z.object({ chain: z.string(), address: z.string(), label: z.string(), classification: z.string(), sources: z.array(z.string()), confidence: z.number().int() })
const Flow = z.object({
  token: EvmAddress, token_symbol: z.string(), token_decimals: z.number().int().nullable(), transfers_in: z.number().int(), transfers_out: z.number().int(), transfers_internal: z.number().int(),
  amount_in: Amount.nullable(), amount_out: Amount.nullable(), usd_in: z.number(), usd_out: z.number(),
})
const Row = Flow.extend({ token_symbol: z.string().transform((text) => untrusted(text)), all_in: z.number(), all_out: z.number() })
const Entity = z.object({
  name: z.string(), classifications: z.array(z.string()), address_count: z.number().int().describe('That registers and imports name; window, flows and balances are of these'), deposit_count: z.number().int().describe('Deposit addresses that a rule found on ETH, evidence in get_labels'), addresses: z.array(Address).describe('Up to 200: those that are named, then deposit addresses that a rule found (source rules)'), window: Window,
  usd_in: z.number(), usd_out: z.number(), usd_net: z.number(), flows: z.array(Flow).describe('On the chain asked about, the 20 tokens with the most USD; its own moves are left out'),
  balances: z.array(Balance).nullable().describe('On that chain, of the addresses it has now, 50 at most; null: nothing is indexed, or too busy to be summed at once'),
})

export default operation({
  name: 'get_entity', aliases: ['entity_profile'], route: 'GET /v1/entity/{name}', auth: 'public', lane: 'whales', tool: true, cacheSeconds: 30, sources: ['labels', 'transfers', 'prices'], rows: 'entity',
  summary: 'One owner of labelled addresses: its addresses with sources, balances, and flows of the last indexed day. Names come from list_entities.',
  input: z.object({ name: z.string().min(1).max(128).describe('Name of the entity; case does not matter'), chain: chainField.default('ETH') }),
  output: z.object({ name: z.string(), searched: z.number().int().describe('Names that were looked through; 0: no register is loaded'), entity: Entity.nullable(), coverage_status: CoverageStatus }),
  // The registers were read whole, where there are any: such a name is not in them.
  empty: ({ searched }) => emptyBecause(searched === 0 ? 'data_gap' : 'no_signal'),
  run: async ({ name, chain: received }, ask) => {
    const chain = chainOf(received)
    const [status, span, [names], rows] = await Promise.all([
      ask.services.coverage.status(chain.id), spanOf(chain, 24, ask, true), ask.store.query(countNames, {}, z.object({ searched: z.number() })), ask.store.query(listEntityAddresses, { name, chain: 'ETH' }, Address.extend({ entity: z.string(), total: z.number(), deposits_found: z.number() })),
    ])
    const [first] = rows
    const searched = names?.searched ?? 0
    if (first === undefined) return { name, searched, entity: null, coverage_status: status }
    const mine = { chain: span?.chain ?? '', entity: first.entity }
    const [flows, [moved], last, view] = await Promise.all([
      span === null ? [] : ask.store.query(listEntityFlows, { ...paramsOf(span), ...mine }, Row), span === null ? [] : ask.store.query(countEntityTransfers, mine, z.object({ transfers: z.number() })),
      spanOf(chain, 1, ask), ask.services.coverage.view(),
    ])
    const held = last === null || moved === undefined || moved.transfers > mostTransfers ? null
      : balancesOf(await ask.store.query(listEntityBalances, { ...mine, first: last.first, newest: last.newest }, BalanceRow), isWhole(view.bounds.get(last.chain)))
    const [gained, lost] = [flows[0]?.all_in ?? 0, flows[0]?.all_out ?? 0]
    return {
      name, searched, coverage_status: status,
      entity: {
        name: first.entity, classifications: [...new Set(rows.map((row) => row.classification))].sort(), address_count: first.total, deposit_count: first.deposits_found, addresses: rows.map(({ entity: _, total: __, deposits_found: ___, ...address }) => address),
        window: windowOf(span), usd_in: gained, usd_out: lost, usd_net: gained - lost, flows: flows.map(({ all_in: _, all_out: __, ...flow }) => flow), balances: held,
      },
    }
  },
})
