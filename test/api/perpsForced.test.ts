/** Silence about liquidations is none of theirs while no node's files are read: the socket tells of followed accounts alone. */
import assert from 'node:assert/strict'
import { digest, insertHeard, message } from '../support/hyperliquid.js'
import { until } from '../support/pipeline.js'
import { startService, type Service } from './support/service.js'

describe('liquidations of the perps venue', function () {
  this.timeout(90_000)
  let service: Service
  const buyer = `0x${'11'.repeat(20)}`, seller = `0x${'22'.repeat(20)}`
  const get = async (path: string): Promise<any> => { const { status, body, text } = await service.call(`GET /v1/${path}`); assert.equal(status, 200, `${path} ${text}`); return body }
  before(async () => {
    service = await startService()
    const now = Date.now()
    await insertHeard(service.store, 1, [message('allMids', { mids: { BTC: '100000.5' } }), message('trades', [{ coin: 'BTC', side: 'A', px: '100000.0', sz: '2.0', time: now - 2_000, hash: `0x${'cd'.repeat(32)}`, tid: 2, users: [buyer, seller] }])])
    await digest(service.store, 1, 1)
    await service.store.insert('heads', [{ chain: 'HL', number: 1, hash: 'x', block_time: new Date().toISOString(), finalized: 1, endpoint: 'venue', observed_at: new Date().toISOString() }])
  })
  after(() => service.stop())

  const sums = async () => {
    const { pulse } = await get('feed/hl/pulse'), { flow } = await get('feed/hl/flow-history?coin=BTC&buckets=1'), { hourly: { perps } } = await get('network/summary?chain=HL')
    return [pulse.trades, pulse.liquidations, pulse.liquidated_long_usd, pulse.liquidated_short_usd, flow[0].liquidated_usd, perps.trades, perps.liquidations, perps.liquidated_usd]
  }
  const warned = async (): Promise<string[]> => (await get('feed/hl/pulse')).coverage_status.warnings.filter((text: string) => text.includes('followed accounts alone'))
  const empty = async (path: string) => (await get(path))._meta.empty

  it('are unknown, not none, and lists that hang on them empty for a gap', async () => {
    assert.deepEqual(await sums(), [1, null, null, null, null, 1, null, null])
    assert.deepEqual(await warned(), ['No node\'s files are read: fills, results of traders and liquidations are known of followed accounts alone'])
    for (const list of ['alerts', 'suspects', 'copytrade/curated', 'insider-trades']) assert.deepEqual(await empty(`feed/hl/${list}`), { is_successful_empty: false, empty_reason: 'data_gap' }, list)
  })

  it('are none once a node tells of all accounts; when it last did is told', async () => {
    const said = (number: number, ago: number) => insertHeard(service.store, number, [{ kind: 'node_fills', payload: '', at: Date.now() - ago }])
    await said(2, 3 * 3_600_000)
    await until(async () => (await warned())[0]?.startsWith('A node\'s files were read last 3 h ago: ') === true, 'the age of the files was not told')
    assert.equal((await sums())[1], null)
    await said(3, 0)
    await until(async () => (await warned()).length === 0, 'the files were not seen')
    assert.deepEqual((await sums()).slice(0, 5), [1, 0, 0, 0, 0])
    assert.deepEqual(await empty('feed/hl/alerts'), { is_successful_empty: true, empty_reason: 'no_signal' })
  })
})
