/** Swaps by transaction: what an aggregator tells repeats the pools' own rows. */
import assert from 'node:assert/strict'
import { seed } from './support/seed.js'
import { startService } from './support/service.js'

describe('recent swaps', () => {
  it('have as many hops as pools told of', async function () {
    this.timeout(60_000)
    const service = await startService()
    try {
      await seed(service.store, 1_000, 3)
      await service.store.execute(`INSERT INTO swaps SELECT s.* REPLACE (toUInt32(9) AS log_index, 'zero_ex' AS protocol, true AS aggregator, unhex(repeat('07', 20)) AS token_bought, 77 AS amount_bought) FROM swaps AS s WHERE s.block_number = 1002 AND s.log_index = 4`)
      const { swaps: [told, bare] } = (await service.call('GET /v1/feed/swaps/recent', { key: null })).body
      assert.deepEqual([told.block_number, told.hops, told.protocols, told.amount_bought, told.value_usd], [1_002, 2, ['uniswap_v2', 'zero_ex'], '77', 25_000])
      assert.deepEqual([bare.hops, bare.protocols], [2, ['uniswap_v2']])
      const [{ last_hour: hour }, { hourly }] = [(await service.call('GET /v1/dashboard/overview')).body, (await service.call('GET /v1/network/summary')).body]
      assert.deepEqual([hour.swaps, hourly.swaps], [6, 6], 'the hour is counted by what pools told')
    } finally { await service.stop() }
  })
})
