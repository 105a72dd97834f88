/** Swaps by transaction: what an aggregator tells repeats the pools' own rows. */
import assert from 'node:assert/strict'
import { fillRecorded } from './support/recorded.js'
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

  it('are told whole where a trade is split over pools, and hop by hop where one follows another', async function () {
    this.timeout(60_000)
    const service = await startService()
    try {
      await seed(service.store, 1_000, 3)
      const [weth, coin, usdc, other] = ['c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', '00'.repeat(20), 'a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', '0d'.repeat(20)] as const
      const huge = (1n << 255n).toString()
      type Leg = readonly [sold: string, give: string, bought: string, get: string, usd: number | null, aggregator?: boolean]
      /** By place in the block, from the newest on. */
      const trades: readonly (readonly Leg[])[] = [
        [[weth, '5000000000000000001', usdc, '9000000000', 9_000], [weth, '5000000000000000000', usdc, '9000000001', 9_000]],
        [[coin, '2', usdc, '3', 6_000], [weth, '2', usdc, '3', 6_000]],
        [[weth, '10', other, '70', 18_000], [other, '70', usdc, '20', null]],
        [[other, '70', weth, '10', null], [weth, '4', usdc, '8', 7_000], [weth, '6', usdc, '12', 11_000]],
        [[weth, '5', usdc, '9', 9_000], [weth, '5', usdc, '9', 9_000], [weth, '10', usdc, '17', 17_000, true]],
        [[other, huge, usdc, '1', null], [other, huge, usdc, '1', null]],
        // Its own contract sold the first 60, and in the last trade all there is.
        [[other, '60', weth, '9', 16_000], [other, '8', weth, '1', 2_000]], [[other, '60', weth, '9', 16_000]],
      ]
      /** Places whose first leg the token's own contract paid. */
      const own = [6, 7]
      await service.store.execute('DELETE FROM swaps WHERE block_number = 1002')
      for (const [place, legs] of trades.entries()) {
        for (const [at, [sold, give, bought, get, usd, aggregator = false]] of legs.entries()) {
          await service.store.execute(`INSERT INTO swaps (chain, block_number, log_index, block_time, tx_index, tx_hash, protocol, aggregator, pool, trader, token_sold, token_sold_known, amount_sold, token_bought, token_bought_known, amount_bought, value_usd)
            SELECT 'ETH', 1002, {log:UInt32}, block_time, {tx:UInt32}, SHA256(concat('trade', toString({tx:UInt32}))), 'uniswap_v3', {aggregator:Bool}, toFixedString(concat(toFixedString('', 12), toString({log:UInt32})), 32), toFixedString('t', 20), unhex({sold:String}), true, toUInt256({give:String}), unhex({bought:String}), true, toUInt256({get:String}), {usd:Nullable(Float64)}
            FROM blocks WHERE block_number = 1002`, { log: 10 * place + at, tx: 100 - place, aggregator, sold, give, bought, get, usd })
        }
      }
      for (const place of own) {
        await service.store.execute(`INSERT INTO transfers (chain, block_number, kind, position, block_time, tx_index, token, from_address, to_address, amount)
          SELECT 'ETH', 1002, 'erc20', {log:UInt32} - 1, block_time, {tx:UInt32}, unhex({token:String}), unhex({token:String}), toFixedString(toString({log:UInt32}), 20), 60 FROM blocks WHERE block_number = 1002`, { tx: 100 - place, token: other, log: 10 * place })
      }
      const listed = async (least: number): Promise<unknown[]> => (await service.call(`GET /v1/feed/swaps/recent?min_usd=${least}&limit=50`, { key: null })).body.swaps.filter((swap: any) => swap.block_number === 1_002)
        .map((swap: any) => [swap.token_sold, swap.amount_sold, swap.token_bought, swap.amount_bought, swap.value_usd])
      const whole = [
        [`0x${weth}`, '10000000000000000001', `0x${usdc}`, '18000000001', 18_000], [`0x${coin}`, '4', `0x${usdc}`, '6', 12_000], [`0x${weth}`, '10', `0x${usdc}`, '20', 18_000], [`0x${other}`, '70', `0x${usdc}`, '20', 18_000],
        [`0x${weth}`, '10', `0x${usdc}`, '17', 18_000], [`0x${other}`, huge, `0x${usdc}`, '2', null],
        [`0x${other}`, '8', `0x${weth}`, '1', 2_000], [`0x${other}`, '60', `0x${weth}`, '9', 16_000],
      ]
      assert.deepEqual(await listed(0), whole)
      assert.deepEqual(await listed(10_000), [...whole.slice(0, 5), whole[7]])
    } finally { await service.stop() }
  })

  for (const [height, trades] of [
    // Sold to USDC by way of wrapped coin; before that the token's contract sold as many for itself, in the same pool.
    [22_869_878, [['751e8cb6475331e259c4a5ca5414a7424fc9eab2fd6585a301e649371525270c', '8757660794972', '23801889', 3, 23.83]]],
    // 6,000 of the token's own before the 2,266 of who sent it.
    [18_000_000, [['5a94e8fce346dd22a995992bba49ae456cd873f475d58e475e0489de338f93eb', '2266754469641819057180', '41963362219395985', 2, 69.05]]],
  ] as const) {
    it(`leave out what a token's contract sells of itself meanwhile (block ${height})`, async function () {
      this.timeout(120_000)
      const service = await startService()
      try {
        await fillRecorded(service.store, [height])
        const { swaps } = (await service.call('GET /v1/feed/swaps/recent?min_usd=0&limit=50', { key: null })).body
        for (const [hash, sold, bought, hops, usd] of trades) {
          const swap = swaps.find(({ tx_hash: of }: any) => of === `0x${hash}`)
          assert.deepEqual([swap.amount_sold, swap.amount_bought, swap.hops, Math.round(swap.value_usd * 100) / 100], [sold, bought, hops, usd])
        }
      } finally { await service.stop() }
    })
  }
})
