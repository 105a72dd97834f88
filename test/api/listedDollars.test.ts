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
    assert.deepEqual([unlisted(await get('entity/alpha?chain=ETH')), unlisted(await get('entity/alpha?chain=BTC')), unlisted(await get('entity/list'))], [true, false, true])
    await putTokens(service.store, [{ address: named, symbol: 'LST', decimals: 6 }, { address: weth, symbol: 'WETH', decimals: 18 }])
    assert.deepEqual([unlisted(await get('entity/alpha?chain=ETH&limit=199')), unlisted(await get('entity/list?limit=499'))], [false, false])
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
})
