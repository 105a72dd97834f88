import assert from 'node:assert/strict'
import { putLists } from './support/sanctions.js'
import { z } from 'zod'
import { pino } from 'pino'
import { closeIncident, openIncident } from '../../workers/incidents.js'
import { seed, seedHead } from './support/seed.js'
import { isRefusal } from './support/refusal.js'
import { startService, type Service } from './support/service.js'

describe('what outsiders may know', () => {
  let service: Service
  const lines: string[] = []
  before(async function () {
    this.timeout(90_000)
    service = await startService({}, { log: pino({ level: 'trace' }, { write: (line: string) => { lines.push(line) } }) })
    await seed(service.store, 1_000, 100)
    await seedHead(service.store, 1_103)
    const label = (chain: string, address: string, source: string, extra: object = {}) => ({ chain, address, label: 'x', entity: '', category: 'exchange', source, rule: '', confidence: 90, licence: 'MIT', valid_from: '2026-01-01T00:00:00Z', removed: false, version: 1, ...extra })
    await service.store.insert('labels', [
      label('ETH', '0x01', 'pack'), label('ETH', '0x02', 'pack', { category: 'sanctioned' }), label('ETH', '0x02', 'pack', { label: 'y', category: 'sanctioned' }), label('ETH', '0x03', 'pack', { removed: true }),
      label('BTC', 'bc1', 'pack'), label('ETH', '0x04', 'OFAC_SDN', { category: 'sanctioned', licence: 'US Government work' }),
    ])
    await service.store.insert('register_loads', [
      { register: 'pack', version: 'old', sha256: 'aa', rows: 1, loaded_at: '2026-01-01T00:00:00Z' }, { register: 'pack', version: 'v2', sha256: 'bb', rows: 5, loaded_at: '2026-02-01T00:00:00Z' },
      { register: 'OFAC_SDN', version: '2026-03-01', sha256: 'cc', rows: 1, loaded_at: '2026-03-01T00:00:00Z' },
    ])
    await putLists(service.store, { OFAC_SDN: [{ address: `0x${'04'.repeat(20)}` }, { address: 'TA3941uFAvmVibSkQ6fMJXxmaSNovX86mz', more: { chain: 'TRON' } }] })
    await putLists(service.store, { JP_MOF: [] }, { at: new Date('2026-01-01T00:00:00Z') })
  })
  after(() => service.stop())

  it('trust: coverage, freshness, labels by source with licence and date, registers that are not loaded', async () => {
    const { body } = await service.call('GET /v1/trust', { key: null })
    const of = (id: string) => body.chains.find((one: any) => one.chain === id)
    const eth = of('ETH')
    assert.deepEqual([eth.pipeline_tier, eth.coverage.oldest_block, eth.coverage.blocks, eth.freshness.newest_block, eth.freshness.lag_blocks, eth.coverage_status.tier], ['live', 1_000, 100, 1_099, 4, 'live'])
    assert.deepEqual(eth.labels, [
      { source: 'OFAC_SDN', licence: 'US Government work', labels: 1, addresses: 1, version: '2026-03-01', sha256: 'cc', loaded_at: '2026-03-01T00:00:00.000Z' },
      { source: 'pack', licence: 'MIT', labels: 3, addresses: 2, version: 'v2', sha256: 'bb', loaded_at: '2026-02-01T00:00:00.000Z' },
    ])
    assert.deepEqual(eth.sanctions.registers.map((one: any) => [one.register, one.status, one.addresses]), [['OFAC_SDN', 'loaded', 1], ['UK_HMT', 'not_loaded', null], ['IL_NBCTF', 'not_loaded', null], ['JP_MOF', 'stale', 0], ['JP_METI', 'not_applicable', null]])
    assert.deepEqual([eth.sanctions.screened, eth.sanctions.labelled], [false, 1])
    assert.match(eth.sanctions.note, /UK_HMT, IL_NBCTF/)
    assert.deepEqual([of('BTC').labels.length, of('BTC').sanctions.registers[0].addresses, of('SOL').coverage_status.tier, of('SOL').coverage.blocks], [1, 0, 'unknown', 0])
    assert.equal(body.registers.length, 2)
  })

  it('alarm: what is open, in words that tell nothing of the inside', async () => {
    const quiet = (await service.call('GET /v1/alarm/public', { key: null })).body
    assert.equal(quiet.count, 0)
    await openIncident(service.store, { id: 'a', chain: 'ETH', kind: 'deep_reorg', severity: 'critical', summary: 'ETH stands still: secret-host', detail: 'secret-host' })
    await openIncident(service.store, { id: 'b', chain: 'ETH', kind: 'no_redis', severity: 'warning', summary: 'secret-host' })
    await openIncident(service.store, { id: 'c', chain: 'ETH', kind: 'reorg', severity: 'info', summary: 'over', closed: true })
    await service.store.insert('batches', [{ chain: 'ETH', stage: 'alert', from_block: 5_000, to_block: 5_000, hash: '', generation: 0, rows: 0, bytes: 0, milliseconds: 1, endpoint: '', finished_at: new Date().toISOString() }])
    let told = quiet
    for (const deadline = Date.now() + 10_000; told.count === 0 && Date.now() < deadline;) told = (await service.call('GET /v1/alarm/public', { key: null })).body
    assert.deepEqual([told.status, told.count], ['alarm', 2])
    assert.deepEqual(told.incidents.map((one: any) => one.kind).sort(), ['deep_reorg', 'outage'])
    assert.doesNotMatch(JSON.stringify(told), /secret-host|redis/i)
    assert.ok(told.chains.some((one: any) => one.chain === 'ETH'))
  })

  it('alarm: a critical incident is told however many others were opened since; a webhook that its receiver left is none of the service', async () => {
    const opened = (kind: string, count: number) => Promise.all(Array.from({ length: count }, (_, at) => openIncident(service.store, { id: `${kind}-${at}`, chain: '', kind, severity: 'warning', summary: 'x' })))
    const alarm = async (until: (told: any) => boolean): Promise<any> => {
      for (const deadline = Date.now() + 12_000; ;) {
        const { body } = await service.call('GET /v1/alarm/public', { key: null })
        if (until(body) || Date.now() > deadline) return body
        await new Promise((done) => { setTimeout(done, 200) })
      }
    }
    await opened('webhook_dead', 3)
    await opened('no_redis', 101)
    const { status, count, incidents } = await alarm((told) => told.count > 2)
    assert.deepEqual([status, count, incidents[0].kind], ['alarm', 100, 'deep_reorg'])
    await Promise.all(['a', 'b', ...Array.from({ length: 101 }, (_, at) => `no_redis-${at}`)].map((id) => closeIncident(service.store, id)))
    const quiet = await alarm((told) => told.count === 0)
    assert.deepEqual([quiet.count, quiet.incidents], [0, []])
    // Chains that nobody follows here trail nobody.
    assert.deepEqual([quiet.status, quiet.chains.map((one: any) => [one.chain, one.data_fresh])], ['ok', [['ETH', true], ['BTC', false], ['HL', false]]])
  }).timeout(60_000)

  it('waiting list: each address once, nowhere told, bounded', async () => {
    const join = (email: unknown) => service.call('POST /v1/waitlist', { key: null, body: { email } })
    const first = await join('Ada@Example.org')
    const again = await join('ada@example.org')
    assert.deepEqual([first.status, first.body, again.body], [200, { status: 'listed' }, { status: 'listed' }])
    await join('grace@example.org')
    assert.deepEqual((await service.call('GET /v1/waitlist/count', { key: null })).body, { count: 2 })
    for (const wrong of ['no address', '', `${'x'.repeat(250)}@example.org`, 7, null, 'a@b\u0000.org']) {
      const refused = await join(wrong)
      assert.equal(refused.status, 422, String(wrong))
    }
    const kept = await service.store.query('SELECT detail FROM audit', {}, z.object({ detail: z.string() }))
    assert.ok(kept.length > 0)
    assert.doesNotMatch(lines.join('') + JSON.stringify(kept) + first.text + again.text, /ada@|grace@|example\.org/i)
    const many = await Promise.all(Array.from({ length: 10 }, (_, at) => join(`x${at}@example.org`)))
    isRefusal(many.find(({ status }) => status === 429)?.headers ?? new Headers(), 'waitlist', 10, 3_600)
  })

  it('trust: an address that several sources call sanctioned is one', async () => {
    const said = (source: string, address: string) => ({ chain: 'ETH', address, label: 'x', entity: '', category: 'sanctioned', source, rule: '', confidence: 90, licence: '', valid_from: '2026-01-01T00:00:00Z', removed: false, version: 1 })
    await service.store.insert('labels', [said('another', '0x02'), said('another', '0x05'), said('UK_HMT', '0x06')])
    const { chains: [eth] } = (await service.call('GET /v1/trust?chain=ETH', { key: null })).body
    assert.equal(eth.sanctions.labelled, 2, '0x02 and 0x05: what a register says alone is no copy')
  })
})
