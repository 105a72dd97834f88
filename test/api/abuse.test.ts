/** Screening against community lists: a report, no report, nothing to ask, and no address at all are four answers. */
import assert from 'node:assert/strict'
import { message, post, session } from '../mcp/support/client.js'
import { startService, type Service } from './support/service.js'

const [reported, clean, sanctioned, tied] = [`0x${'5c'.repeat(20)}`, `0x${'11'.repeat(20)}`, `0x${'0f'.repeat(20)}`, `0x${'33'.repeat(20)}`] as const

describe('screening for abuse', function () {
  this.timeout(60_000)
  let service: Service
  const ask = async (address: string, query = '') => (await service.call(`GET /v1/forensic/abuse/${address}${query}`)).body
  before(async () => {
    service = await startService()
    const row = (address: string, category: string, source: string, more: object = {}) => ({ chain: 'ETH', address, label: 'x', entity: '', category, source, rule: 'a list', confidence: 50, licence: 'test', valid_from: '2025-01-01 00:00:00.000', removed: false, version: 1, ...more })
    await service.store.insert('labels', [
      row(reported, 'scam', 'community', { label: 'fake\u202e shop' }), row(reported, 'ransomware', 'community', { label: 'locker', confidence: 70 }), row(reported, 'exchange', 'community', { label: 'beside' }),
      row(`0x${'22'.repeat(20)}`, 'scam', 'other'), row(clean, 'scam', 'community', { label: 'withdrawn', removed: true }), row(sanctioned, 'sanctioned', 'OFAC_SDN'),
    ])
    await service.store.insert('register_loads', [{ register: 'community', version: '2025', sha256: 'ab', rows: 3, loaded_at: '2025-02-01 00:00:00.000' }])
  })
  after(() => service.stop())

  it('gives what was reported, the surest first, cleaned, with the lists that were asked', async () => {
    const { chain, address, count, reports, screened, _meta: meta } = await ask(reported.toUpperCase().replace('0X', '0x'))
    assert.deepEqual([chain, address, count, meta.empty], ['ETH', reported, 2, undefined])
    assert.deepEqual(reports.map((one: any) => [one.classification, one.label, one.source, one.list, one.confidence]), [['ransomware', 'locker', 'community', 'a list', 70], ['scam', 'fake shop', 'community', 'a list', 50]])
    assert.deepEqual(screened, [{ source: 'community', addresses: 1, version: '2025', sha256: 'ab', loaded_at: '2025-02-01T00:00:00.000Z' }, { source: 'other', addresses: 1, version: null, sha256: null, loaded_at: null }])
  })

  it('of what is equally sure and old has one order, that in which a label is chosen, and of loads of one moment one', async () => {
    const row = (source: string, label: string) => ({ chain: 'ETH', address: tied, label, entity: '', category: 'scam', source, rule: 'a list', confidence: 50, licence: 'test', valid_from: '2025-01-01 00:00:00.000', removed: false, version: 1 })
    const load = (version: string, sha256: string) => ({ register: 'tied', version, sha256, rows: 3, loaded_at: '2025-02-01 00:00:00.000' })
    await service.store.insert('labels', [row('also', 'c'), row('tied', 'a'), row('tied', 'b')])
    await service.store.insert('register_loads', [load('2025', 'cc'), load('2026', 'aa'), load('2024', 'dd')])
    await service.store.execute('SYSTEM RELOAD DICTIONARY label_of')
    const { reports, screened } = await ask(tied, '?chain=ETH')
    const order = reports.map(({ source, label }: any) => [source, label])
    assert.deepEqual(order, [['tied', 'b'], ['tied', 'a'], ['also', 'c']])
    assert.deepEqual((await service.call(`GET /v1/labels/ETH/${tied}`)).body.statements.map(({ source, label }: any) => [source, label]), order)
    assert.equal((await service.call(`GET /v1/wallets/compliance/${tied}?chain=ETH`)).body.label.label, 'b')
    const { version, sha256 } = screened.find(({ source }: any) => source === 'tied')
    assert.deepEqual([version, sha256], ['2026', 'aa'])
  })

  it('says that no list has a report, which is evidence; listings of authorities are none', async () => {
    for (const address of [clean, sanctioned]) {
      const { count, _meta: meta } = await ask(address)
      assert.deepEqual([count, meta.empty], [0, { is_successful_empty: true, empty_reason: 'no_abuse_match' }], address)
    }
    const open = await session(`${service.api.url}/mcp`, service.agentKey)
    const { body } = await post(`${service.api.url}/mcp`, open, message('tools/call', { name: 'check_abuse', arguments: { address: clean } }))
    const { is_successful_empty: successful, empty_reason: reason } = body.result.structuredContent
    assert.deepEqual([successful, reason], [true, 'no_abuse_match'])
  })

  it('is no evidence where no list knows the chain, or the address is none', async () => {
    assert.deepEqual((await ask('1dice97ECuByXAvqXpaYzSaQuPVvrtmz6'))._meta.empty, { is_successful_empty: false, empty_reason: 'data_gap' })
    for (const [address, chain] of [[clean.slice(0, -1), 'ETH'], ['1dice97ECuByXAvqXpaYzSaQuPVvrtmz7', 'BTC'], [clean, 'BTC']] as const) {
      assert.deepEqual((await ask(address, `?chain=${chain}`))._meta.empty, { is_successful_empty: false, empty_reason: 'unsupported_input' }, address)
    }
  })
})
