/** Silence about signals is none where nobody looked at what was heard; of a time in which nobody heard, what signals made is not known; what is told is as of the newest look that was told of. */
import assert from 'node:assert/strict'
import { giveSignals } from '../../stages/signals/giveSignals.js'
import { calm, context, hear, hour, minute, missed, start, trade } from '../signals/market.js'
import { listened } from '../support/hyperliquid.js'
import { startService, type Service } from './support/service.js'

/** Three hours ago, on a full five minutes. */
const base = Math.floor((Date.now() - 3 * hour - start) / (5 * minute)) * 5 * minute
const lists = ['signals', 'signal-log', 'strategies', 'alerts']

describe('looks at the perps market, as answers tell of them', function () {
  this.timeout(180_000)
  let service: Service
  const get = async (path: string): Promise<any> => { const { status, body, text } = await service.call(`GET /v1/feed/hl/${path}`); assert.equal(status, 200, `${path} ${text}`); return body }
  /** Answers are given again for a second. */
  const aged = () => new Promise((resolve) => setTimeout(resolve, 1_100))
  const run = (ago: number, told: boolean) => service.store.execute("INSERT INTO hl_signal_runs (chain, from_time, to_time, through, open_since, done, told, at) SELECT 'HL', toDateTime({at:UInt32}), toDateTime({at:UInt32}), 9, toDateTime({at:UInt32}) - INTERVAL 2 DAY, true, {told:Bool}, now64(3)", { at: Math.floor((Date.now() - ago) / 1_000), told })
  const look = () => giveSignals(service.store, { chain: 'HL', now: Date.now() + 120_000, seconds: 60 })
  before(async () => {
    service = await startService()
    // A node's files tell: what is silent about liquidations is silent.
    await service.store.execute("INSERT INTO hl_fills (chain, block_number, source, heard_at, coin, market, account, time, tid) SELECT 'HL', 1, 'node_fills', now64(3), 'BTC', 'perp', '', now64(3), 1")
    await listened(service.store)
    await service.store.insert('heads', [{ chain: 'HL', number: 1, hash: 'x', block_time: new Date().toISOString(), finalized: 1, endpoint: 'venue', observed_at: new Date().toISOString() }])
  })
  after(() => service.stop())

  it('never looked: a gap that says so; looked long before what was heard: old', async () => {
    for (const list of lists) {
      const { _meta: { empty }, coverage_status: { warnings, data_fresh: fresh } } = await get(list)
      assert.deepEqual([empty, fresh, warnings.filter((text: string) => text.includes('looked'))], [{ is_successful_empty: false, empty_reason: 'data_gap' }, true, ['Nobody has looked at the market of the venue for signals yet']], list)
    }
    await run(40 * minute, true)
    await aged()
    for (const list of lists) {
      const { _meta: { empty }, coverage_status: { warnings } } = await get(list)
      assert.deepEqual(empty, { is_successful_empty: false, empty_reason: 'stale_pipeline' }, list)
      assert.match(warnings.find((text: string) => text.includes('looked')), /^The market of the venue was looked at for signals last as of \d{4}-.*, 40 min before what was heard$/)
    }
    await run(10 * minute, true)
    await aged()
    for (const list of lists) assert.deepEqual([(await get(list))._meta.empty, (await get(list)).coverage_status.warnings], [{ is_successful_empty: true, empty_reason: 'no_signal' }, []], list)
    await service.store.execute('TRUNCATE TABLE hl_signal_runs')
  })

  it('a look that was not told of yet changes no mark to nothing', async () => {
    await hear(service.store, 1, [...calm(base, base + 150 * minute, 100), trade(base + 62 * minute, 100, 3_000_000), ...[30, 90, 150].map((at) => context(base + at * minute, 100, 100_000, '0')), trade(base + 151 * minute, 100, 30_000_000, 'A'), ...calm(base + 152 * minute, base + 176 * minute, 100)])
    await look()
    await aged()
    const seen = async () => {
      const { strategies } = await get('strategies'), { signals } = await get('signal-log?status=open')
      const { signals: counts, open_pnl_usd: usd } = strategies.find((one: any) => one.name === 'trade_imbalance' && one.version === 'v3')
      return [counts, usd, signals.filter(({ strategy }: any) => strategy === 'trade_imbalance').map(({ entry_price: px, pnl_usd: pnl }: any) => [px, pnl])]
    }
    const marked = [{ closed: 1, unfilled: 0, unknown: 0, reconstructed: 0, open: 1 }, -1.3, [[100, -1.3]]]
    assert.deepEqual(await seen(), marked)
    await run(0, false)
    await aged()
    assert.deepEqual(await seen(), marked)
  })

  it('of a time in which nobody heard nothing is told but that it is not known', async () => {
    await service.store.execute("DELETE FROM hl_signal_runs WHERE done AND NOT told AND through = 9")
    const log = async () => (await get('signal-log?status=closed')).signals.find(({ strategy }: any) => strategy === 'trade_imbalance')
    assert.equal((await log()).exit_reason, 'horizon')
    await hear(service.store, 2, [missed(base + 80 * minute, base + 90 * minute, { coin: 'BTC', heard: base + 176 * minute }), ...calm(base + 176 * minute, base + 179 * minute, 100)])
    await aged()
    const told = await log()
    assert.deepEqual([told.status, told.exit_reason, told.entry_at, told.entry_price, told.exit_at, told.exit_price, told.pnl_usd, told.pnl, told.costs, told.path],
      ['closed', 'unknown', null, null, null, null, null, null, { fee_usd: null, slippage_usd: null, funding_usd: null }, { worst: null, best: null }])
    await hear(service.store, 3, calm(base + 180 * minute, base + 186 * minute, 100))
    assert.notEqual(await look(), null)
    await aged()
    assert.equal((await get('strategies?name=momentum'))._meta.empty.empty_reason, 'unsupported_input')
    assert.deepEqual([...new Set((await get('strategies?name=trade_imbalance')).strategies.map((one: any) => one.name))], ['trade_imbalance'])
    const { signals } = (await get('strategies')).strategies.find((one: any) => one.name === 'trade_imbalance' && one.version === 'v3')
    assert.deepEqual([signals.closed, signals.unfilled, signals.unknown], [0, 0, 1])
  })

  it('beside a recording of another year, what a generator made newer than the looks is told as such', async () => {
    await service.store.execute('TRUNCATE TABLE hl_signal_runs')
    await run(40 * minute, true)
    await service.store.insert('heads', [{ chain: 'HL', number: 4, hash: 'x', block_time: '2023-07-17T00:00:00.000Z', finalized: 1, endpoint: 'venue', observed_at: new Date().toISOString() }])
    await service.store.execute("INSERT INTO hl_fills (chain, block_number, source, heard_at, coin, market, account, time, tid) SELECT 'HL', 4, 'synthetic', now64(3), 'SYN-ONE', 'perp', '', now64(3), 1")
    await aged()
    const { coverage_status: { warnings } } = await get('signal-log?status=open')
    assert.match(warnings.find((text: string) => text.includes('looked')) ?? '', /^The market of the venue was looked at for signals last as of .*, (39|40|41) min before what was heard$/)
  })
})
