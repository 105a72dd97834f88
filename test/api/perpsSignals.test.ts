/** Signals, their log, strategies, alpha and alerts of the perps venue, and the venue among whales and alerts of all chains, by a market made by hand. */
import assert from 'node:assert/strict'
import { giveSignals } from '../../stages/signals/giveSignals.js'
import { alertOn, infoAnswer, type Heard } from '../support/hyperliquid.js'
import { calm, context, hear, hour, maker, minute, start, taker, trade } from '../signals/market.js'
import { startService, type Service } from './support/service.js'

const leader = `0x${'77'.repeat(20)}`, victim = `0x${'88'.repeat(20)}`, hash = `0x${'cd'.repeat(32)}`
/** Three hours ago, on a full five minutes. */
const base = Math.floor((Date.now() - 3 * hour - start) / (5 * minute)) * 5 * minute
const fill = (account: string, at: number, tid: number, more: object): string => JSON.stringify([account, { coin: 'BTC', px: '100.0', sz: '1000.0', side: 'A', time: start + base + at, startPosition: '1000.0', dir: 'Close Long', closedPnl: '0.0', hash, oid: tid, crossed: true, fee: '1.0', tid, feeToken: 'USDC', ...more }])
const fills = (...lines: string[]): Heard => ({ kind: 'node_fills', payload: lines.join('\n') })
/** A long of a thousand, `distance` above its liquidation price. */
const position = (account: string, at: number, distance: number): Heard => infoAnswer({ type: 'clearinghouseState', user: account }, {
  marginSummary: { accountValue: '10.0', totalNtlPos: '200000.0', totalRawUsd: '0.0', totalMarginUsed: '1.0' }, crossMarginSummary: { accountValue: '10.0', totalNtlPos: '200000.0', totalRawUsd: '0.0', totalMarginUsed: '1.0' }, crossMaintenanceMarginUsed: '1.0', withdrawable: '0.0', time: start + base + at,
  assetPositions: [{ type: 'oneWay', position: { coin: 'BTC', szi: '2000.0', leverage: { type: 'cross', value: 20 }, entryPx: '100.0', positionValue: '200000.0', unrealizedPnl: '0.0', returnOnEquity: '0.0', liquidationPx: (100 * (1 - distance)).toFixed(6), marginUsed: '1.0', maxLeverage: 40, cumFunding: { allTime: '0.0', sinceOpen: '0.0', sinceChange: '0.0' } } }],
}, start + base + at + 1_000)

describe('signals of the perps venue, as they are answered', function () {
  this.timeout(180_000)
  let service: Service
  const get = async (path: string): Promise<any> => { const { status, body, text } = await service.call(`GET /v1/${path}`); assert.equal(status, 200, `${path} ${text}`); return body }
  before(async () => {
    service = await startService()
    const { store } = service
    await hear(store, 1, [
      ...calm(base, base + 150 * minute, 100), trade(base + 62 * minute, 100, 3_000_000), context(base + 30 * minute, 100, 100_000), context(base + 90 * minute, 100, 100_000), context(base + 150 * minute, 100, 100_000, '0'), position(victim, 100 * minute, 0.001), position(leader, 100 * minute, 0.01),
      fills(...Array.from({ length: 25 }, (_, index) => fill(leader, index * minute, 1_000 + index, { closedPnl: '3000.0' })), ...Array.from({ length: 25 }, (_, index) => fill(maker, index * minute, 2_000 + index, { closedPnl: '-3000.0' }))),
    ])
    // The last minutes: a whale sells, the leader opens (so does one who lost), the victim is closed by force, of which one side is heard.
    await hear(store, 2, [
      trade(base + 151 * minute, 100, 30_000_000, 'A'), ...calm(base + 152 * minute, base + 176 * minute, 100),
      fills(fill(leader, 160 * minute, 3_001, { side: 'B', startPosition: '0.0', dir: 'Open Long' }), fill(maker, 160 * minute, 3_002, { side: 'B', startPosition: '0.0', dir: 'Open Long' }),
        fill(victim, 165 * minute, 3_003, { dir: 'Liquidated Cross Long', sz: '2000.0', startPosition: '2000.0', liquidation: { liquidatedUser: victim, markPx: '99.9', method: 'market' } })),
    ])
    for (const segment of [1, 2]) await alertOn(store, segment, segment)
    await giveSignals(store, { chain: 'HL', now: Date.now() + 120_000, seconds: 60 })
    await store.insert('heads', [{ chain: 'HL', number: 2, hash: 'x', block_time: new Date().toISOString(), finalized: 2, endpoint: 'venue', observed_at: new Date().toISOString() }])
  })
  after(() => service.stop())
  const minutesOf = (at: string): number => (Date.parse(at) - start - base) / minute

  it('those of the last hours, each once, told by the first version that is followed', async () => {
    const { signals, count } = await get('feed/hl/signals?hours=4')
    assert.equal(count, signals.length)
    assert.deepEqual(signals.filter(({ kind }: any) => kind === 'whale_flow' || kind === 'trade_imbalance').map(({ kind, version, side, price, timestamp }: any) => [kind, version, side, price, minutesOf(timestamp)]).sort(),
      [['trade_imbalance', 'v3', 'long', 100, 65], ['trade_imbalance', 'v3', 'short', 100, 155], ['whale_flow', 'v3', 'long', 100, 65], ['whale_flow', 'v3', 'short', 100, 155]])
    assert.deepEqual(signals.filter(({ kind }: any) => kind === 'copy_trade').map(({ side, coin }: any) => [side, coin]), [['long', 'BTC']])
    const hours = (await get('feed/hl/signals?hours=1')).signals
    assert.ok(hours.length > 0 && hours.every(({ timestamp }: any) => minutesOf(timestamp) >= 115))
  })

  it('the log: by version and state, what was given up on request alone, accounts to the cent', async () => {
    const log = async (query: string): Promise<any[]> => (await get(`feed/hl/signal-log?${query}`)).signals
    const v3 = await log('')
    assert.ok(v3.length >= 4 && v3.every(({ version, archived }: any) => version === 'v3' && !archived))
    const [closed] = v3.filter(({ strategy, status }: any) => strategy === 'trade_imbalance' && status === 'closed')
    assert.deepEqual([closed.side, closed.entry_price, closed.exit_price, closed.exit_reason, minutesOf(closed.entry_at), minutesOf(closed.exit_at), closed.quantity_usd, closed.costs.fee_usd, closed.costs.slippage_usd, closed.stop_price, closed.target_price], ['long', 100, 100, 'horizon', 66, 126, 1_000, 0.9, 0.4, 99, 101])
    assert.equal(closed.pnl_usd, Number((closed.costs.funding_usd - 1.3).toFixed(6)))
    const [open] = v3.filter(({ strategy, status }: any) => strategy === 'trade_imbalance' && status === 'open')
    assert.deepEqual([open.side, open.exit_at, open.exit_reason, open.pnl_usd, minutesOf(open.entry_at)], ['short', null, null, -1.3, 156])
    assert.deepEqual([(await log('status=open')).every(({ status }: any) => status === 'open'), (await log('status=closed')).every(({ status }: any) => status === 'closed')], [true, true])
    assert.equal((await log('status=open')).length + (await log('status=closed')).length, v3.length)
    assert.deepEqual([(await log('version=v4')).length, (await log('version=v4&archived=true')).every(({ archived }: any) => archived)], [0, true])
    const all = await log('version=all&archived=true')
    assert.deepEqual([...new Set(all.map(({ version }: any) => version))].sort(), ['v3', 'v4', 'v5', 'v6', 'v7'])
    assert.deepEqual((await log('version=all&archived=true&limit=3')).map(({ id }: any) => id), all.slice(0, 3).map(({ id }: any) => id))
  })

  it('strategies: every version that spoke, losers and archived ones too, beside entries by lot', async () => {
    const { strategies } = await get('feed/hl/strategies')
    const of = (version: string): any => strategies.find((one: any) => one.name === 'trade_imbalance' && one.version === version)
    assert.deepEqual([of('v3').signals.closed, of('v3').signals.open, of('v3').win_rate, of('v3').archived, of('v4').archived, of('v3').sharpe, of('v3').open_pnl_usd], [1, 1, 0, false, true, null, -1.3])
    assert.equal(of('v3').net_basis_points.mean, Number((of('v3').pnl_usd * 10).toFixed(6)))
  })

  it('alpha: what is known of coins now, and every version before and after the split', async () => {
    const { coins, out_of_sample: results } = await get('feed/hl/alpha')
    assert.deepEqual(coins.map(({ coin, side }: any) => [coin, side]), [['BTC', 'short']])
    assert.ok(coins[0].flow < -0.9 && coins[0].score >= -1 && coins[0].funding === null)
    assert.ok(results.some(({ name, archived }: any) => name === 'trade_imbalance' && archived) && results.every(({ held }: any) => held === null))
  })

  it('alerts: what the venue closed by force is confirmed, what is near it estimated, each once', async () => {
    const { alerts } = await get('feed/hl/alerts?hours=4&min_score=0')
    assert.deepEqual(alerts.filter(({ kind }: any) => !['cascade_setup', 'liquidation_cluster'].includes(kind)).map(({ kind, basis, side, address, value_usd: usd, coin }: any) => [kind, basis, side, address, usd, coin]), [
      ['liquidation', 'confirmed', 'long', victim, 200_000, 'BTC'], ['copy_trade', 'confirmed', 'long', leader, 100_000, 'BTC'], ['liquidation_near', 'estimated', 'long', victim, 200_000, 'BTC'],
    ])
    for (const segment of [1, 2]) await alertOn(service.store, segment, segment, true)
    assert.equal((await get('feed/hl/alerts?hours=4&min_score=0')).count, alerts.length)
    assert.deepEqual((await get('feed/hl/alerts?hours=4&min_score=100')).alerts, [])
  })

  it('among the alerts of all chains stands what happened, not what is estimated', async () => {
    for (const chain of ['HL', 'ALL']) {
      const { alerts, rules } = await get(`dashboard/alerts?chain=${chain}`)
      assert.deepEqual(alerts.filter((one: any) => one.chain === 'HL').map(({ rule, value_usd: usd }: any) => [rule, usd]).sort(), [['copy_trade', 100_000], ['liquidation', 200_000]])
      assert.ok(rules.some((rule: any) => rule.chain === 'HL' && rule.rule === 'liquidation'))
    }
  })

  it('among whales: trades and what was closed by force, in pages, also of all chains', async () => {
    const { whales } = await get('whales/recent?chain=HL')
    assert.deepEqual(whales.map(({ kind, from_address: from, to_address: to, value_usd: usd, amount, token_symbol: coin }: any) => [kind, from, to, usd, amount, coin]), [
      ['perp_liquidation', victim, `0x${'00'.repeat(20)}`, 200_000, `2000${'0'.repeat(18)}`, 'BTC'], ['perp_trade', taker, maker, 30_000_000, `300000${'0'.repeat(18)}`, 'BTC'], ['perp_trade', maker, taker, 3_000_000, `30000${'0'.repeat(18)}`, 'BTC'],
    ])
    for (const chain of ['HL', 'ALL']) {
      const paged: unknown[] = []
      for (let next = ''; ;) {
        const page = await get(`whales/recent?chain=${chain}&limit=1${next}`)
        paged.push(...page.whales)
        if (!page.has_more) break
        next = `&cursor=${page.next_cursor}`
      }
      assert.deepEqual(paged, whales, chain)
    }
    const { items } = await get('dashboard/whale-txs?chain=HL')
    assert.deepEqual(items.map(({ type, usdValue: usd, tokenAmount: amount }: any) => [type, usd, amount]), [['perp_liquidation', 200_000, '2000'], ['perp_trade', 30_000_000, '300000'], ['perp_trade', 3_000_000, '30000']])
    assert.deepEqual(items.map(({ chain, nativeSymbol: coin }: any) => [chain, coin]), items.map(() => ['HL', 'HYPE']))
    assert.deepEqual(items.map(({ description }: any) => description.replace(/sold by.*/, '…')), ['Perp: 2000 COIN ($200,000) closed by force, …', 'Perp: 300000 COIN ($30,000,000) …', 'Perp: 30000 COIN ($3,000,000) …'].map((text, place) => text.replace('COIN', items[place].tokenSymbol)))
    assert.deepEqual((await get('dashboard/whale-txs?limit=2')).items, items.slice(0, 2))
    assert.deepEqual((await get('whales/recent?chain=HL&min_usd=99000000'))._meta.empty, { is_successful_empty: true, empty_reason: 'no_signal' })
  })
})
