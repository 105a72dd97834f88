import assert from 'node:assert/strict'
import { seed, seedHead } from './support/seed.js'
import { startService, type Service } from './support/service.js'

describe('answers', () => {
  let service: Service
  before(async function () {
    this.timeout(90_000)
    service = await startService()
    await seed(service.store, 1_000, 100)
    await seedHead(service.store, 1_101)
  })
  after(() => service.stop())

  it('gives blocks, exact', async () => {
    const latest = (await service.call('GET /v1/blocks/latest?chain=eth')).body
    assert.deepEqual([latest.block.number, latest.head_block, latest.coverage_status.tier], [1_099, 1_101, 'live'])
    const one = (await service.call('GET /v1/blocks/ETH/1005')).body
    assert.equal(one.block.transactions.value, '1000000000000000000000')
    assert.equal(one.block.transactions.fees, String(2n * 21_000n * 8_000_000_000n))
    assert.equal(one.block.base_fee_per_gas, '7000000000')
    assert.deepEqual(one._meta.sources, ['blocks', 'transactions'])
    const missing = (await service.call('GET /v1/blocks/ETH/5')).body
    assert.equal(missing.block, null)
    assert.equal((await service.call('GET /v1/blocks/ETH?limit=3&offset=2')).body.blocks[0].number, 1_097)
  })

  it('gives whales without wraps, amounts to the last digit, names cleaned', async () => {
    const { body } = await service.call('GET /v1/whales/recent?chain=ETH&limit=4', { key: null })
    assert.deepEqual([body.count, body.has_more, body.internal_complete], [4, true, true])
    for (const chain of ['SOL', 'BTC', 'HL']) assert.equal((await service.call(`GET /v1/whales/recent?chain=${chain}`, { key: null })).body.internal_complete, null, chain)
    assert.equal((await service.call('GET /v1/whales/recent', { key: null })).body.internal_complete, true)
    assert.deepEqual(body.whales.map((whale: any) => [whale.block_number, whale.kind]), [[1_099, 'erc20'], [1_099, 'native'], [1_098, 'erc20'], [1_098, 'native']])
    assert.equal(body.whales[0].amount, (2n ** 256n - 1n).toString())
    assert.equal(body.whales[0].token_symbol, 'ETH')
    assert.equal((await service.call('GET /v1/whales/recent?min_usd=1000000&limit=200')).body.whales.every((whale: any) => whale.kind === 'native'), true)
  })

  it('gives the feed, a block of it, hops and swaps', async () => {
    const feed = (await service.call('GET /v1/feed/recent?limit=2')).body
    assert.deepEqual(feed.blocks.map((block: any) => [block.block_number, block.whale_count, block.events.length]), [[1_099, 2, 2], [1_098, 2, 2]])
    assert.equal(feed.blocks[0].events[0].text, 'Something happened')
    const block = (await service.call('GET /v1/feed/block/ETH/1050')).body
    assert.deepEqual([block.events.length, block.whale_txs.length, block.internal_complete, block.indexed], [2, 2, true, true])
    const after = (await service.call('GET /v1/feed/block/ETH/1050?offset=1')).body
    assert.deepEqual([after.events, after.whale_txs], [block.events.slice(1), block.whale_txs.slice(1)])
    const hash = block.whale_txs[0].tx_hash
    const hops = (await service.call(`GET /v1/feed/action/${hash}/hops`)).body
    assert.deepEqual(hops.hops.map((hop: any) => [hop.log_index, hop.token_sold]), [[3, `0x${'00'.repeat(20)}`], [4, null]])
    const none = (await service.call(`GET /v1/feed/action/0x${'ff'.repeat(32)}/hops`)).body
    assert.deepEqual(none._meta.empty, { is_successful_empty: false, empty_reason: 'data_gap' })
    const swaps = (await service.call('GET /v1/feed/swaps/recent?limit=2', { key: null })).body
    assert.deepEqual(swaps.swaps.map((swap: any) => [swap.block_number, swap.hops, swap.value_usd]), [[1_099, 2, 25_000], [1_098, 2, 25_000]])
    assert.equal((await service.call('GET /v1/feed/swaps/recent?chain=BTC')).body.detail.error, 'UNKNOWN_CHAIN')
  })

  it('tells of a thousand swaps of a transaction that there are more, and how they are asked for', async () => {
    const { hops: [one] } = (await service.call(`GET /v1/feed/action/${(await service.call('GET /v1/feed/block/ETH/1050')).body.whale_txs[0].tx_hash}/hops`)).body
    const many = `0x${'ab'.repeat(32)}`
    await service.store.execute(`INSERT INTO swaps SELECT s.* REPLACE (unhex('${'ab'.repeat(32)}') AS tx_hash, toUInt32(1000 + n.number) AS log_index) FROM swaps AS s, numbers(1003) AS n WHERE s.block_number = 1050 AND s.log_index = ${one.log_index}`)
    const [first, rest, none] = await Promise.all(['', '?offset=1000', '?offset=1003'].map((query) => service.call(`GET /v1/feed/action/${many}/hops${query}`)))
    assert.deepEqual([first?.body.count, first?.body.has_more, first?.body.hops.at(-1).log_index], [1_000, true, 1_999])
    assert.deepEqual([rest?.body.count, rest?.body.has_more, rest?.body.hops.map((hop: any) => hop.log_index)], [3, false, [2_000, 2_001, 2_002]])
    assert.deepEqual([none?.status, none?.body.error.details[0].loc], [422, ['query', 'offset']])
    await service.store.execute(`DELETE FROM swaps WHERE tx_hash = unhex('${'ab'.repeat(32)}')`)
  })

  it('sums dollars of whales exactly, in whatever order they are added', async () => {
    const put = (block: number, place: string) => service.store.execute(`INSERT INTO transfers SELECT t.* REPLACE (1e12 / (n.number + 1) AS value_usd, toUInt32(100 + ${place}) AS position, 'internal' AS kind) FROM transfers AS t, numbers(1000) AS n WHERE t.block_number = ${block} AND t.kind = 'native'`)
    await put(1_050, 'n.number')
    await put(1_051, '(n.number * 7919) % 1000')
    const { blocks } = (await service.call('GET /v1/feed/recent?limit=50&min_usd=0')).body
    const [one, other] = [1_050, 1_051].map((height) => blocks.find((block: any) => block.block_number === height))
    assert.deepEqual([one.whale_count, other.whale_count], [1_002, 1_002])
    assert.equal(other.whale_usd, one.whale_usd)
    assert.ok(Math.abs(one.whale_usd - 7_485_473_010_550.345) < 0.01, String(one.whale_usd))
    await service.store.execute("DELETE FROM transfers WHERE kind = 'internal'")
  })

  it('says why an answer is empty', async () => {
    const nothing = (await service.call('GET /v1/whales/recent?chain=ETH&min_usd=99000000')).body
    assert.deepEqual(nothing._meta.empty, { is_successful_empty: true, empty_reason: 'no_signal' })
    const perps = (await service.call('GET /v1/whales/recent?chain=HL')).body
    assert.deepEqual(perps._meta.empty, { is_successful_empty: false, empty_reason: 'data_gap' })
    assert.equal((await service.call('GET /v1/blocks/SOL')).body._meta.empty.is_successful_empty, false)
  })

  it('gives the dashboard', async () => {
    const overview = (await service.call('GET /v1/dashboard/overview')).body
    assert.deepEqual(overview.last_hour, { blocks: 100, transactions: 200, transfers: 300, whales: 200, swaps: 200, alerts: 0 })
    const { chains } = (await service.call('GET /v1/dashboard/chains')).body
    const eth = chains.find((chain: any) => chain.chain === 'ETH')
    assert.deepEqual([eth.number, eth.headBlock, eth.lag, eth.stage, eth.latency], [1_099, 1_101, 2, 'alert', 40])
    await service.store.insert('logs_service', [{ at: new Date().toISOString(), level: 'warn', service: 'worker', message: 'hello', trace_id: '', stage: '', chain: '', batch: '', metadata: '{"a":1}' }])
    assert.deepEqual((await service.call('GET /v1/dashboard/logs?level=warn')).body.logs[0].metadata, {})
    assert.deepEqual((await service.call('GET /v1/dashboard/logs?level=warn', { key: service.adminKey })).body.logs[0].metadata, { a: 1 })
    await service.store.insert('logs_service', [{ at: new Date().toISOString(), level: 'error', service: 'worker', message: 'failed', trace_id: '', stage: 'index', chain: 'ETH', batch: 'ETH-5-6-ab-g1', metadata: '{"reason":"no"}' }])
    assert.deepEqual((await service.call('GET /v1/dashboard/logs?level=error')).body.logs[0].metadata, {})
    assert.deepEqual((await service.call('GET /v1/dashboard/logs?level=error', { key: service.adminKey })).body.logs[0].metadata, { reason: 'no', stage: 'index', chain: 'ETH', batch: 'ETH-5-6-ab-g1' })
    for (const path of ['logs', 'dlq', 'queues', 'incidents']) { const { chain, tier } = (await service.call(`GET /v1/dashboard/${path}`)).body.coverage_status ?? {}; assert.deepEqual([path, chain, typeof tier], [path, 'ALL', 'string']) }
    assert.equal((await service.call('GET /v1/dashboard/queues')).body.depths.ingest_to_normalize, 2)
    assert.equal((await service.call('GET /v1/dashboard/dlq')).body.items[0].cause, null)
    assert.equal((await service.call('GET /v1/dashboard/dlq', { key: service.adminKey })).body.items[0].cause, 'why')
    assert.equal((await service.call('GET /v1/pipeline/status')).body.stages.length, 5)
  })
})
