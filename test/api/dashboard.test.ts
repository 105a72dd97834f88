/** What the dashboard says of recorded mainnet blocks, against the chain itself and sums made by hand. */
import assert from 'node:assert/strict'
import { fillRecorded } from './support/recorded.js'
import { startService, type Service } from './support/service.js'

describe('the dashboard, on recorded blocks', function () {
  this.timeout(120_000)
  let service: Service
  const get = async (path: string): Promise<any> => (await service.call(`GET /v1/dashboard/${path}`)).body
  before(async () => {
    service = await startService()
    await fillRecorded(service.store, [12914944, 17034869, 22431083, 22431084])
  })
  after(() => service.stop())

  it('lists transactions with what they paid', async () => {
    const { txs, count, coverage_status: status } = await get('txs?limit=500')
    assert.deepEqual([count, status.tier], [500, 'stale'])
    assert.deepEqual(txs.map((tx: any) => tx.block_number), [...Array<number>(95).fill(22431084), ...Array<number>(139).fill(22431083), ...Array<number>(93).fill(17034869), ...Array<number>(173).fill(12914944)])
    const [last] = txs
    assert.deepEqual([last.hash, last.tx_index, last.gas_used, last.gas_price, last.status, last.selector], ['0x400b4924bddb24822595cee4c2792a1b5b33d21eab97c523d08912cfd0e1e55a', 94, '63209', '1428171859', 'success', '0xa9059cbb'])
    assert.equal(last.fee, String(63209n * 1428171859n))
    assert.equal((await get('txs?chain=BTC'))._meta.empty.empty_reason, 'data_gap')
  })

  it('tells whales in a sentence', async () => {
    const { items } = await get('whale-txs?limit=500')
    const one = items[0]
    assert.deepEqual([one.blockNumber, one.type, one.tokenAmount, one.tokenSymbol, one.nativeSymbol, one.gasPrice, one.status, one.riskFlag], [22431084, 'transfer', '100', 'WETH', 'ETH', '1718171859', 'success', null])
    assert.equal(one.description, '100.0000 WETH ($184,552) moved from aWETH token (0x4d5f47fa6a74757f35c14fd3a6ef8e3c9bc514e8) to 0xe1bafb5f16d8829d7b35309db6aaf57a882c9511')
    const whales = (await service.call('GET /v1/whales/recent?limit=200')).body.whales
    assert.deepEqual(items.map((item: any) => [item.blockNumber, item.usdValue]), whales.map((whale: any) => [whale.block_number, whale.value_usd]))
    assert.ok(items.some((item: any) => item.type === 'exchange_inflow' || item.type === 'exchange_outflow'))
  })

  it('says what transactions were for, and why it thinks so', async () => {
    const { intents } = await get('intents?limit=200')
    const of = (tail: string) => { const { intent, rule } = intents.find((one: any) => one.hash.endsWith(tail)); return [intent, rule] }
    assert.deepEqual(of('400b4924bddb24822595cee4c2792a1b5b33d21eab97c523d08912cfd0e1e55a'), ['transfer', 'selector of a transfer'])
    const hops = async (hash: string): Promise<number> => (await service.call(`GET /v1/feed/action/${hash}/hops`)).body.count
    for (const { hash, intent } of intents.slice(0, 20)) assert.equal(intent === 'swap', await hops(hash) > 0, hash)
    assert.equal(intents.filter((one: any) => one.to_address === null).every((one: any) => one.intent === 'contract_creation'), true)
    assert.ok(new Set(intents.map((one: any) => one.intent)).size >= 4)
  })

  it('computes the next base fee as the chain did', async () => {
    const { gas, hours, window } = await get('gas')
    // Block 22431084: 10325859 gas of a target of 17999982.
    assert.deepEqual([gas.block_number, gas.base_fee, gas.next_base_fee], [22431084, '1418171859', String(1418171859n - 1418171859n * (17999982n - 10325859n) / 17999982n / 8n)])
    assert.deepEqual(window, { from: '2025-05-07T09:05:11.001Z', to: '2025-05-07T10:05:11.000Z' })
    assert.deepEqual([gas.transactions, gas.priority_fee.p50, gas.gas_price.p50], [234, '1317007318', '2602347644'])
    assert.deepEqual([hours.length, hours[0].blocks, hours[0].burnt], [1, 2, String(1260624455n * 35961346n + 1418171859n * 10325859n)])
    assert.equal((await get('gas?chain=HL')).gas, null)
  })
})
