/** Every answer that was made from a generator's market says so, also where no row names it; those that were not do not. */
import assert from 'node:assert/strict'
import { madeWarning, markedAmong } from '../../api/operations/perps/made.js'
import { digest, insertHeard, listened, message } from '../support/hyperliquid.js'
import { startService, type Service } from './support/service.js'

const real = `0x${'11'.repeat(20)}`, other = `0x${'22'.repeat(20)}`, made = `0x53594e54${'ab'.repeat(16)}`

describe('the mark of what is made', function () {
  this.timeout(90_000)
  let service: Service, tids = 0
  const now = Math.floor(Date.now() / 1_000) * 1_000, hash = `0x${'cd'.repeat(32)}`
  const trade = (coin: string, sz: string, users = [real, other]) => ({ coin, side: 'B', px: '100000.0', sz, time: now - 2_000, hash, tid: tids += 1, users })
  const marked = async (path: string): Promise<boolean> => {
    const { status, body, text } = await service.call(`GET /v1/${path}`)
    assert.equal(status, 200, `${path} ${text}`)
    const said = body.coverage_status.warnings.filter((one: string) => one === madeWarning).length
    assert.ok(said < 2, path)
    return said === 1
  }
  const signal = (coin: string, side: string, id: string) => service.store.execute(`INSERT INTO hl_signals (chain, id, kind, version, coin, time, side, strength, measures, detail, px, reconstructed, baseline, matched, latency_seconds, horizon_minutes, stop, target, fee_bps, slip_bps, quantity_usd, through)
    VALUES ('HL', unhex({id:String}), 'whale_flow', 'v3', {coin:String}, {time:String}, {side:String}, 50, map('usd', 1), 's', 1, false, false, '', 60, 60, 0.01, 0.01, 4.5, 2, 1000, 1)`, { coin, side, id: id.repeat(32), time: new Date(now - 86_400_000).toISOString().slice(0, 19) })
  const alert = (account: string, coin: string, id: string) => service.store.execute(`INSERT INTO hl_alerts (chain, id, kind, basis, severity, score, coin, side, account, px, value_usd, time, hash, tid, summary, detail, block_number, generation)
    VALUES ('HL', unhex({id:String}), 'liquidation', 'confirmed', 'low', 50, {coin:String}, 'long', unhex({account:String}), 1, 200000, {time:String}, '', 1, 's', 'd', 1, 0)`, { coin, account: account.slice(2), id: id.repeat(32), time: new Date(now - 2_000).toISOString().replace('Z', '') })
  const result = () => service.store.execute(`INSERT INTO hl_results (chain, known_until, kind, version, baseline, part, split_at, since, closed, unfilled, reconstructed, wins, pnl_usd, drawdown_usd, open, open_pnl_usd)
    SELECT 'HL', now(), 'whale_flow', 'v3', false, part, now(), now(), 1, 0, 0, 1, 1, 0, 0, 0 FROM (SELECT arrayJoin(['all', 'train', 'test']) AS part)`)
  const heard = async (segment: number, trades: readonly object[]): Promise<void> => {
    await insertHeard(service.store, segment, [message('trades', trades)])
    await digest(service.store, segment, segment)
  }
  const lists = ['whales/recent?chain=HL', 'whales/recent?chain=ALL', 'dashboard/whale-txs?chain=HL', 'dashboard/alerts?chain=HL', 'dashboard/alerts?chain=ALL']
  const statistics = ['feed/hl/pulse', 'feed/hl/strategies', 'feed/hl/alpha', 'feed/hl/recent', 'feed/hl/alerts?min_score=0', 'feed/hl/flow-history?coin=BTC', 'feed/hl/depth?coins=BTC']
  before(async () => {
    service = await startService()
    await listened(service.store)
    await service.store.insert('heads', [{ chain: 'HL', number: 1, hash: 'x', block_time: new Date().toISOString(), finalized: 1, endpoint: 'venue', observed_at: new Date().toISOString() }])
    await alert(real, 'BTC', '01')
    await signal('BTC', 'long', '02')
    await signal('SYN-BTC', 'none', '03')
    await result()
    await heard(1, Array.from({ length: 12 }, (_, nth) => trade(nth === 0 ? 'BTC' : `C${nth}`, '90.0')))
  })
  after(() => service.stop())

  it('is not on what the venue said, and what was worked out of it', async () => {
    for (const path of [...lists, ...statistics]) assert.equal(await marked(path), false, path)
  })

  it('is not on tokens of other chains, which may be called anything', () => {
    const status = { chain: 'ALL', tier: 'live', data_fresh: true, pipeline: 'mixed', node: '', warnings: ['x'] } as const
    const rows = [{ chain: 'ETH', token_symbol: 'SYN-BTC' }, { chain: 'HL', token_symbol: 'BTC' }], plain = { ...status, warnings: ['x'] }
    assert.deepEqual(markedAmong(plain, rows), plain)
    assert.deepEqual(markedAmong(plain, [...rows, { chain: 'HL', token_symbol: 'SYN-BTC' }]).warnings, ['x', madeWarning])
  })

  it('is on what was asked of a made coin or account, whatever is known of it', async () => {
    for (const path of ['feed/hl/flow-history?coin=SYN-BTC', `feed/hl/trader/${made}`, `feed/hl/trader/${made.toUpperCase().replace('0X', '0x')}`, 'feed/hl/depth?coins=BTC,SYN-ETH']) assert.equal(await marked(path), true, path)
    assert.equal(await marked(`feed/hl/trader/${real}`), false)
  })

  it('is on sums and results that no row of which names it, and on lists of all chains', async () => {
    // Not one of the ten busiest coins.
    await signal('SYN-ETH', 'short', '04')
    await alert(made, 'SYN-ETH', '05')
    await heard(2, [trade('SYN-ETH', '2.0', [made, other])])
    // Lists of whales are kept for ten seconds.
    await new Promise((resolve) => setTimeout(resolve, 10_500))
    const { pulse } = (await service.call('GET /v1/feed/hl/pulse')).body
    assert.ok(pulse.coins.length === 10 && pulse.coins.every(({ coin }: any) => !coin.startsWith('SYN-')) && !('made' in pulse))
    for (const path of [...lists, ...statistics.slice(0, 5)]) assert.equal(await marked(path), true, path)
    for (const path of statistics.slice(5)) assert.equal(await marked(path), false, path)
  })
})
