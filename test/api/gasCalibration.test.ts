/** Whether percentiles of the last block's priority fees would have got in, by hand: blocks that pay 1 to 10, 6 to 15 and 1 to 10 gwei, a hole, and two more. */
import assert from 'node:assert/strict'
import { until } from '../support/pipeline.js'
import { startService, type Service } from './support/service.js'

describe('calibration of gas estimates', function () {
  this.timeout(60_000)
  let service: Service
  before(async () => {
    service = await startService()
    const { store } = service
    for (const [n, lowest] of [[100, 1], [101, 6], [102, 1], [104, 1], [105, 9]] as const) {
      await store.execute(`INSERT INTO blocks (chain, block_number, block_time, base_fee_per_gas, gas_used, gas_limit) SELECT 'ETH', {n:UInt64}, toDateTime64(1700000000 + {n:UInt64}, 3, 'UTC'), 7000000000, 1, 2`, { n })
      // Ten that pay a tip, one that pays none.
      await store.execute(`INSERT INTO transactions (chain, block_number, tx_index, gas_price) SELECT 'ETH', {n:UInt64}, number, if(number = 10, 7000000000, 7000000000 + ({lowest:UInt64} + number) * 1000000000) FROM numbers(11)`, { n, lowest })
    }
  })
  after(() => service.stop())

  it('counts blocks that follow without a hole', async () => {
    const { calibration } = (await service.call('GET /v1/dashboard/gas')).body
    // The 10th percentile of a block that pays from k on is k + 1. One block ahead: 100→101, 101→102, 104→105; three ahead: none without a hole.
    const of = (percentile: number) => calibration.filter((one: any) => one.percentile === percentile).map(({ blocks, samples, included_share: share }: any) => [blocks, samples, Math.round(share * 3)])
    assert.deepEqual([of(10), of(25), of(50), of(75), of(90)], [[[1, 3, 1]], [[1, 3, 1]], [[1, 3, 1]], [[1, 3, 2]], [[1, 3, 3]]])
  })

  it('counts fees for blobs as burnt, and says nothing where the price of one is unknown', async () => {
    const { store } = service
    // An hour each: a blob with its price, and two blobs of which one has none.
    for (const [n, at, blobs, prices] of [[106, 1700003700, 131072, '[3]'], [107, 1700007300, 262144, '[3, NULL]']] as const) {
      await store.execute(`INSERT INTO blocks (chain, block_number, block_time, base_fee_per_gas, gas_used, gas_limit, blob_gas_used) SELECT 'ETH', {n:UInt64}, toDateTime64({at:UInt32}, 3, 'UTC'), 7000000000, 1, 2, {blobs:UInt64}`, { n, at, blobs })
      await store.execute(`INSERT INTO transactions (chain, block_number, tx_index, gas_price, blob_gas_used, blob_gas_price) SELECT 'ETH', {n:UInt64}, number, 7000000000, 131072, arrayElement({prices:Array(Nullable(UInt256))}, number + 1) FROM numbers(length({prices:Array(Nullable(UInt256))}))`, { n, prices })
    }
    await store.execute("INSERT INTO batches SELECT 'ETH', 'index', 106, 107, 'x', 0, 0, 0, 0, '', now64(3)")
    let hours: any[] = []
    await until(async () => { ({ hours } = (await service.call('GET /v1/dashboard/gas?hours=23')).body); return hours.length === 3 }, 'the blocks are seen')
    assert.deepEqual(hours.map(({ burnt }: any) => burnt), ['35000000000', String(7_000_000_000n + 131_072n * 3n), null])
  })
})
