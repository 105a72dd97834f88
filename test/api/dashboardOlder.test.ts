/** The dashboard on single older blocks: flows of exchanges against the movements themselves, gas before there was a base fee, a mint. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { fillRecorded } from './support/recorded.js'
import { loadSql } from '../../schemas/sql.js'
import { listTokens, seedBlocks, seedLabel, seedMoves } from './support/handmade.js'
import { startService, type Service } from './support/service.js'

const serviceOn = async (height: number): Promise<Service> => {
  const service = await startService()
  await fillRecorded(service.store, [height])
  return service
}
const get = async (service: Service, path: string): Promise<any> => (await service.call(`GET /v1/dashboard/${path}`)).body
const Sum = z.object({ token: z.string(), gained: z.string(), lost: z.string(), usd: z.number() })

describe('the dashboard, on older blocks', function () {
  this.timeout(120_000)

  it('12914944: what left Binance, token by token; no base fee yet', async () => {
    const service = await serviceOn(12914944)
    try {
      const { exchanges } = await get(service, 'exchange-flows?hours=1')
      const [binance] = exchanges
      const sums = await service.store.query(`SELECT concat('0x', lower(hex(token))) AS token, toString(sumIf(amount, to_entity = 'binance')) AS gained, toString(sumIf(amount, from_entity = 'binance')) AS lost,
        ifNull(sum(value_usd), 0) AS usd FROM transfers WHERE (from_entity = 'binance') != (to_entity = 'binance') GROUP BY token ORDER BY token`, {}, Sum)
      assert.deepEqual(binance.tokens.map(({ token, amount_in, amount_out }: any) => [token, amount_in, amount_out]).sort(), sums.map(({ token, gained, lost }) => [token, gained, lost]))
      const usd = sums.reduce((sum, one) => sum + one.usd, 0)
      assert.ok(Math.abs(binance.usd_out - usd) < 0.001 && binance.usd_in === 0 && binance.usd_net === -binance.usd_out && usd > 1_400_000)
      for (const { amount_in: gained, amount_out: lost, amount_net: net } of binance.tokens) assert.equal(BigInt(net), BigInt(gained) - BigInt(lost))
      const { gas, hours } = await get(service, 'gas')
      assert.deepEqual([gas.base_fee, gas.next_base_fee, gas.priority_fee, hours[0].base_fee_median, hours[0].burnt, gas.transactions], [null, null, null, null, null, 222])
      const prices = await service.store.query('SELECT toString(gas_price) AS price FROM transactions ORDER BY gas_price', {}, z.object({ price: z.string() }))
      assert.deepEqual([gas.gas_price.p50, gas.gas_price.p99], [prices[111]?.price, prices[219]?.price])
    } finally { await service.stop() }
  })

  it('4369999: receipts say nothing of success; 22431083: what blobs cost; 17034870: two creations, both failed', async () => {
    const summary = async (height: number): Promise<any> => {
      const service = await serviceOn(height)
      try { return (await service.call(`GET /v1/blocks/ETH/${height}`)).body.block.transactions } finally { await service.stop() }
    }
    const [old, blobs] = [await summary(4369999), await summary(22431083)]
    assert.equal((await summary(17034870)).contracts_created, 0)
    assert.ok(old.status_unknown > 0)
    assert.deepEqual([old.succeeded + old.failed + old.status_unknown, old.blob_fees], [old.count, '0'])
    assert.deepEqual([blobs.status_unknown, blobs.succeeded + blobs.failed, blobs.blob_fees], [0, blobs.count, '2500950753280'])
  })

  it('15547621: a mint of USDC; 19426586: a mint of USDe', async () => {
    for (const [height, symbol, minted] of [[15547621, 'USDC', '572390000'], [19426586, 'USDe', '499441605000000000000000']] as const) {
      const service = await serviceOn(height)
      try {
        const { stablecoins } = await get(service, 'stablecoins?hours=1')
        const one = stablecoins.find(({ token_symbol: name }: any) => name === symbol)
        assert.deepEqual([one.minted, one.burnt, one.net, one.freezes], [minted, '0', minted, symbol === 'USDC' ? 0 : null])
        assert.ok(Math.abs(one.net_usd - Number(minted) / 10 ** one.token_decimals) < 1)
        assert.equal(stablecoins.filter((coin: any) => coin.minted !== '0' || coin.burnt !== '0').length, 1)
      } finally { await service.stop() }
    }
  })
})

describe('flows of exchanges as their addresses are known today', function () {
  this.timeout(60_000)
  it('are the same in whatever order dollars are added up, and whatever one of them is said to be', async () => {
    const service = await startService()
    try {
      const { store } = service
      await seedBlocks(store, 0, 9)
      await listTokens(store, 'f')
      for (const digit of ['a', 'b', 'c']) await seedLabel(store, digit, `Exchange ${digit}`, 'exchange')
      const parts = [0.1, 0.2, 0.3]
      await seedMoves(store, [...parts.map((usd, block) => ({ from: '1', to: 'a', block, amount: 1, usd })), ...parts.toReversed().map((usd, block) => ({ from: '1', to: 'b', block, amount: 1, usd })), { from: '1', to: 'c', block: 3, amount: 1, usd: 1e70 }])
      const rows = await store.query(loadSql(new URL('../../api/operations/dashboard/x', import.meta.url).href, 'listExchangeFlowsNow.sql'), { chain: 'ETH', first: 0, newest: 9, from: 0, limit: 10 },
        z.object({ exchange: z.string(), transfers_in: z.number(), usd_in: z.number(), usd_out: z.number(), usd_net: z.number() }))
      assert.deepEqual(rows.map(({ exchange, transfers_in: count, usd_in: gained, usd_out: lost, usd_net: net }) => [exchange, count, gained, lost, net]), [['Exchange c', 1, 1e60, 0, 1e60], ['Exchange a', 3, 0.6, 0, 0.6], ['Exchange b', 3, 0.6, 0, 0.6]])
    } finally { await service.stop() }
  })
})
