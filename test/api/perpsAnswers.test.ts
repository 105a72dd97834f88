/** The questions about the perps venue that its trades, contexts and books answer, by numbers worked out by hand. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { openCoverage } from '../../api/coverage.js'
import { digest, infoAnswer, insertHeard, listened, message } from '../support/hyperliquid.js'
import { until } from '../support/pipeline.js'
import { startService, type Service } from './support/service.js'

const buyer = `0x${'11'.repeat(20)}`, seller = `0x${'22'.repeat(20)}`, third = `0x${'33'.repeat(20)}`, padded = `0x${'44'.repeat(17)}000000`
const hash = `0x${'ab'.repeat(32)}`

describe('answers about the perps venue', function () {
  this.timeout(90_000)
  let service: Service
  const now = Date.now()
  const trade = (tid: number, ago: number, more: object = {}) => ({ coin: 'BTC', side: 'B', px: '100000.0', sz: '2.0', time: now - ago, hash, tid, users: [buyer, seller], ...more })
  const fill = (tid: number, more: object) => ({ coin: 'BTC', px: '95000.0', sz: '1.0', side: 'A', time: now - 3_000, startPosition: '1.0', dir: 'Liquidated Cross Long', closedPnl: '0.0', hash, oid: 1, crossed: true, fee: '1.0', tid, feeToken: 'USDC', liquidation: { liquidatedUser: seller, markPx: '95000.0', method: 'market' }, ...more })
  const context = { funding: '0.0000125', openInterest: '10.0', prevDayPx: '80000.0', dayNtlVlm: '5.5', premium: '-0.0005', oraclePx: '100001.0', markPx: '100000.0', midPx: null, impactPxs: null, dayBaseVlm: '1.0' }
  const get = async (path: string) => { const { status, body } = await service.call(`GET /v1/feed/hl/${path}`, { key: null }); assert.equal(status, 200, path); return body }
  before(async () => {
    service = await startService()
    await listened(service.store)
    await insertHeard(service.store, 1, [
      message('trades', [trade(1, 1_000), trade(2, 400_000, { side: 'A', px: '90000.0' }), trade(3, 2_000, { sz: '0.001' }), trade(4, 1_000, { coin: '@107', users: [third, seller] }), trade(7, 4_000, { px: '96000.0', sz: '1.0', side: 'A' })]),
      { kind: 'node_fills', payload: `${JSON.stringify([seller, fill(9, {})])}\n${JSON.stringify([seller, fill(7, { px: '96000.0', time: now - 4_000 })])}` },
      message('activeAssetCtx', { coin: 'BTC', ctx: context }), message('allDexsAssetCtxs', { ctxs: [['xyz', [{ ...context, openInterest: '1.0' }]]] }), infoAnswer({ type: 'meta', dex: 'xyz' }, { universe: [{ name: 'xyz:AAPL', szDecimals: 2, maxLeverage: 10 }] }),
      infoAnswer({ type: 'predictedFundings' }, [['BTC', [['HlPerp', { fundingRate: '0.00001', nextFundingTime: now, fundingIntervalHours: 1 }], ['BinPerp', null]]]]),
      message('l2Book', { coin: 'BTC', time: now, levels: [[{ px: '99990.0', sz: '1.0', n: 1 }, { px: '90000.0', sz: '5.0', n: 1 }], [{ px: '100010.0', sz: '2.0', n: 1 }]] }), message('l2Book', { coin: 'BTC', time: now - 1, levels: [[], []] }),
    ])
    await digest(service.store, 1, 1)
    await service.store.insert('heads', [{ chain: 'HL', number: 1, hash: 'x', block_time: new Date().toISOString(), finalized: 1, endpoint: 'venue', observed_at: new Date().toISOString() }])
  })
  after(() => service.stop())

  it('large trades and liquidations, newest first, each once, in pages', async () => {
    const all = (await get('recent?hours=1')).events
    assert.deepEqual(all.map((event: any) => [event.kind, event.trade_id, event.coin, event.side, event.value_usd, event.taker]),
      [['trade', '4', '@107', 'buy', 200_000, third], ['trade', '1', 'BTC', 'buy', 200_000, buyer], ['liquidation', '9', 'BTC', 'sell', 95_000, null], ['liquidation', '7', 'BTC', 'sell', 96_000, seller], ['trade', '2', 'BTC', 'sell', 180_000, seller]])
    assert.deepEqual([all[2].buyer, all[2].seller, all[2].liquidated, all[2].method, all[3].buyer, all[3].liquidated, all[1].price, all[1].size], [null, seller, seller, 'market', buyer, seller, 100_000, '2'])
    const paged: unknown[] = []
    for (let next = ''; ;) {
      const page = await get(`recent?hours=1&limit=2${next}`)
      assert.equal(page.count, page.events.length)
      paged.push(...page.events)
      if (!page.has_more) break
      next = `&cursor=${page.next_cursor}`
    }
    assert.deepEqual(paged, all)
    assert.deepEqual((await get('recent?hours=1&min_usd=190000')).events.length, 2)
    assert.equal((await get('recent?hours=1&min_usd=0')).count, 6)
  })

  it('the last heard hour in the summary, by itself and with the chains', async () => {
    const summary = async (chain: string) => (await service.call(`GET /v1/network/summary?chain=${chain}`)).body
    const venue = await summary('HL')
    assert.deepEqual([venue.latest_block, venue.head_block, venue.latest_block_time, venue.internal_complete, venue._meta.empty], [null, null, new Date(now - 1_000).toISOString(), null, undefined])
    // Trade 7 was forced, too, and 9 was heard as a forced fill alone; neither is worth 100,000. Spot is left out.
    const perps = { trades: 4, volume_usd: 200_000 + 180_000 + 100 + 96_000, liquidations: 2, liquidated_usd: 191_000 }
    assert.deepEqual(venue.hourly, { blocks: null, transactions: null, logs: null, transfers: null, swaps: null, alerts: 0, whale_usd: 380_000, perps })
    assert.equal(venue.whales_1h, 2)
    assert.equal((await service.call('GET /v1/whales/recent?chain=HL')).body.count, 2, 'the same ones')
    const all = await summary('ALL')
    assert.deepEqual([all.hourly, all.whales_1h], [venue.hourly, 2])
    const [healthy, shown] = [(await service.call('GET /health')).body.chains, (await service.call('GET /v1/dashboard/chains')).body.chains]
    const heads = [...healthy.map((one: any) => [one.chain, one.head_block]), ...shown.map((one: any) => [one.chain, one.headBlock])]
    assert.deepEqual(heads.filter(([chain]) => chain === 'HL'), [['HL', null], ['HL', null]], 'segments are no heights')
  })

  it('funding and open interest: the largest first, a list\'s coins by their place', async () => {
    const { markets } = await get('funding')
    assert.deepEqual(markets.map(({ coin, open_interest: open, open_interest_usd: usd, funding_rate: rate, funding_apr: apr, premium, day_change: change, mark_price: mark, oracle_price: oracle }: any) => [coin, open, usd, rate, Number(apr.toFixed(9)), premium, change, mark, oracle]),
      [['BTC', '10', 1_000_000, 0.0000125, 0.1095, -0.0005, 0.25, 100_000, 100_001], ['xyz:AAPL', '1', 100_000, 0.0000125, 0.1095, -0.0005, 0.25, 100_000, 100_001]])
    assert.deepEqual(markets[0].predicted.map(({ venue, rate, interval_hours: hours }: any) => [venue, rate, hours]), [['HlPerp', 0.00001, 1]])
  })

  it('depth of the newest book', async () => {
    const { books } = await get('depth?coins=ETH,BTC')
    assert.deepEqual(books.map(({ timestamp: _, ...book }: any) => book), [{
      coin: 'BTC', best_bid: 99_990, best_ask: 100_010, mid: 100_000, spread_basis_points: 2, bands: [5, 10, 25, 50, 100].map((width) => ({ basis_points: width, bid_usd: 99_990, ask_usd: 200_020 })), imbalance: (99_990 - 200_020) / (99_990 + 200_020),
    }])
  })

  it('what was not heard is a gap, and named', async () => {
    const { books, coverage_status: status } = await get('depth?coins=BTC,NOSUCH,ETH')
    assert.deepEqual([books.length, status.warnings.filter((text: string) => text.startsWith('No book'))], [1, ['No book was heard in the last hour of: NOSUCH, ETH']])
    const gap = { is_successful_empty: false, empty_reason: 'data_gap' }
    for (const path of ['depth?coins=NOSUCH', 'flow-history?coin=NOSUCH', `trader/0x${'aa'.repeat(20)}`]) assert.deepEqual((await get(path))._meta.empty, gap, path)
  })

  it('what no dex lists is nowhere; of lists that were not heard nothing is known', async () => {
    const nowhere = { is_successful_empty: false, empty_reason: 'unsupported_input' }
    const told = (status: any) => status.warnings.filter((text: string) => text.startsWith('Not listed'))
    for (const path of ['flow-history?coin=xyz:NOSUCH', 'depth?coins=xyz:NOSUCH']) {
      const { _meta: { empty }, coverage_status: status } = await get(path)
      assert.deepEqual([empty, told(status)], [nowhere, ['Not listed by the venue: xyz:NOSUCH']], path)
    }
    for (const coins of ['xyz:AAPL,xyz:NOSUCH', 'BTC,xyz:NOSUCH']) assert.deepEqual(told((await get(`depth?coins=${coins}`)).coverage_status), ['Not listed by the venue: xyz:NOSUCH'], coins)
    assert.deepEqual((await get('depth?coins=xyz:AAPL,xyz:NOSUCH'))._meta.empty, { is_successful_empty: false, empty_reason: 'data_gap' })
    for (const coin of ['NOSUCH', 'abc:NOSUCH', '@1', 'PURR/USDC']) assert.deepEqual(told((await get(`flow-history?coin=${coin}`)).coverage_status), [], coin)
  })

  it('flow by five minutes, with zeros where nobody traded and nothing where nobody listened', async () => {
    const { flow } = await get('flow-history?coin=BTC&buckets=4')
    assert.equal(flow.length, 4)
    const sum = (field: string): number => flow.reduce((total: number, bucket: any) => total + bucket[field], 0)
    assert.deepEqual([sum('trades'), sum('buy_usd'), sum('sell_usd'), sum('net_usd'), sum('liquidated_usd')], [4, 200_100, 276_000, -75_900, 191_000])
    assert.ok(flow.filter(({ trades }: any) => trades === 0).every(({ open, close }: any) => open === null && close === null))
    assert.deepEqual((await get('flow-history?coin=ETH')).flow, [])
  })

  it('the venue at a glance, spot and what others list left out', async () => {
    await service.store.execute("INSERT INTO hl_trades SELECT * REPLACE ('xyz:AAPL' AS coin, 'dex' AS market, 'xyz' AS dex) FROM hl_trades WHERE coin = 'BTC' LIMIT 1")
    const { pulse } = await get('pulse')
    assert.deepEqual([pulse.trades, pulse.traders, pulse.volume_usd, pulse.net_usd, pulse.liquidations, pulse.liquidated_long_usd, pulse.liquidated_short_usd, pulse.open_interest_usd, pulse.mean_funding_rate],
      [4, 2, 476_100, -75_900, 2, 191_000, null, 1_000_000, 0.0000125])
    assert.deepEqual(pulse.coins.map(({ coin, volume_usd: usd }: any) => [coin, usd]), [['BTC', 476_100]])
  })

  it('a time in which the venue was not heard is said by coverage', async () => {
    await insertHeard(service.store, 2, [{ kind: 'gap', payload: JSON.stringify({ channel: 'trades', coin: 'BTC', from: now - 90_000, to: now - 60_000, reason: 'the socket was closed' }) }])
    await digest(service.store, 2, 2)
    const coverage = openCoverage(service.store)
    assert.deepEqual((await coverage.status('HL')).warnings, ['Nothing was heard of the venue for up to 30 s, once in the last day: trades may be missing'])
    assert.equal(await coverage.silence('HL', 'perps'), 'data_gap')
  })

  it('the newest trades as they were said, each once, before a stage has come to them; nothing between is left out', async () => {
    const head = (number: number) => service.store.insert('heads', [{ chain: 'HL', number, hash: 'x', block_time: new Date().toISOString(), finalized: 1, endpoint: 'venue', observed_at: new Date().toISOString() }])
    const ids = async (): Promise<string[]> => (await get('recent?hours=1')).events.map((event: any) => event.trade_id)
    const settled = ['4', '1', '9', '7', '2']
    const kept = async (): Promise<unknown> => service.store.query('SELECT DISTINCT toUInt32(number) AS segment FROM hl_heard_trades ORDER BY segment', {}, z.object({ segment: z.number() }))
    await insertHeard(service.store, 2, [message('trades', [trade(20, 100, { users: [padded, seller] }), trade(1, 1_000), trade(0, 90), trade(21, 80, { px: 'x' }), trade(22, 70, { sz: '0.01' })]), message('trades', [trade(20, 100, { users: [padded, seller] })])])
    await head(2)
    assert.deepEqual(await ids(), settled)
    assert.deepEqual(await kept(), [{ segment: 2 }], 'what stood before the batch before is kept in memory')
    await service.store.insert('batches', [{ chain: 'HL', stage: 'enrich', from_block: 1, to_block: 1, hash: '0xab', generation: 0, rows: 1, bytes: 1, milliseconds: 1, endpoint: '', finished_at: new Date().toISOString() }])
    await until(async () => (await ids()).length > settled.length, 'the newest trades are not told', 10)
    const told = (await get('recent?hours=1')).events
    assert.deepEqual(told.map((event: any) => event.trade_id), ['20', ...settled])
    assert.deepEqual([told[0].buyer, told[0].taker], [padded, padded], 'an account that ends in zeros')
    assert.deepEqual((await get('recent?hours=1&limit=1')).events, told.slice(0, 1))
    await head(400)
    await until(async () => (await ids()).length === settled.length, 'segments far behind the head are jumped over', 10)
    await digest(service.store, 2, 2)
    await until(async () => (await ids()).includes('20'), 'the trade is not told any more', 10)
    const { events } = await get('recent?hours=1')
    assert.deepEqual(events.filter((event: any) => event.trade_id === '20'), told.slice(0, 1))
    // Names that are cleaned before they are shown go on where they stand, not where they would stand as shown.
    await insertHeard(service.store, 3, [message('trades', [trade(30, 60, { coin: 'Z\u200bA' }), trade(31, 60, { coin: 'ZB' }), trade(32, 60, { coin: ' Z' })])])
    assert.deepEqual(await kept(), [{ segment: 2 }, { segment: 3 }])
    await digest(service.store, 3, 3)
    assert.deepEqual(await kept(), [{ segment: 3 }], 'what has long stood is kept in memory')
    const coins: unknown[] = []
    for (let next = ''; coins.length < 3;) {
      const page = await get(`recent?hours=1&limit=1${next}`)
      coins.push(page.events[0].coin)
      next = `&cursor=${page.next_cursor}`
    }
    assert.deepEqual(coins, ['Z', 'ZB', 'ZA'])
  })
})
