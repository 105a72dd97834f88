/** Exchanges that labels name without an entity: what goes in and out of them is told as of the others, and what one moves within itself is not. */
import assert from 'node:assert/strict'
import { at, majors, putBlocks, putMoves, putTokens, units, usdc } from '../enrich/handmade.js'
import { pass } from '../index/segments.js'
import { startService, type Service } from './support/service.js'

const [hot, cold, other, named, vault] = [at('a1'), at('a2'), at('a3'), at('a4'), at('a5')]

describe('an exchange that a label names without an entity', function () {
  this.timeout(60_000)
  let service: Service
  before(async () => {
    service = await startService()
    const { store } = service
    await store.insert('labels', ([[hot, 'Quiet Exchange', ''], [cold, 'Quiet Exchange', ''], [other, 'Other Exchange', ''], [named, 'Loud: hot', 'loud'], [vault, 'Loud: cold', 'loud']] as const).map(([address, label, entity]) => (
      { chain: 'ETH', address, label, entity, category: 'exchange', source: 'test', rule: '', confidence: 90, licence: '', valid_from: '2020-01-01T00:00:00Z', removed: false, version: 1 })))
    await store.execute('SYSTEM RELOAD DICTIONARY label_of')
    await putTokens(store, majors)
    await putBlocks(store, 1, 1)
    await store.execute("INSERT INTO prices (chain, token, block_number, block_time, usd, method) SELECT 'ETH', toFixedString('', 20), 1, toDateTime64(1700000012, 3, 'UTC'), 2000, 'chainlink'")
    await putMoves(store, ([[at('01'), hot, 100_000], [hot, cold, 200_000], [cold, at('02'), 300_000], [hot, other, 400_000], [named, vault, 500_000], [hot, named, 600_000]] as const).map(([from, to, usd], position) => (
      { n: 1, position, token: usdc, from, to, amount: units(usd, 6) })))
    await pass(store, [[1, 1]])
    await store.execute("INSERT INTO plans SELECT 'ETH', 1, 'plan', 1, 1, 'x', '', 0, 't', 1, 'w', now64(3)")
    await store.execute("INSERT INTO batches SELECT 'ETH', stage, 1, 1, 'x', 0, 1, 1, 40, 'node', now64(3) FROM (SELECT arrayJoin(['ingest', 'normalize', 'alert']) AS stage)")
  })
  after(() => service.stop())

  it('is in the flows of whales, by its label', async () => {
    const { items } = (await service.call('GET /v1/dashboard/whale-txs?chain=ETH')).body
    assert.deepEqual(items.map(({ usdValue, type }: any) => [usdValue, type]).reverse(), [
      [100_000, 'exchange_inflow'], [200_000, 'transfer'], [300_000, 'exchange_outflow'], [400_000, 'exchange_inflow'], [500_000, 'transfer'], [600_000, 'exchange_inflow']])
    const { whale_activity: whales } = (await service.call('GET /v1/dashboard/market?chain=ETH')).body
    assert.deepEqual([whales.usd, whales.exchange_in_usd, whales.exchange_out_usd], [2_100_000, 1_100_000, 1_300_000])
  })
})
