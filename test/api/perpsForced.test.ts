/** Silence about liquidations is none of theirs while no node's files tell: the socket tells of followed accounts alone. */
import assert from 'node:assert/strict'
import { alertOn, digest, insertHeard, listened, message } from '../support/hyperliquid.js'
import { until } from '../support/pipeline.js'
import { addressOf, file, hour, minute } from '../support/traders.js'
import { startService, type Service } from './support/service.js'

describe('liquidations of the perps venue', function () {
  this.timeout(90_000)
  let service: Service, number = 0
  const get = async (path: string): Promise<any> => { const { status, body, text } = await service.call(`GET /v1/${path}`); assert.equal(status, 200, `${path} ${text}`); return body }
  const hear = async (...heard: Parameters<typeof insertHeard>[2]): Promise<void> => { number += 1; await insertHeard(service.store, number, heard); await digest(service.store, number, number) }
  /** What a node's file tells of so long ago. */
  const told = (ago: number) => hear(file([[addressOf(1), { coin: 'BTC', px: '100000', sz: '0.1', side: 'B', time: Date.now() - ago, startPosition: '0', dir: 'Open Long', closedPnl: '0', hash: `0x${'ab'.repeat(32)}`, oid: number, tid: 1_000 + number, crossed: true, fee: '0', feeToken: 'USDC' }]]))
  before(async () => {
    service = await startService()
    await listened(service.store)
    await hear(message('allMids', { mids: { BTC: '100000.5' } }), message('trades', [{ coin: 'BTC', side: 'A', px: '100000.0', sz: '2.0', time: Date.now() - 2_000, hash: `0x${'cd'.repeat(32)}`, tid: 2, users: [addressOf(2), addressOf(3)] }]))
    await service.store.insert('heads', [{ chain: 'HL', number: 1, hash: 'x', block_time: new Date().toISOString(), finalized: 1, endpoint: 'venue', observed_at: new Date().toISOString() }])
  })
  after(() => service.stop())

  const sums = async (): Promise<unknown[]> => {
    const { pulse } = await get('feed/hl/pulse'), { flow } = await get('feed/hl/flow-history?coin=BTC&buckets=3'), { hourly: { perps } } = await get('network/summary?chain=HL')
    return [pulse.liquidations, pulse.liquidated_long_usd, pulse.liquidated_short_usd, ...flow.map((bucket: any) => bucket.liquidated_usd), perps.liquidations, perps.liquidated_usd]
  }
  const unknown = Array(8).fill(null), none = Array(8).fill(0)
  const warned = async (): Promise<string | undefined> => (await get('feed/hl/pulse')).coverage_status.warnings.find((text: string) => text.includes('followed accounts alone'))
  const empty = async (path: string) => (await get(path))._meta.empty
  const gap = { is_successful_empty: false, empty_reason: 'data_gap' }

  it('are unknown, not none, and lists that hang on them empty for a gap', async () => {
    assert.deepEqual(await sums(), unknown)
    assert.equal(await warned(), 'No node\'s files are read: fills, results of traders and liquidations are known of followed accounts alone')
    for (const list of ['alerts', 'suspects', 'copytrade/curated', 'insider-trades']) assert.deepEqual(await empty(`feed/hl/${list}`), gap, list)
  })

  it('stay so where files tell of old times alone, however late they are read', async () => {
    await told(3 * hour)
    await until(async () => (await warned())?.startsWith('A node\'s files told last of 3 h ago: ') === true, 'the age of the files was not told')
    assert.deepEqual(await sums(), unknown)
  })

  it('stay so of a window that began before the files did; are none of one that they tell of whole', async () => {
    await told(minute)
    await until(async () => await warned() === undefined, 'the files were not seen')
    assert.deepEqual(await empty('feed/hl/alerts'), gap, 'nobody looked at what is estimated')
    await service.store.execute("INSERT INTO hl_signal_runs (chain, from_time, to_time, through, open_since, done, told, at) VALUES ('HL', now(), now(), 1, now(), true, true, now())")
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    assert.deepEqual(await empty('feed/hl/alerts'), { is_successful_empty: true, empty_reason: 'no_signal' })
    assert.deepEqual((await sums()).slice(0, 3), unknown.slice(0, 3))
    // Every hour of the clock since has to be told of.
    for (const ago of [30 * minute, hour, hour + 30 * minute]) await told(ago)
    await until(async () => (await sums())[0] === 0, 'what the files tell of was not seen')
    assert.deepEqual((await sums()).slice(0, 3), none.slice(0, 3))
    assert.equal((await get('feed/hl/pulse?hours=24')).pulse.liquidations, null)
    // Between six and three hours ago no file says anything: that nobody dealt then is not to be believed.
    await told(6 * hour + minute)
    assert.equal((await get('feed/hl/pulse?hours=6')).pulse.liquidations, null)
  })

  it('of whom nobody says whose position it was are counted and listed alike, without an account', async () => {
    await hear(file([[addressOf(1), { coin: 'BTC', px: '100000', sz: '3', side: 'B', time: Date.now() - minute, startPosition: '0', dir: 'Open Long', closedPnl: '0', hash: `0x${'ab'.repeat(32)}`, oid: 77, tid: 7_777, crossed: true, fee: '0', feeToken: 'USDC', liquidation: { markPx: '99000', method: 'market' } }]]))
    await alertOn(service.store, number, number)
    const { events } = await get('feed/hl/recent?min_usd=250000')
    assert.deepEqual(events.filter(({ kind }: any) => kind === 'liquidation').map(({ liquidated, method, value_usd: usd }: any) => [liquidated, method, usd]), [[null, 'market', 300_000]])
    // An answer stands for a second.
    await until(async () => (await get('feed/hl/pulse')).pulse.liquidations === 1, 'it was not counted')
    const partly = 'Liquidations are those that were heard: no node\'s files told of all the time asked about'
    const warns = async (hours: number): Promise<boolean> => (await get(`feed/hl/pulse?hours=${hours}`)).coverage_status.warnings.includes(partly)
    await until(() => warns(6), 'that there may be more was not told')
    assert.equal(await warns(1), false)
    const { alerts } = await get('feed/hl/alerts')
    assert.deepEqual(alerts.map(({ address, summary }: any) => [address, summary]), [[null, 'Liquidated: the long of an account that was not named in BTC, $300000 at 100000']])
  })
})
