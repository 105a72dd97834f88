import assert from 'node:assert/strict'
import { startService, type Service } from './support/service.js'

const address = '0xABCDEF0123456789abcdef0123456789ABCDEF01'
const loaded = (register: string, rows = 5) => ({ register, version: '2026-01-01', sha256: 'ab'.repeat(32), rows, loaded_at: '2026-01-02T03:04:05.678Z' })
const listed = (register: string, id: string, more: object = {}) => ({
  key: address.toLowerCase(), register, list_id: id, address, chain: 'ETH', ticker: 'ETH', entity_name: `Some\u202eone ${id}`, programme: 'CYBER2', designating_authority: 'OFAC', aggregator: 'SDN_ADVANCED',
  listed_on: '2024-05-06', confidence: 1, verified_at: '2026-01-02T03:04:05.123456Z', removed: false, version: 1, ...more,
})

describe('screening', () => {
  let service: Service
  const screen = async (body: unknown) => service.call('POST /v1/forensic/screen', { body })
  beforeEach(async function () { this.timeout(90_000); service = await startService() })
  afterEach(() => service.stop())

  it('is UNKNOWN, never clear, while a register is missing', async () => {
    const none = (await screen({ address, chain: 'eth' })).body
    assert.deepEqual([none.address, none.chain, none.sanctions_status, none.screening_status, none.match_count, none.matches, none.reason], [address.toLowerCase(), 'ETH', 'UNKNOWN', 'UNKNOWN', 0, [], 'No sanctions register is loaded'])
    assert.deepEqual(none._meta.empty, { is_successful_empty: false, empty_reason: 'data_gap' })
    assert.deepEqual(none._meta.sources, ['OFAC_SDN', 'UK_HMT', 'IL_NBCTF', 'JP_METI'])
    assert.match(none.disclaimer, /not legal advice/)
    await service.store.insert('register_loads', [loaded('OFAC_SDN'), loaded('UK_HMT')])
    const three = (await screen({ address })).body
    assert.deepEqual([three.sanctions_status, three.reason, three.chain], ['UNKNOWN', 'Not loaded: IL_NBCTF', 'ALL'])
    await service.store.insert('register_loads', [loaded('IL_NBCTF')])
    const all = (await screen({ address })).body
    assert.deepEqual([all.sanctions_status, all.reason, all._meta.empty], ['NO_MATCH', null, { is_successful_empty: true, empty_reason: 'no_sanctions_match' }])
    assert.deepEqual(all.registers.map((one: any) => one.status), ['screened', 'screened', 'screened', 'not_applicable'])
    assert.deepEqual(all.registers[0], { source: 'OFAC_SDN', status: 'screened', list_version: '2026-01-01', list_sha256: 'ab'.repeat(32), addresses: 5, loaded_at: '2026-01-02T03:04:05.678Z' })
  })

  it('gives every listing that stands, in any letter case; a delisting ends one', async () => {
    await service.store.insert('register_loads', [loaded('OFAC_SDN')])
    await service.store.insert('designations', [listed('OFAC_SDN', '1'), listed('UK_HMT', '2'), listed('IL_NBCTF', '3'), listed('IL_NBCTF', '3', { removed: true, version: 2 })])
    const { body } = await screen({ address: address.toUpperCase().replace('0X', '0x'), chain: 'TRON' })
    assert.deepEqual([body.sanctions_status, body.screening_status, body.match_count, body._meta.empty], ['MATCH', 'MATCH', 2, undefined])
    assert.deepEqual(body.matches.map((match: any) => match.source), ['OFAC_SDN', 'UK_HMT'])
    assert.deepEqual(body.matches[0], {
      source: 'OFAC_SDN', list_id: '1', entity_name: 'Someone 1', confidence: 1, last_verified_at: '2026-01-02T03:04:05.123456+00:00',
      metadata: { aggregator: 'SDN_ADVANCED', designating_authority: 'OFAC', programme: 'CYBER2', listed_on: '2024-05-06', listed_address: address, ticker: 'ETH' },
    })
  })

  it('refuses what is no address and no chain', async () => {
    for (const body of [{}, { address: '' }, { address: 'x' }, { address: 5 }, { address: 'a b c d e f g h i' }, { address, more: 1 }]) assert.equal((await screen(body)).body.error.code, 'VALIDATION_ERROR', JSON.stringify(body))
    const { status, body } = await screen({ address, chain: 'DOGE' })
    assert.deepEqual([status, body.detail.error, body.detail.valid_chains.includes('TRON')], [404, 'UNKNOWN_CHAIN', true])
  })
})
