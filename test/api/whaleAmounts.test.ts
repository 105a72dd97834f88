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

  it('of two blocks have ids of their own, withdrawals of the beacon chain too', async () => {
    const { store } = service
    await store.execute("INSERT INTO transfers (chain, block_number, block_hash, kind, position, block_time, to_address, amount, value_usd, token_symbol, token_decimals) SELECT 'ETH', 2 + number, unhex(repeat(if(number = 0, 'a2', 'a3'), 32)), 'withdrawal', 0, toDateTime64(1700000024, 3, 'UTC'), char(9), 64 * toUInt256(1e18), 128000, 'ETH', 18 FROM numbers(2)")
    const { items } = (await service.call('GET /v1/dashboard/whale-txs?chain=ETH&limit=100')).body
    assert.deepEqual(items.slice(0, 2).map(({ id, hash }: any) => [id, hash]), [[`${'a3'.repeat(32)}:withdrawal:0:0`, null], [`${'a2'.repeat(32)}:withdrawal:0:0`, null]])
    assert.equal(new Set(items.map(({ id }: any) => id)).size, 6)
    assert.ok(items.slice(2).every(({ id, hash }: any) => id.startsWith(`${hash.slice(2)}:`)))
  })
})
