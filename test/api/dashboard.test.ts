/** What the dashboard says of recorded mainnet blocks, against the chain itself and sums made by hand. */
import assert from 'node:assert/strict'
import { z } from 'zod'
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
    const idle = txs.filter((tx: any) => tx.value === '0')
    assert.ok(idle.length > 100 && idle.every((tx: any) => tx.value_usd === 0), 'what moves no coin moves nothing, which is known')
    assert.ok(txs.filter((tx: any) => tx.value !== '0').every((tx: any) => tx.value_usd !== 0))
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
    const { gas, hours, window, calibration } = await get('gas')
    // Block 22431084: 10325859 gas of a target of 17999982.
    assert.deepEqual([gas.block_number, gas.base_fee, gas.next_base_fee], [22431084, '1418171859', String(1418171859n - 1418171859n * (17999982n - 10325859n) / 17999982n / 8n)])
    assert.deepEqual(window, { from: '2025-05-07T09:05:11.001Z', to: '2025-05-07T10:05:11.000Z', indexed: { first_block: 22431083, last_block: 22431084, blocks: 2, complete: false } })
    assert.deepEqual([gas.transactions, gas.priority_fee.p50, gas.gas_price.p50], [234, '1317007318', '2602347644'])
    // Base fees, and fees for five blobs and for nine.
    assert.deepEqual([hours.length, hours[0].blocks, hours[0].burnt], [1, 2, String(1260624455n * 35961346n + 1418171859n * 10325859n + 655360n * 3816148n + 1179648n * 23789n)])
    assert.equal((await get('gas?chain=HL')).gas, null)
    assert.deepEqual(calibration.map(({ percentile, blocks, samples, included_share: share }: any) => [percentile, blocks, samples, share]), [10, 25, 50, 75, 90].map((percentile) => [percentile, 1, 1, 1]))
  })

  it('nets exchange flows: an exchange is what its labels say, its own moves are left out', async () => {
    const { exchanges, window, usd_in: gained, usd_net: net, known_now: now } = await get('exchange-flows?known_now=true')
    assert.deepEqual(window, { from: '2025-05-06T10:00:00.000Z', to: '2025-05-07T10:05:11.000Z', indexed: { first_block: 22431083, last_block: 22431084, blocks: 2, complete: false } })
    assert.deepEqual([exchanges.length, gained, net], [1, 700, 700])
    const { tokens: _tokens, token_count: _count, ...then } = exchanges[0]
    assert.deepEqual(now, [{ ...then, sats_in: null, sats_out: null, sats_unknown: null }])
    // What is learnt of an address later changes what is known now, and not what was known then.
    const [moved] = await service.store.query(`SELECT concat('0x', lower(hex(from_address))) AS sender, value_usd AS usd FROM transfers WHERE token_symbol = 'USDC' AND from_entity = '' AND to_entity = '' AND from_label = '' AND value_usd > 1000 AND block_number = 22431084
      ORDER BY value_usd DESC LIMIT 1`, {}, z.object({ sender: z.string(), usd: z.number() }))
    await service.store.execute(`INSERT INTO labels (chain, address, label, entity, category, source, rule, confidence, valid_from, version) SELECT 'ETH', {sender:String}, 'Late', 'late-exchange', 'exchange', 'test', 'test', 100, now64(3), 1`, { sender: moved?.sender ?? '' })
    await service.store.execute('SYSTEM RELOAD DICTIONARY label_of')
    const later = await get('exchange-flows?hours=23&known_now=true')
    assert.deepEqual([later.exchanges.length, later.usd_in], [1, 700])
    const late = later.known_now.find(({ exchange }: any) => exchange === 'late-exchange')
    assert.ok(late !== undefined && late.usd_out >= (moved?.usd ?? Infinity) - 1e-6 && later.known_now.length === 2)
    assert.equal((await get('exchange-flows')).known_now, null)
    assert.deepEqual(exchanges[0].tokens, [{ chain: 'ETH', token: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', token_symbol: 'USDC', token_decimals: 6, amount_in: '700000000', amount_out: '0', amount_net: '700000000', amount_unknown: '0', usd_in: 700, usd_out: 0, usd_net: 700, listed: true }])
    assert.deepEqual([exchanges[0].usd_listed_in, exchanges[0].usd_listed_out], [700, 0])
  })

  it('sums pairs of tokens', async () => {
    const { pairs } = await get('swap-pairs?limit=50')
    assert.deepEqual([pairs[0].token_a_symbol, pairs[0].token_b_symbol, pairs[0].swaps, Math.round(pairs[0].volume_usd)], ['WBTC', 'WETH', 1, 67817])
    const [weth] = pairs.filter((pair: any) => pair.token_a_symbol === 'WETH' && pair.token_b_symbol === 'USDT')
    assert.deepEqual([weth.swaps, weth.traders, Math.round(weth.price_a_in_b)], [37, 30, 1846])
    assert.deepEqual((await get('swap-pairs?min_usd=60000')).pairs.length, 1)
    assert.equal((await get('swap-pairs?minutes=1&limit=50')).pairs.reduce((sum: number, pair: any) => sum + pair.swaps, 0), pairs.reduce((sum: number, pair: any) => sum + pair.swaps, 0))
  })

  it('ranks tokens by what was traded, beside the time before', async () => {
    const trending = (await service.call('GET /v1/feed/trending?hours=1&limit=50')).body
    const { tokens } = trending
    assert.deepEqual([tokens[0].symbol, Math.round(tokens[0].volume_usd), tokens[0].trend, tokens[0].change_percent, tokens[0].price_usd, trending.previous_indexed], ['WETH', 200947, 'unknown', null, 1845.5242728908602, false])
    assert.deepEqual([tokens[0].sparkline.length, tokens[0].sparkline.slice(0, 23).every((usd: number | null) => usd === null)], [24, true], 'no block of those hours is indexed')
    assert.ok(tokens.every((token: any) => Math.abs(token.sparkline[23] - token.volume_usd) < 1e-6))
    // Both tokens of a swap count it.
    const { pairs } = await get('swap-pairs?limit=50')
    const weth = pairs.filter((pair: any) => [pair.token_a, pair.token_b].includes(tokens[0].token)).reduce((sum: number, pair: any) => sum + pair.volume_usd, 0)
    assert.ok(weth <= tokens[0].volume_usd + 1e-6 && weth > tokens[0].volume_usd * 0.9)
    assert.equal((await service.call('GET /v1/feed/trending?chain=MATIC')).body._meta.empty.empty_reason, 'data_gap')
  })

  it('knows stablecoins', async () => {
    const { stablecoins } = await get('stablecoins?hours=1')
    const [usdt, usdc] = stablecoins
    assert.deepEqual([usdt.token_symbol, usdt.transfers, usdt.volume, usdt.exchange_in], ['USDT', 124, '251248954215', '0'])
    assert.deepEqual([usdc.token_symbol, usdc.volume, usdc.exchange_in, usdc.exchange_in_usd, usdc.minted, usdc.net], ['USDC', '66143208726', '700000000', 700, '0', '0'])
  })

  it('lists alerts that stand, their rules, and incidents', async () => {
    const before = await get('alerts?limit=200')
    assert.equal(before.rules.length, 10)
    assert.deepEqual([before.alerts[0].rule, before.alerts[0].block_number, before.alerts[0].amount], ['whale_transfer', 12914944, '599996400000000000000'])
    const [{ id }] = before.alerts
    await service.store.execute(`INSERT INTO alerts SELECT * REPLACE (true AS retracted, version + 1 AS version) FROM alerts WHERE id = unhex({id:String})`, { id })
    await service.store.execute(`INSERT INTO batches SELECT * REPLACE (now64(3) AS finished_at) FROM batches WHERE stage = 'alert' LIMIT 1`)
    const { alerts } = (await service.call('GET /v1/dashboard/alerts?limit=199')).body
    assert.deepEqual(alerts.map((alert: any) => alert.id), before.alerts.slice(1).map((alert: any) => alert.id))
    assert.deepEqual((await get('incidents'))._meta.empty, { is_successful_empty: true, empty_reason: 'no_signal' })
    const incident = { id: 'i1', chain: 'ETH', kind: 'reorg', severity: 'high', summary: 'A deep reorg', detail: 'inside', opened_at: '2026-01-01T00:00:00.000Z' }
    await service.store.insert('incidents', [{ ...incident, closed_at: null, at: '2026-01-01T00:00:00Z' }])
    assert.deepEqual((await get('incidents')).incidents.map((one: any) => [one.status, one.detail]), [['open', null]])
    await service.store.insert('incidents', [{ ...incident, closed_at: '2026-01-02T00:00:00Z', at: '2026-01-02T00:00:00Z' }])
    assert.deepEqual((await service.call('GET /v1/dashboard/incidents', { key: service.adminKey })).body.incidents.map((one: any) => [one.status, one.detail]), [['closed', 'inside']])
  })

  it('tells a webhook that was given up to operators, and to no other customer', async () => {
    const reason = { chain: '', kind: 'webhook_dead', severity: 'warning', summary: 'Webhook wh_0123456789abcdef is switched off: HTTP 500', detail: '', opened_at: '2026-01-03T00:00:00.000Z', closed_at: null, at: '2026-01-03T00:00:00Z' }
    await service.store.insert('incidents', ['a', 'b'].map((one) => ({ ...reason, id: `webhook-wh_${one}` })))
    const kinds = async (key: string): Promise<string[]> => (await service.call('GET /v1/dashboard/incidents', { key })).body.incidents.map((one: any) => one.kind)
    assert.deepEqual([await kinds(service.agentKey), await kinds(service.adminKey)], [['reorg'], ['webhook_dead', 'webhook_dead', 'reorg']])
    const first = (await service.call('GET /v1/dashboard/incidents?limit=1')).body
    assert.deepEqual([first.incidents.map((one: any) => one.kind), first.next_cursor ?? null], [['reorg'], null])
  })

  it('puts the market on one page; what fails is null and the rest stands', async () => {
    const whole = await get('market')
    assert.deepEqual([whole.failed, whole.exchange_flows.usd_in, whole.gas.next_base_fee, whole.swap_pairs.pairs.length], [[], 700, '1342593831', 5])
    assert.deepEqual([whole.stablecoins.top[0].token_symbol, whole.whale_activity.count, whole.whale_activity.largest_usd, whole.whale_activity.listed.largest_usd], ['USDT', 1, 184552.42728908602, 184552.42728908602])
    assert.deepEqual([(await get('market?chain=HL')).gas, (await get('market?chain=BTC'))._meta.empty.empty_reason], [null, 'data_gap'])
    assert.deepEqual([whole.not_applicable, (await get('market?chain=HL')).not_applicable, (await get('market?chain=BTC')).not_applicable], [[], ['exchange_flows', 'gas', 'stablecoins', 'swap_pairs', 'whale_activity'], ['gas', 'stablecoins', 'swap_pairs']])
    await service.store.execute('RENAME TABLE swaps TO swaps_away')
    try {
      const rest = (await service.call('GET /v1/dashboard/market?chain=ethereum')).body
      assert.deepEqual([rest.failed, rest.swap_pairs, rest.gas.next_base_fee, rest.exchange_flows.usd_in], [['swap_pairs'], null, '1342593831', 700])
    } finally { await service.store.execute('RENAME TABLE swaps_away TO swaps') }
    assert.equal((await service.call('GET /v1/dashboard/market?chain=ethereum')).body.swap_pairs.pairs.length, 5)
  })

  it('a creation that failed made no contract', async () => {
    await service.store.execute(`INSERT INTO transactions SELECT t.* REPLACE (toUInt32(9000 + n) AS tx_index, SHA256(toString(n)) AS tx_hash, true AS creates_contract, toFixedString(unhex(repeat('c7', 20)), 20) AS contract_address, [0, 1, NULL][n + 1] AS status)
      FROM transactions AS t CROSS JOIN (SELECT number AS n FROM numbers(3)) AS k WHERE t.chain = 'ETH' AND t.block_number = 22431084 AND t.tx_index = 0`)
    const { txs } = await get('txs?limit=3')
    assert.deepEqual(txs.map((tx: any) => [tx.tx_index, tx.status, tx.to_address, tx.contract_address]), [[9_002, null, null, `0x${'c7'.repeat(20)}`], [9_001, 'success', null, `0x${'c7'.repeat(20)}`], [9_000, 'failed', null, null]])
  })
})
