/** Dollars of tokens that a list names are told apart from what others are worth by their own pools, wherever dollars are added up or rank rows. */
import assert from 'node:assert/strict'
import { at, coin, putTokens, weth } from '../enrich/handmade.js'
import { until } from '../support/pipeline.js'
import { seed } from './support/seed.js'
import { startService, type Service } from './support/service.js'

const [named, stranger, hour] = [at('c1'), at('c2'), '2026-01-01 10:00:00']

describe('dollars of listed tokens', function () {
  this.timeout(90_000)
  let service: Service
  const get = async (path: string): Promise<any> => (await service.call(`GET /v1/${path}`)).body
  const unlisted = ({ coverage_status: { warnings } }: any): boolean => warnings.some((one: string) => one.includes('no list of tokens is loaded'))
  before(async () => {
    service = await startService()
    const { store } = service
    for (const [address, owner, category] of [[at('91'), 'Alpha', 'exchange'], [at('92'), 'Beta', 'other']]) {
      await store.execute(`INSERT INTO labels (chain, address, label, entity, category, source, rule, confidence, valid_from, version)
        SELECT 'ETH', {address:String}, 'x', {owner:String}, {category:String}, 'test', '', 80, now64(3), 1`, { address: address!, owner: owner!, category: category! })
    }
    await store.execute('SYSTEM RELOAD DICTIONARY label_of')
    await seed(store, 1_000, 20, new Date('2026-01-01T10:00:00Z'))
    await until(async () => (await get('dashboard/gas')).window !== null, 'the blocks are seen')
  })
  after(() => service.stop())

  it('without a list of tokens answers say that there is none', async () => {
    assert.deepEqual([unlisted(await get('entity/alpha?chain=ETH')), unlisted(await get('entity/alpha?chain=BTC')), unlisted(await get('entity/list')), unlisted(await get('dashboard/swap-pairs')), unlisted(await get('feed/trending')), unlisted(await get('wallets/smart-money-flow'))], [true, false, true, true, true, true])
    await putTokens(service.store, [{ address: named, symbol: 'LST', decimals: 6 }, { address: weth, symbol: 'WETH', decimals: 18 }])
    assert.deepEqual([unlisted(await get('entity/alpha?chain=ETH&limit=199')), unlisted(await get('entity/list?limit=499')), unlisted(await get('dashboard/swap-pairs?limit=49')), unlisted(await get('feed/trending?limit=49')), unlisted(await get('wallets/smart-money-flow?limit=99'))], [false, false, false, false, false])
  })

  it('of entities', async () => {
    await service.store.execute(`INSERT INTO entity_token_segments (chain, hour, segment, entity, token, transfers_in, usd_in, transfers_out, usd_out, version)
      SELECT 'ETH', toDateTime({hour:String}), s.segment, t.1, unhex(substring(t.2, 3)), 1, toDecimal256(t.3, 6) / 2, 1, toDecimal256(t.4, 6) / 2, 1
      FROM (SELECT arrayJoin([('Alpha', {stranger:String}, '1e24', '4'), ('Alpha', {named:String}, '500', '30'), ('Alpha', {coin:String}, '0.5', '40'), ('Beta', {stranger:String}, '7', '0')]) AS t) AS u CROSS JOIN (SELECT arrayJoin([0, 1]) AS segment) AS s`, { hour, stranger, named, coin })
    const { entity } = await get('entity/alpha?chain=ETH&limit=198')
    assert.deepEqual([entity.usd_in, entity.usd_out, entity.usd_listed_in, entity.usd_listed_out], [1e24, 74, 500.5, 70])
    assert.deepEqual(entity.flows.map((flow: any) => [flow.token, flow.listed, flow.usd_in]), [[stranger, false, 1e24], [named, true, 500], [coin, true, 0.5]])
    const { entity: other } = await get('entity/beta?chain=ETH')
    assert.deepEqual([other.usd_in, other.usd_out, other.usd_listed_in, other.usd_listed_out], [7, 0, 0, 0])
    const { entities } = await get('entity/list?limit=498')
    assert.deepEqual(entities.map((one: any) => [one.name, one.usd_in, one.usd_out, one.usd_listed_in, one.usd_listed_out]), [['Alpha', 1e24, 74, 500.5, 70], ['Beta', 7, 0, 0, 0]])
  })

  it('of classes of addresses', async () => {
    await service.store.execute(`INSERT INTO class_segments SELECT 'ETH', toDateTime({hour:String}), 1, 'unknown', 'fund', unhex(substring(t.1, 3)), 1, 5, 0, t.2, 1, 9
      FROM (SELECT arrayJoin([({stranger:String}, 1e24), ({named:String}, 8), ({coin:String}, 7)]) AS t)`, { hour, stranger, named, coin })
    const { flows } = await get('wallets/smart-money-flow?window=2h')
    assert.deepEqual(flows.map((flow: any) => [flow.token, flow.usd_net, flow.listed]), [[stranger, 1e24, false], [named, 8, true], [coin, 7, true]])
    const explored = await get('wallets/flow-explorer?to_class=fund')
    assert.deepEqual(explored.map((flow: any) => [flow.token, flow.value_usd, flow.listed]), [[stranger, 1e24, false], [named, 8, true], [coin, 7, true]])
  })

  it('of pairs and of trending tokens: by the side that gave the price', async () => {
    // A listed token against one without a list, priced by either; two that no list names; and the coin against a listed token.
    await service.store.execute(`INSERT INTO swaps (chain, block_number, log_index, block_time, token_sold, token_bought, token_sold_known, token_bought_known, trader, value_usd, price_side)
      SELECT 'ETH', 1010, 100 + rowNumberInAllBlocks(), toDateTime64('2026-01-01 10:02:00', 3, 'UTC'), unhex(substring(t.1, 3)), unhex(substring(t.2, 3)), true, true, unhex(repeat('03', 20)), t.3, t.4
      FROM (SELECT arrayJoin([({stranger:String}, {named:String}, 30, 'bought'), ({named:String}, {stranger:String}, 1e20, 'bought'), ({stranger:String}, {other:String}, 1e21, 'sold'), ({coin:String}, {named:String}, 50, 'sold'), ({named:String}, {weth:String}, 7, 'bought'), ({other:String}, {third:String}, NULL, '')]) AS t)`, { stranger, named, other: at('c3'), third: at('c4'), coin, weth })
    const { pairs } = await get('dashboard/swap-pairs?minutes=1440&limit=50')
    const told = (a: string, b: string): unknown => pairs.filter((pair: any) => pair.token_a === a && pair.token_b === b).map((pair: any) => [pair.token_a_listed, pair.token_b_listed, pair.volume_usd, pair.volume_listed_usd])
    assert.deepEqual([told(named, stranger), told(stranger, at('c3')), told(coin, named), told(named, weth), told(at('c3'), at('c4'))], [[[true, false, 1e20, 30]], [[false, false, 1e21, 0]], [[true, true, 50, 50]], [[true, true, 7, 7]], [[false, false, null, null]]])
    const { swap_pairs: section } = await get('dashboard/market?chain=Eth')
    assert.deepEqual(section.pairs.slice(0, 2).map((pair: any) => [pair.volume_usd, pair.volume_listed_usd]), [[1e21, 0], [1e20, 30]])
    const { tokens } = await get('feed/trending?hours=23&limit=50')
    const trends = new Map(tokens.map((token: any) => [token.token, [token.listed, token.volume_usd, token.volume_listed_usd]]))
    assert.deepEqual([trends.get(named), trends.get(stranger), trends.get(at('c3')), trends.get(weth)], [[true, 1e20, 87], [false, 1.1e21, 30], [false, 1e21, 0], [true, 7, 7]])
  })
})
