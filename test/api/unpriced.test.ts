/** Blocks without a price of their chain's coin: what moved in them is not said to be nothing, nor to be worth nothing. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { listsOf } from '../../stages/lists.js'
import { runStatements } from '../../stages/stage.js'
import { bitcoinBatch, bitcoinContext } from '../support/bitcoin.js'
import { idOf, insertBlocks, type Block } from '../support/btcLedger.js'
import { nameAddress } from '../support/clusters.js'
import { fillRecorded } from './support/recorded.js'
import { startService, type Service } from './support/service.js'

const btc = 100_000_000
const [hot, shop, miner] = ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', '1FoWyxwPXuj4C6abqwhjDWdz6D4PZgYRjA', '1NpHuti9NSM9fVTXLkvSDU4AnhqGQ5N53d']
const blockOf = (number: number): Block => ({ number, txs: [
  { coinbase: true, ins: [{ address: '', value: 0 }], outs: [{ address: miner, value: 50 * btc }] }, { ins: [{ address: hot, value: 3 * btc }], outs: [{ address: shop, value: 2 * btc }, { address: hot, value: btc }] },
] })
const written = new Set(['prices', 'transfers', 'btc_flows', 'btc_entity_nets', 'entity_token_segments', 'class_segments', 'address_transfers', 'address_segments'])
/** A service with these blocks, and what wrapped bitcoin was worth at the first of them where `priced`. Blocks more than an hour later have no price. */
const serviceOf = async (heights: readonly number[], priced: boolean): Promise<Service> => {
  const service = await startService()
  const { store } = service
  await nameAddress(store, `0x${idOf(hot)}`, 'Alpha', 1)
  await store.execute('SYSTEM RELOAD DICTIONARY label_of')
  await insertBlocks(store, heights.map(blockOf))
  await store.execute('INSERT INTO blocks (chain, block_number, block_hash, block_time, internal_complete, tx_count) SELECT chain, block_number, block_hash, block_time, true, tx_count FROM btc_blocks')
  await store.execute('INSERT INTO btc_parties (id, address) SELECT DISTINCT toFixedString(substring(SHA256(address), 1, 20), 20), address FROM btc_outputs')
  if (priced) await store.execute("INSERT INTO prices (chain, token, block_number, block_time, block_hash, usd, method, trades, depth_usd, generation) SELECT 'ETH', unhex('2260fac5e5542a773aa44fbcfedf7c193bc2c599'), 1, min(block_time), '', 10000, 'chainlink', 1, 0, 1 FROM btc_blocks")
  const { enrich, index } = listsOf('BTC')
  for (const height of heights) await runStatements([...enrich, ...index].map((group) => group.filter(({ writes }) => written.has(writes))), { ...bitcoinBatch(height, height, 0), hash: `x${height}` }, bitcoinContext(store))
  return service
}
const said = /(\d+) of (\d+) blocks of BTC asked about, between (\d+) and (\d+), have no price in dollars/

describe('Bitcoin without a price', function () {
  this.timeout(120_000)
  let service: Service
  const get = async (path: string): Promise<any> => (await service.call(`GET /v1/${path}`)).body
  const unpriced = ({ coverage_status: { warnings } }: any): unknown => said.exec(warnings.join())?.slice(1).map(Number)

  describe('in no block', () => {
    before(async () => { service = await serviceOf([1, 2], false) })
    after(() => service.stop())

    it('no whale is a gap', async () => {
      for (const path of ['whales/recent?chain=BTC&min_usd=1', 'dashboard/whale-txs?chain=BTC']) {
        const answer = await get(path)
        assert.deepEqual([answer.count, unpriced(answer), answer._meta.empty], [0, [2, 2, 1, 2], { is_successful_empty: false, empty_reason: 'data_gap' }], path)
      }
      assert.deepEqual(unpriced(await get('whales/recent?min_usd=1')), [2, 2, 1, 2])
      assert.deepEqual(unpriced(await get('whales/recent?chain=BTC&min_usd=1&since=2019-01-01T00:15:00Z')), [1, 1, 2, 2])
    })

    it('sums are unknown, and amounts are known', async () => {
      const flows = await get('dashboard/exchange-flows?chain=BTC')
      const [alpha] = flows.exchanges, [now] = flows.known_now
      assert.deepEqual([alpha.transfers_out, alpha.tokens[0].amount_out, alpha.tokens[0].amount_in, now.sats_out], [2, String(4 * btc), '0', String(4 * btc)])
      for (const one of [flows, alpha, now]) assert.deepEqual([one.usd_in, one.usd_out, one.usd_net, one.usd_unknown], [0, null, null, 0])
      assert.deepEqual([alpha.tokens[0].usd_in, alpha.tokens[0].usd_out, alpha.tokens[0].usd_net, unpriced(flows)], [0, null, null, [2, 2, 1, 2]])
      const { entity, ...about } = await get('entity/Alpha?chain=BTC')
      for (const one of [entity, entity.flows[0], entity.btc_known_now]) assert.deepEqual([one.usd_in, one.usd_out, one.usd_unknown], [0, null, 0])
      assert.deepEqual([entity.usd_net, entity.flows[0].amount_out, entity.btc_known_now.sats_out, entity.balances[0].value_usd, unpriced(about)], [null, String(4 * btc), String(4 * btc), null, [2, 2, 1, 2]])
      const listed = await get('entity/list')
      assert.deepEqual([listed.entities.map((one: any) => [one.name, one.usd_in, one.usd_out, one.usd_unknown]), unpriced(listed)], [[['Alpha', 0, null, 0]], [2, 2, 1, 2]])
      const market = await get('dashboard/market?chain=BTC')
      assert.deepEqual([market.exchange_flows.usd_out, market.exchange_flows.top[0].usd_net, market.whale_activity.count, market.whale_activity.usd, market.failed, unpriced(market)], [null, null, null, null, [], [2, 2, 1, 2]])
      const network = await get('network/summary?chain=BTC')
      assert.deepEqual([network.whales_1h, network.hourly.whale_usd, network.hourly.transfers > 0, unpriced(network)], [null, null, true, [2, 2, 1, 2]])
      const overview = await get('dashboard/overview')
      const [{ chain, transfers, whales }] = overview.last_hours
      assert.deepEqual([chain, transfers > 0, whales, overview.last_hour.whales, unpriced(overview)], ['BTC', true, null, null, [2, 2, 1, 2]])
      const { profile, counterparties } = await get(`wallets/${shop}?chain=BTC`)
      assert.deepEqual(counterparties.map((one: any) => [one.address, one.transfers_in, one.usd_in, one.usd_out]), [[hot, 2, null, 0]])
      assert.deepEqual([profile.transfers_in, profile.usd_in, profile.transfers_out, profile.usd_out, profile.unpriced, counterparties[0].unpriced], [2, null, 0, 0, 2, 2])
      const moved = await get('wallets/flow-explorer?chain=BTC')
      assert.deepEqual(moved.map((one: any) => [one.transfers === one.unpriced, one.value_usd]), moved.map(() => [true, null]))
      assert.ok(moved.length > 0)
    })

    it('wallets are listed by what they moved, without dollars', async () => {
      const told = (rows: any[]): unknown => rows.map((one) => [one.address, one.transfers_in, one.transfers_out, one.usd_in, one.usd_out, one.volume_usd, one.unpriced])
      const top = [[miner, 2, 0, null, 0, null, 2], [hot, 0, 2, 0, null, null, 2], [shop, 2, 0, null, 0, null, 2]]
      for (const path of ['wallets/top/BTC?', 'wallets?chain=BTC&', 'wallets?']) {
        assert.deepEqual(told(await get(path)), top, path)
        const { body: [first], headers } = await service.call(`GET /v1/${path}limit=1`)
        assert.deepEqual([first.address, ...told(await get(`${path}cursor=${headers.get('x-next-cursor')}`)) as any[]], [miner, ...top.slice(1)], path)
      }
      // By class they are told as each one's own page tells it: what came back to it counts, which moved nothing between owners.
      const { profile } = await get(`wallets/${hot}?chain=BTC`)
      assert.deepEqual([profile.transfers_in, profile.transfers_out, profile.usd_in, profile.usd_out], [2, 2, null, null])
      assert.deepEqual(told(await get('wallets?chain=BTC&classification=exchange')), [[hot, 2, 2, null, null, null, undefined]])
      await service.store.execute("INSERT INTO labels (chain, address, label, entity, category, source, rule, confidence, valid_from, version) SELECT 'BTC', {id:String}, 'x', '', 'hack', 'test', '', 100, now64(3), 1", { id: `0x${idOf(shop)}` })
      await service.store.execute('SYSTEM RELOAD DICTIONARY label_of')
      const risky = await get('wallets/risky/BTC?min_risk=1')
      assert.deepEqual(risky.map((one: any) => [one.address, one.volume_usd]), [[shop, null]])
    })

    it('a feed does not count what it cannot value', async () => {
      const feed = await get('feed/recent?chain=BTC')
      assert.deepEqual(feed.blocks.map((one: any) => [one.block_number, one.whale_count, one.whale_usd]), [[2, null, null], [1, null, null]])
      // Nothing is said of values before they are worked out.
      const early = await get('feed/block/BTC/2')
      assert.deepEqual([early.block.block_number ?? early.block.number, early.indexed, early.whale_txs, unpriced(early)], [2, false, [], undefined])
      await service.store.execute("INSERT INTO batches SELECT 'BTC', 'enrich', 1, 2, 'x', 0, 0, 0, 0, '', now64(3)")
      const later = await get('feed/block/BTC/2')
      assert.deepEqual([unpriced(feed), later.indexed, unpriced(later)], [[2, 2, 1, 2], false, [1, 1, 2, 2]])
    })
  })

  describe('in some blocks', () => {
    before(async () => { service = await serviceOf([1, 20], true) })
    after(() => service.stop())

    it('says of which, beside what is known', async () => {
      const whales = await get('whales/recent?chain=BTC&min_usd=1')
      assert.deepEqual([whales.whales.every((one: any) => one.block_number === 1) && whales.count > 1, unpriced(whales), whales._meta.empty], [true, [1, 2, 20, 20], undefined])
      // The newest whale that has a price comes after a block whose whales are not known.
      assert.deepEqual(unpriced(await get('whales/recent?chain=BTC&min_usd=1&limit=1')), [1, 2, 20, 20])
      assert.deepEqual(unpriced(await get('whales/recent?chain=BTC&min_usd=1&until=2019-01-01T01:00:00Z')), undefined)
      const flows = await get('dashboard/exchange-flows?chain=BTC')
      assert.deepEqual([flows.usd_out, flows.exchanges[0].tokens[0].amount_out, unpriced(flows)], [20_000, String(4 * btc), [1, 2, 20, 20]])
      assert.deepEqual((await get('feed/recent?chain=BTC')).blocks.map((one: any) => [one.block_number, one.whale_count]), [[20, null], [1, 2]])
      assert.deepEqual((await get('wallets/top/BTC')).map((one: any) => [one.address, one.transfers_in, one.volume_usd, one.unpriced]), [[miner, 2, 500_000, 1], [hot, 0, 20_000, 1], [shop, 2, 20_000, 1]])
      const { entity, ...about } = await get('entity/Alpha?chain=BTC')
      assert.deepEqual([entity.usd_out, entity.flows[0].usd_out, entity.btc_known_now.usd_out, entity.btc_known_now.sats_out, unpriced(about)], [20_000, 20_000, 20_000, String(4 * btc), [1, 2, 20, 20]])
      const network = await get('network/summary?chain=BTC')
      assert.deepEqual([network.whales_1h, unpriced(network)], [null, [1, 1, 20, 20]])
    })
  })
})

describe('Ethereum without a price of its coin', function () {
  this.timeout(180_000)
  let service: Service
  const get = async (path: string): Promise<any> => (await service.call(`GET /v1/${path}`)).body
  const unpriced = ({ coverage_status: { warnings } }: any): unknown => /(\d+) of (\d+) blocks of ETH asked about, between (\d+) and (\d+), have no price in dollars/.exec(warnings.join())?.slice(1).map(Number)
  before(async () => {
    service = await startService()
    await fillRecorded(service.store, [7280016, 15537393, 18000000])
  })
  after(() => service.stop())

  it('no whale is a gap, and a feed does not count what it cannot value', async () => {
    const silent = await get('whales/recent?chain=ETH&until=2022-12-01T00:00:00Z')
    assert.deepEqual([silent.count, unpriced(silent), silent._meta.empty], [0, [2, 2, 7280016, 15537393], { is_successful_empty: false, empty_reason: 'data_gap' }])
    const found = await get('whales/recent?chain=ETH&min_usd=1000&limit=1')
    assert.deepEqual([found.whales.map((one: any) => one.block_number), unpriced(found)], [[18000000], undefined])
    assert.deepEqual(unpriced(await get('dashboard/whale-txs?chain=ETH')), [2, 3, 7280016, 15537393])
    const feed = await get('feed/recent?chain=ETH')
    assert.deepEqual(feed.blocks.map((one: any) => [one.block_number, typeof one.whale_count, typeof one.whale_usd]), [[18000000, 'number', 'number'], [15537393, 'object', 'object'], [7280016, 'object', 'object']])
    assert.deepEqual([unpriced(feed), unpriced(await get('feed/block/ETH/15537393')), unpriced(await get('feed/block/ETH/18000000'))], [[2, 3, 7280016, 15537393], [1, 1, 15537393, 15537393], undefined])
  })

  it('what an address moved without a price is counted and worth nothing known', async () => {
    const [one] = await service.store.query(`SELECT concat('0x', lower(hex(a.address))) AS address FROM address_transfers AS a WHERE a.address != toFixedString('', 20) AND a.kind NOT IN ('wrap', 'unwrap')
      GROUP BY a.address HAVING countIf(a.value_usd IS NOT NULL) = 0 AND min(a.block_number) = 15537393 AND max(a.block_number) = 15537393 ORDER BY count() DESC, address LIMIT 1`, {}, z.object({ address: z.string() }))
    const { profile, counterparties } = await get(`wallets/${one?.address}?chain=ETH`)
    assert.ok(counterparties.length > 1)
    assert.deepEqual([profile.first_block, profile.transfers_in > 0, profile.usd_in, profile.usd_out, profile.unpriced], [15537393, true, null, profile.transfers_out > 0 ? null : 0, profile.transfers_in + profile.transfers_out])
    assert.deepEqual(counterparties.map((one: any) => [one.usd_in, one.usd_out, one.unpriced]), counterparties.map((one: any) => [one.transfers_in > 0 ? null : 0, one.transfers_out > 0 ? null : 0, one.transfers_in + one.transfers_out]))
  })
})

describe('Ethereum of which no block has a price of its coin', function () {
  this.timeout(180_000)
  let service: Service
  const get = async (path: string): Promise<any> => (await service.call(`GET /v1/${path}`)).body
  before(async () => {
    service = await startService()
    await fillRecorded(service.store, [7280016, 15537393])
    const [one] = await service.store.query(`SELECT concat('0x', lower(hex(to_address))) AS address FROM transfers WHERE block_number = 15537393 AND kind = 'native' AND from_address != to_address GROUP BY to_address ORDER BY count() DESC, address LIMIT 1`, {}, z.object({ address: z.string() }))
    await service.store.insert('labels', [{ chain: 'ETH', address: one?.address ?? '', label: 'Hot', entity: 'Nickel', category: 'exchange', source: 'test', rule: '', confidence: 80, licence: '', valid_from: '2024-01-01 00:00:00.000', removed: false, version: 1 }])
    await service.store.execute('SYSTEM RELOAD DICTIONARY label_of')
    await service.store.execute(`INSERT INTO entity_token_segments (chain, hour, segment, entity, token, transfers_in, amount_in, usd_in, transfers_out, amount_out, usd_out, transfers_internal, amount_internal, oversized, version)
      SELECT 'ETH', toStartOfHour(max(block_time)), 0, 'Nickel', toFixedString('', 20), 3, 30, 0, 0, 0, 0, 0, 0, 0, 1 FROM blocks WHERE chain = 'ETH'`)
  })
  after(() => service.stop())

  it('what exchanges moved there is worth nothing known, as whales are', async () => {
    const { exchanges: [one], known_now: [now], ...all } = await get('dashboard/exchange-flows?chain=ETH&known_now=true')
    for (const { transfers_in: moved, usd_in: gained, usd_out: lost, usd_net: net } of [one, now]) assert.deepEqual([moved > 0, gained, lost, net], [true, null, 0, null])
    assert.deepEqual(one.tokens.map((token: any) => [token.amount_in, token.usd_in, token.usd_out, token.usd_net]), [['30', null, 0, null]])
    assert.deepEqual([all.usd_in, all.usd_out, all.usd_net], [null, 0, null])
    const { exchange_flows: flows, whale_activity: whales } = await get('dashboard/market?chain=ETH')
    assert.deepEqual([flows.usd_in, flows.usd_out, flows.top, whales.usd], [null, 0, [{ exchange: 'Nickel', usd_net: null, usd_listed_net: null, usd_unknown: 0, transfers_unknown: 0 }], null])
    const { entity } = await get('entity/nickel?chain=ETH')
    assert.deepEqual([entity.usd_in, entity.usd_out, entity.usd_net, entity.flows.map((token: any) => [token.usd_in, token.usd_out])], [null, 0, null, [[null, 0]]])
    const { entities } = await get('entity/list')
    assert.deepEqual(entities.filter(({ name }: any) => name === 'Nickel').map((listed: any) => [listed.usd_in, listed.usd_out, listed.usd_unknown]), [[null, 0, 0]])
    assert.ok(entities.length > 100 && entities.every(({ name, usd_in: gained, usd_out: lost }: any) => name === 'Nickel' || (gained === 0 && lost === 0)))
  })
})
