/** Amounts of whales in whole tokens, whatever decimals a token claims: it may claim more digits than a sum of 256 bits has. */
import assert from 'node:assert/strict'
import { at, majors, putBlocks, putMoves, putTokens, units, usdc } from '../enrich/handmade.js'
import { pass } from '../index/segments.js'
import { startService, type Service } from './support/service.js'

const [whole, fine] = [at('c0'), at('c1')]

describe('amounts of whales', function () {
  this.timeout(60_000)
  let service: Service
  before(async () => {
    service = await startService()
    const { store } = service
    await putTokens(store, [...majors, { address: whole, symbol: 'WHOLE', decimals: 0 }, { address: fine, symbol: 'FINE', decimals: 78 }])
    await putBlocks(store, 1, 1)
    await store.execute("INSERT INTO prices (chain, token, block_number, block_time, usd, method) SELECT 'ETH', unhex(arrayJoin(['" + whole.slice(2) + "', '" + fine.slice(2) + "']) AS t), 1, toDateTime64(1700000012, 3, 'UTC'), if(t = '" + fine.slice(2) + "', 1e7, 1e5), 'pool'")
    await putMoves(store, [
      { n: 1, position: 0, token: usdc, from: at('01'), to: at('02'), amount: units(100_000, 6) }, { n: 1, position: 1, token: usdc, from: at('01'), to: at('02'), amount: '100000000001' },
      { n: 1, position: 2, token: whole, from: at('01'), to: at('02'), amount: '30' }, { n: 1, position: 3, token: fine, from: at('01'), to: at('02'), amount: `9${'0'.repeat(76)}` },
    ])
    await pass(store, [[1, 1]])
    await store.execute("INSERT INTO plans SELECT 'ETH', 1, 'plan', 1, 1, 'x', '', 0, 't', 1, 'w', now64(3)")
    await store.execute("INSERT INTO batches SELECT 'ETH', stage, 1, 1, 'x', 0, 1, 1, 40, 'node', now64(3) FROM (SELECT arrayJoin(['ingest', 'normalize', 'alert']) AS stage)")
  })
  after(() => service.stop())

  it('are exact', async () => {
    const { items } = (await service.call('GET /v1/dashboard/whale-txs?chain=ETH')).body
    assert.deepEqual(items.map(({ token, tokenAmount }: any) => [token, tokenAmount]).reverse(), [[usdc, '100000'], [usdc, '100000.000001'], [whole, '30'], [fine, '0.09']])
  })
})
