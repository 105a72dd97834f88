/** Every operation that takes a chain, asked about Bitcoin and about all chains together: what comes back, or why nothing does. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { operations } from '../../api/registry.js'
import { fieldsOfPath } from '../../api/routes.js'
import { recordedJson } from '../support/bitcoin.js'
import { fillBitcoin, priceWbtc } from './support/bitcoin.js'
import { bodies, filled, requiredQuery } from './support/examples.js'
import { seed } from './support/seed.js'
import { startService, type Reply, type Service } from './support/service.js'

const address = '1FoWyxwPXuj4C6abqwhjDWdz6D4PZgYRjA'
/** rows: of Bitcoin, or of both; noAccounts: Bitcoin has nothing of the kind; ethereum: what Ethereum alone has; refused: the operation covers no such chain; a word: the class of its silence. */
type Outcome = 'rows' | 'noAccounts' | 'ethereum' | 'refused' | 'no_signal' | 'no_sanctions_match' | 'no_abuse_match' | 'data_gap' | 'stale_pipeline' | 'node'
const expected: Readonly<Record<string, readonly [btc: Outcome, all: Outcome]>> = {
  get_latest_block: ['rows', 'refused'], list_recent_blocks: ['rows', 'refused'], list_blocks: ['rows', 'refused'], get_block: ['rows', 'refused'], list_feed: ['rows', 'refused'], get_feed_block: ['rows', 'refused'],
  list_whales: ['rows', 'rows'], list_whale_txs: ['rows', 'rows'], list_txs: ['rows', 'rows'], list_intents: ['rows', 'rows'], list_alerts: ['rows', 'rows'], list_chunks: ['rows', 'rows'],
  get_trust: ['rows', 'rows'], list_exchange_flows: ['rows', 'rows'], explore_flows: ['rows', 'rows'], list_wallets: ['rows', 'rows'], list_top_wallets: ['rows', 'rows'], get_market: ['rows', 'rows'], get_network_summary: ['rows', 'rows'],
  get_wallet: ['rows', 'rows'], list_wallet_transfers: ['rows', 'rows'], trace_funds: ['rows', 'rows'], get_trail_graph: ['rows', 'rows'], get_mixer_use: ['data_gap', 'data_gap'], get_entity: ['rows', 'rows'],
  // Nothing was scored or screened here: no register of sanctions is loaded, and the recorded blocks hold no risky address.
  get_wallet_compliance: ['data_gap', 'data_gap'], screen_address: ['data_gap', 'data_gap'], screen_addresses: ['rows', 'rows'], screen_abuse: ['no_abuse_match', 'no_abuse_match'], list_risky_wallets: ['stale_pipeline', 'stale_pipeline'], list_label_changes: ['stale_pipeline', 'stale_pipeline'], get_labels: ['no_signal', 'no_signal'],
  ask_blockchain: ['stale_pipeline', 'stale_pipeline'],
  get_gas: ['noAccounts', 'ethereum'], list_stablecoins: ['noAccounts', 'stale_pipeline'], list_swap_pairs: ['noAccounts', 'ethereum'], list_trending: ['noAccounts', 'ethereum'], get_token: ['noAccounts', 'stale_pipeline'], list_candles: ['noAccounts', 'stale_pipeline'],
  list_predictions: ['noAccounts', 'data_gap'], list_smart_money_flows: ['noAccounts', 'data_gap'], get_wallet_pnl: ['noAccounts', 'noAccounts'], list_leaders: ['noAccounts', 'data_gap'], list_copy_trades: ['noAccounts', 'data_gap'], list_agents: ['noAccounts', 'stale_pipeline'],
  list_hops: ['noAccounts', 'refused'], list_mev: ['noAccounts', 'refused'], get_mev: ['noAccounts', 'refused'], list_mev_searchers: ['noAccounts', 'refused'], list_swaps: ['refused', 'refused'],
}

interface Spent { readonly txid?: string; readonly vout: number }
interface Paid { readonly value: number; readonly scriptPubKey: { readonly type: string; readonly hex: string; readonly address?: string; readonly addresses?: readonly string[] } }

/** What a recorded block's transactions were for, by its JSON; inputs that spend outputs of the same block are known, and while one is not nobody knows what is change. */
const purposes = (height: number): ReadonlyMap<string, string> => {
  const { tx } = JSON.parse(recordedJson(height) ?? '{}') as { tx: { txid: string; vin: Spent[]; vout: Paid[] }[] }
  const addressOf = ({ scriptPubKey: { type, address: one, addresses } }: Paid): string => (['pubkey', 'multisig'].includes(type) ? '' : one ?? addresses?.[0] ?? '')
  const outputs = new Map(tx.flatMap(({ txid, vout }) => vout.map((out, place) => [`${txid}:${place}`, addressOf(out)] as const)))
  return new Map(tx.map(({ txid, vin, vout }, index) => {
    const known = vin.map(({ txid: of, vout: place }) => outputs.get(`${of}:${place}`))
    const spendable = vout.filter(({ scriptPubKey: { type } }) => type !== 'nulldata')
    const others = spendable.filter((out) => addressOf(out) === '' || !known.includes(addressOf(out)))
    const note = vout.find(({ scriptPubKey: { type } }) => type === 'nulldata')?.scriptPubKey.hex
    const largest = Math.max(0, ...others.map(({ value }) => Math.round(value * 1e8)))
    return [txid, index === 0 ? 'coinbase' : note?.slice(4, 20) === '6f6d6e6900000000' ? 'token_transfer' : note !== undefined && largest <= 2_730 ? 'data'
      : (vin.length >= 5 && spendable.length === 1) || (others.length === 0 && vin.length > spendable.length && !known.includes(undefined)) ? 'consolidation'
      : others.length === 0 ? 'internal' : known.includes(undefined) ? 'other' : others.length >= 5 ? 'batch_payout' : largest > 2_730 ? 'payment' : 'other']
  }))
}

describe('Bitcoin and all chains, operation by operation', function () {
  this.timeout(240_000)
  let service: Service
  before(async () => {
    service = await startService()
    await priceWbtc(service.store, 1_556_771_671 - 600, 5_300)
    await fillBitcoin(service.store, [514_485, 574_200])
    await seed(service.store, 100, 2, new Date('2019-05-02T04:34:40.000Z'))
  })
  after(() => service.stop())

  const asked = operations.filter((one) => 'chain' in one.input.shape && one.writes !== true && one.lane !== 'raw_rpc' && one.media === undefined)
  const ask = (name: string, chain: string): Promise<Reply> => {
    const operation = asked.find((one) => one.name === name)
    const [method = '', path = ''] = operation?.route.split(' ') ?? []
    const { required = [] } = z.toJSONSchema(operation?.input ?? z.object({}), { io: 'input' })
    const of = name === 'list_candles' ? `0x${'ab'.repeat(20)}` : address
    if (method === 'POST') return service.call(`${method} ${filled(path)}`, { body: { ...bodies[operation?.route ?? ''], chain, ...(name === 'screen_address' ? { address } : {}), ...(name === 'screen_addresses' ? { addresses: [address] } : {}) } })
    const query = requiredQuery(path, required.filter((field) => field !== 'chain'))
    const at = filled(path, { chain, address: of, block_number: '574200', name: 'bitfinex' }) + query
    return service.call(`${method} ${at}${fieldsOfPath(path).includes('chain') ? '' : `${query === '' ? '?' : '&'}chain=${chain}`}`)
  }
  /** The rows of an answer, and the class of its silence. */
  const read = (name: string, { body, headers }: Reply) => {
    const member = operations.find((one) => one.name === name)?.rows
    const rows = Array.isArray(body) ? body : body[member ?? '']
    return { rows, empty: Array.isArray(body) ? headers.get('x-empty-reason') : body._meta?.empty?.empty_reason ?? null, why: body._meta?.empty?.not_applicable }
  }

  it('the table has every operation with a chain', () => { assert.deepEqual(asked.map(({ name }) => name).sort(), Object.keys(expected).sort()) })

  for (const [name, outcomes] of Object.entries(expected)) {
    for (const [at, chain] of (['BTC', 'ALL'] as const).entries()) {
      const outcome = outcomes[at]
      it(`${name} of ${chain}: ${outcome}`, async () => {
        const reply = await ask(name, chain)
        if (outcome === 'refused') {
          assert.equal(reply.status, 404, reply.text)
          assert.ok(['CHAIN_NO_BLOCKS', 'UNKNOWN_CHAIN'].includes(reply.body.detail.error))
          return
        }
        assert.equal(reply.status, 200, reply.text)
        const { rows, empty, why } = read(name, reply)
        if (outcome === 'noAccounts') {
          assert.deepEqual([empty, reply.body._meta.empty.is_successful_empty], ['unsupported_input', false])
          assert.match(why, /Bitcoin has no accounts/)
        } else if (outcome === 'rows' || outcome === 'ethereum') {
          assert.equal(empty, null, reply.text.slice(0, 500))
          const chains = Array.isArray(rows) ? [...new Set(rows.map((row: { chain?: string }) => row.chain))].filter((one) => one !== undefined) : []
          if (chain === 'BTC') assert.ok(chains.every((one) => one === 'BTC'), chains.join())
          if (outcome === 'ethereum') assert.ok(!reply.text.includes('"BTC"') || name !== 'get_gas')
        } else assert.equal(empty, outcome, reply.text.slice(0, 500))
      })
    }
  }

  it('ALL is Ethereum and Bitcoin, row by row and in the sums', async () => {
    const get = async (path: string): Promise<any> => (await service.call(`GET /v1/${path}`)).body
    const both = async (path: string, of: (answer: any) => any) => Promise.all(['ETH', 'BTC', 'ALL'].map(async (chain) => of(await get(`${path}chain=${chain}`))))
    for (const path of ['dashboard/txs?limit=500&', 'dashboard/intents?limit=200&', 'dashboard/whale-txs?limit=500&']) {
      const [eth, btc, all] = await both(path, ({ txs, intents, items }) => (txs ?? intents ?? items).map((one: any) => one.hash))
      assert.ok(eth.length > 0 && btc.length > 0 && new Set(all).size > eth.length, path)
      assert.deepEqual(all.slice(0, eth.length).sort(), eth.sort(), `${path}: those of Ethereum are newer`)
    }
    const [eth, btc, all] = await both('dashboard/market?', ({ whale_activity: whales, exchange_flows: flows, not_applicable: none }) => ({ whales, flows, none }))
    assert.ok(eth.whales.count > 0 && btc.whales.count > 0)
    assert.deepEqual([all.whales.count, all.whales.usd], [eth.whales.count + btc.whales.count, eth.whales.usd + btc.whales.usd])
    assert.deepEqual([all.flows.usd_in, btc.none, all.none], [(eth.flows?.usd_in ?? 0) + btc.flows.usd_in, ['gas', 'stablecoins', 'swap_pairs'], []])
    assert.deepEqual(Object.keys(all.flows.window.chains).sort(), ['BTC', 'ETH'])
    const flows = await both('wallets/flow-explorer?limit=100&', (rows) => rows.map(({ chain, from_class: from, to_class: to, value_usd: usd }: any) => [chain, from, to, usd]))
    assert.deepEqual(flows[2].map(String).sort(), [...flows[0], ...flows[1]].map(String).sort())
    assert.deepEqual(flows[2].map((row: any) => row[3]), flows[2].map((row: any) => row[3]).sort((a: number, b: number) => b - a))
    const overview = await get('dashboard/overview')
    assert.deepEqual(overview.last_hours.map(({ chain }: any) => chain), ['ETH', 'BTC'])
    assert.equal(overview.last_hour.transactions, overview.last_hours.reduce((sum: number, { transactions }: any) => sum + transactions, 0))
  })

  it('tells what transactions of Bitcoin were for by their shape', async () => {
    const pages: any[] = []
    for (let cursor = ''; ;) {
      const { body } = await service.call(`GET /v1/dashboard/intents?chain=BTC&limit=200${cursor}`)
      pages.push(...body.intents)
      if (body.next_cursor === null || body.intents.at(-1).block_number < 574_200) break
      cursor = `&cursor=${body.next_cursor}`
    }
    const told = purposes(574_200)
    const seen = pages.filter((one) => one.block_number === 574_200)
    assert.equal(seen.length, told.size)
    // A detector or the label of a mixer says more than a shape.
    const differ = seen.filter(({ hash, intent }) => intent !== told.get(hash) && !['coinjoin', 'mixer'].includes(intent)).map(({ hash, intent }) => [hash, intent, told.get(hash)])
    assert.deepEqual(differ, [])
    for (const intent of ['coinbase', 'payment', 'batch_payout', 'consolidation', 'token_transfer', 'data']) assert.ok(seen.some((one) => one.intent === intent), intent)
  })

  it('an exchange of both chains is one row with the sums of both', async () => {
    const { store } = service
    await store.execute(`INSERT INTO entity_token_segments (chain, hour, segment, entity, token, transfers_in, amount_in, usd_in, transfers_out, amount_out, usd_out, transfers_internal, amount_internal, oversized, version)
      SELECT 'ETH', toStartOfHour(max(block_time)), 0, 'bitfinex', toFixedString('', 20), 2, 1000, 700, 1, 10, 300, 0, 0, 0, 1 FROM blocks WHERE chain = 'ETH'`)
    await store.execute(`INSERT INTO labels (chain, address, label, entity, category, source, rule, confidence, valid_from, version) SELECT 'ETH', '0x${'be'.repeat(20)}', 'Bitfinex', 'bitfinex', 'exchange', 'test', 'test', 100, now64(3), 1`)
    await store.execute('SYSTEM RELOAD DICTIONARY label_of')
    const flow = async (chain: string) => (await service.call(`GET /v1/dashboard/exchange-flows?hours=23&chain=${chain}`)).body
    const [eth, btc, all] = [await flow('ETH'), await flow('BTC'), await flow('ALL')]
    const of = ({ exchanges }: any) => exchanges.find(({ exchange }: any) => exchange === 'bitfinex')
    assert.deepEqual([of(eth).usd_in, of(all).usd_in, of(all).transfers_in], [700, 700 + of(btc).usd_in, 2 + of(btc).transfers_in])
    assert.deepEqual(of(all).tokens.map(({ chain, amount_in: amount }: any) => [chain, amount]).sort(), [['BTC', of(btc).tokens[0].amount_in], ['ETH', '1000']])
    const [one, ofAll, ofEth, ofBtc] = await Promise.all(['', '&chain=ALL', '&chain=ETH', '&chain=BTC'].map(async (query) => (await service.call(`GET /v1/entity/bitfinex?limit=199${query}`)).body))
    assert.deepEqual([one.entity, one.coverage_status.chain], [ofAll.entity, 'ALL'], 'without a chain it is of all')
    assert.deepEqual([one.entity.flows.map(({ chain }: any) => chain).sort(), one.entity.usd_in, Object.keys(one.entity.window.chains).sort()], [['BTC', 'ETH'], ofEth.entity.usd_in + ofBtc.entity.usd_in, ['BTC', 'ETH']])
    assert.deepEqual([one.entity.btc_known_now, one.entity.balances.map(({ chain }: any) => chain), one.entity.balances_left_out], [ofBtc.entity.btc_known_now, ['BTC'], []])
    assert.equal(all.total, btc.total)
    assert.equal(all.usd_in, eth.usd_in + btc.usd_in)
    const pages: any[] = []
    for (let cursor = ''; pages.length < 40;) {
      const { body, headers } = await service.call(`GET /v1/wallets/flow-explorer?chain=ALL&limit=1${cursor}`)
      pages.push(...body)
      if (headers.get('x-next-cursor') === null) break
      cursor = `&cursor=${headers.get('x-next-cursor')}`
    }
    assert.deepEqual(pages, (await service.call('GET /v1/wallets/flow-explorer?chain=ALL&limit=100')).body)
  })
})
