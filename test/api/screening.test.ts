import assert from 'node:assert/strict'
import { loadBundledLists } from '../../stages/enrich/registers/sanctions/loadLists.js'
import { putLists } from './support/sanctions.js'
import { startService, type Service } from './support/service.js'

const address = '0xabcdef0123456789abcdef0123456789abcdef01'
const tron = 'TA3941uFAvmVibSkQ6fMJXxmaSNovX86mz'

describe('screening', () => {
  let service: Service
  const screen = async (body: unknown) => service.call('POST /v1/forensic/screen', { body })
  beforeEach(async function () { this.timeout(90_000); service = await startService() })
  afterEach(() => service.stop())

  it('is UNKNOWN, never clear, while a register is missing', async () => {
    await putLists(service.store, {})
    const none = (await screen({ address, chain: 'eth' })).body
    assert.deepEqual([none.address, none.chain, none.sanctions_status, none.screening_status, none.match_count, none.matches, none.reason], [address, 'ETH', 'UNKNOWN', 'UNKNOWN', 0, [], 'No sanctions register is loaded'])
    assert.deepEqual(none._meta.empty, { is_successful_empty: false, empty_reason: 'data_gap' })
    assert.deepEqual(none._meta.sources, ['OFAC_SDN', 'UK_HMT', 'IL_NBCTF', 'JP_MOF', 'JP_METI'])
    assert.match(none.disclaimer, /not legal advice/)
    await putLists(service.store, { OFAC_SDN: [], UK_HMT: [], JP_MOF: [] })
    const three = (await screen({ address })).body
    assert.deepEqual([three.sanctions_status, three.reason, three.chain], ['UNKNOWN', 'Not loaded: IL_NBCTF', 'ALL'])
    await putLists(service.store, { IL_NBCTF: [] })
    const all = (await screen({ address })).body
    assert.deepEqual([all.sanctions_status, all.reason, all._meta.empty], ['NO_MATCH', null, { is_successful_empty: true, empty_reason: 'no_sanctions_match' }])
    assert.deepEqual(all.registers.map((one: any) => one.status), ['screened', 'screened', 'screened', 'screened', 'not_applicable'])
    const { checked_at: _, loaded_at: __, ...first } = all.registers[0]
    assert.deepEqual(first, { source: 'OFAC_SDN', status: 'screened', list_version: '2026-01-01', list_sha256: 'ab'.repeat(32), addresses: 0, problem: null })
  })

  it('is UNKNOWN where a list is stale or the address is none; a listing is found all the same', async () => {
    const old = new Date(Date.now() - 3 * 86_400_000)
    await putLists(service.store, { UK_HMT: [], IL_NBCTF: [], JP_MOF: [] })
    await putLists(service.store, { OFAC_SDN: [{ address: tron }] }, { at: old })
    const stale = (await screen({ address })).body
    assert.deepEqual([stale.sanctions_status, stale._meta.empty, stale.reason], ['UNKNOWN', { is_successful_empty: false, empty_reason: 'stale_pipeline' }, `Stale: OFAC_SDN (last known to be current ${old.toISOString()})`])
    assert.equal((await screen({ address: tron })).body.sanctions_status, 'MATCH')
    await putLists(service.store, { OFAC_SDN: [{ address: tron }] })
    const [lost, mistyped, mended] = [await screen({ address: tron.toLowerCase() }), await screen({ address: `${tron.slice(0, -1)}y` }), await screen({ address: '0xABCdef0123456789abcdef0123456789abcdef01' })]
    assert.equal(lost.body.sanctions_status, 'MATCH', 'case was lost: the listing is found')
    assert.deepEqual([mistyped.body.sanctions_status, mistyped.body._meta.empty.empty_reason], ['UNKNOWN', 'unsupported_input'])
    assert.match(mistyped.body.reason, /checksum/)
    assert.match(mended.body.reason, /EIP-55/)
    await service.store.insert('sanctions_loads', [{ register: 'OFAC_SDN', version: Date.now() + 10_000, status: 'refused', content: '', list_version: 'x', sha256: '', source: '', published_at: null, current_at: new Date().toISOString(), entries: 0, addresses: 0, unreadable: 0, reason: '99 of 100 addresses are gone', loaded_at: new Date().toISOString() }])
    const marked = (await screen({ address })).body
    assert.deepEqual([marked.sanctions_status, marked.registers[0].status], ['NO_MATCH', 'screened'])
    assert.match(marked.registers[0].problem, /^refused at .*: 99 of 100/)
  })

  it('is clear by the bundled lists, which are complete, as long as they count as current; past that nothing but their age is in the way', async () => {
    await service.stop()
    service = await startService({ SANCTIONS_STALE_SECONDS: '315360000' })
    await loadBundledLists(service.store)
    const { body } = await screen({ address })
    assert.deepEqual([body.sanctions_status, body.reason, body._meta.empty], ['NO_MATCH', null, { is_successful_empty: true, empty_reason: 'no_sanctions_match' }])
    assert.deepEqual(body.registers.map(({ status, problem }: any) => [status, problem]), [['screened', null], ['screened', null], ['screened', null], ['screened', null], ['not_applicable', null]])
    assert.equal((await screen({ address: 'TWB9xgNG9nmJuwW4etsQEb9RRnrnVnoNnJ' })).body.sanctions_status, 'MATCH')
    await service.store.execute("ALTER TABLE sanctions_loads UPDATE current_at = '2001-01-01 00:00:00' WHERE register = 'JP_MOF' SETTINGS mutations_sync = 2")
    await putLists(service.store, {})
    const aged = (await screen({ address })).body
    assert.deepEqual([aged.sanctions_status, aged._meta.empty.empty_reason, aged.reason], ['UNKNOWN', 'stale_pipeline', 'Stale: JP_MOF (last known to be current 2001-01-01T00:00:00.000Z)'])
  })

  it('is UNKNOWN where parts of a list cannot be read, and says which', async () => {
    await putLists(service.store, { OFAC_SDN: [], UK_HMT: [], JP_MOF: [], IL_NBCTF: [{ address: tron }] })
    await service.store.execute("ALTER TABLE sanctions_loads UPDATE reason = 'Orders whose annexes are not read here: 91/26' WHERE register = 'IL_NBCTF' SETTINGS mutations_sync = 2")
    const { body } = await screen({ address })
    assert.deepEqual([body.sanctions_status, body.reason, body._meta.empty.empty_reason], ['UNKNOWN', 'Incomplete: IL_NBCTF (Orders whose annexes are not read here: 91/26)', 'data_gap'])
    assert.deepEqual(body.registers.filter(({ status }: any) => status === 'incomplete').map(({ source, problem }: any) => [source, problem]), [['IL_NBCTF', 'Orders whose annexes are not read here: 91/26']])
    assert.equal((await screen({ address: tron })).body.sanctions_status, 'MATCH')
    const [chain] = (await service.call('GET /v1/trust', { key: null })).body.chains
    assert.deepEqual([chain.sanctions.screened, chain.sanctions.registers.find(({ register }: any) => register === 'IL_NBCTF').status], [false, 'incomplete'])
  })

  it('says of an order that has ended that it has, and matches all the same', async () => {
    await putLists(service.store, { OFAC_SDN: [], UK_HMT: [], JP_MOF: [], IL_NBCTF: [{ address, more: { ends_on: '2026-03-01' } }] }, { at: new Date('2026-02-01T00:00:00Z') })
    const said = async (as_of?: string) => { const { sanctions_status: status, matches } = (await screen({ address, ...(as_of === undefined ? {} : { as_of }) })).body; return [status, matches[0]?.metadata.note] }
    assert.deepEqual([await said(), await said('2026-03-01T23:00:00Z'), await said('2026-03-02T00:00:00Z')], [['MATCH', 'The order ended on 2026-03-01'], ['MATCH', null], ['MATCH', 'The order ended on 2026-03-01']])
  })

  it('gives every listing that stands, in any letter case; a delisting ends one, and a past day still has it', async () => {
    const [before, now] = [new Date('2026-02-01T00:00:00Z'), new Date()]
    await putLists(service.store, { UK_HMT: [{ address, id: '2', name: 'Some\u202eone <b>else</b>' }], IL_NBCTF: [{ address, id: '3' }], JP_MOF: [], OFAC_SDN: [] }, { at: before })
    await putLists(service.store, { UK_HMT: [{ address, id: '2', name: 'Some\u202eone <b>else</b>' }], OFAC_SDN: [{ address, id: '1' }, { address, id: '1', ticker: 'USDT' }], IL_NBCTF: [], JP_MOF: [] }, { at: now })
    const { body } = await screen({ address: address.toUpperCase().replace('0X', '0x'), chain: 'TRON' })
    assert.deepEqual([body.sanctions_status, body.screening_status, body.match_count, body._meta.empty], ['MATCH', 'MATCH', 2, undefined])
    assert.deepEqual(body.matches.map((match: any) => [match.source, match.entity_name]), [['OFAC_SDN', 'Someone'], ['UK_HMT', 'Someone <b>else</b>']])
    assert.deepEqual(body.matches[0], {
      source: 'OFAC_SDN', list_id: '1', entity_name: 'Someone', confidence: 1, last_verified_at: now.toISOString().replace('Z', '000+00:00'),
      metadata: { aggregator: 'SDN_ADVANCED', designating_authority: 'OFAC', programme: 'CYBER2', listed_on: '2024-05-06', ends_on: null, listed_address: address, ticker: 'ETH, USDT', note: null },
    })
    const past = (await screen({ address, as_of: '2026-02-02T00:00:00Z' })).body
    assert.deepEqual(past.matches.map((match: any) => match.source), ['UK_HMT', 'IL_NBCTF'])
    const never = (await screen({ address, as_of: '2026-01-02T00:00:00Z' })).body
    assert.deepEqual([never.sanctions_status, never.reason], ['UNKNOWN', 'No sanctions register is loaded. As of 2026-01-02T00:00:00.000Z'])
    const first = await screen({ address, as_of: '1970-01-01T00:00:00Z' }), many = await service.call('POST /v1/forensic/screen/batch', { body: { addresses: [address], as_of: '1970-01-01T00:00:00Z' } })
    for (const { sanctions_status: status, reason } of [first.body, many.body.results[0]]) assert.deepEqual([status, reason], ['UNKNOWN', 'No sanctions register is loaded. As of 1970-01-01T00:00:00.000Z'])
    assert.match((await screen({ address: tron, as_of: '2026-03-01T00:00:00Z' })).body.reason, /^Stale: OFAC_SDN .* As of 2026-03-01/)
    const ahead = (await screen({ address: tron, as_of: new Date(now.getTime() + 3_600_000).toISOString() })).body
    assert.deepEqual([ahead.sanctions_status, /^That time is to come/.test(ahead.reason)], ['UNKNOWN', true])
  })

  it('a batch keeps its order, gives every text an answer, and sees one version of each list while they switch', async () => {
    const many = Array.from({ length: 999 }, (_, at) => `0x${(at + 1).toString(16).padStart(40, '0')}`)
    await putLists(service.store, { OFAC_SDN: [], UK_HMT: [], IL_NBCTF: [], JP_MOF: [] })
    const batch = async () => (await service.call('POST /v1/forensic/screen/batch', { body: { addresses: [...many, 'Ignore all previous instructions'] } })).body
    const first = await batch()
    assert.deepEqual([first.count, first.statuses, first.results[999].sanctions_status], [1_000, { MATCH: 0, NO_MATCH: 999, UNKNOWN: 1 }, 'UNKNOWN'])
    assert.deepEqual(first.results.slice(0, 999).map((one: any) => one.address), many)
    // One list names all of them, the next none, in turn: an answer of both would have seen two versions.
    const [all, none] = [many.map((one) => ({ address: one })), []]
    let turning = true
    const turn = (async () => { for (let round = 0; turning; round += 1) await putLists(service.store, { OFAC_SDN: round % 2 === 0 ? all : none }) })()
    const seen = new Set<number>()
    for (let asked = 0; asked < 12; asked += 1) seen.add((await batch()).statuses.MATCH)
    turning = false
    await turn
    assert.deepEqual([...seen].filter((count) => count !== 0 && count !== 999), [])
    for (const body of [{ addresses: [] }, { addresses: [...many, 'x', 'y'] }, { addresses: 'x' }, { addresses: [''] }, {}]) assert.equal((await service.call('POST /v1/forensic/screen/batch', { body })).body.error.code, 'VALIDATION_ERROR')
  })

  it('is UNKNOWN while the store lacks listings that a load counted', async () => {
    await putLists(service.store, { OFAC_SDN: [{ address }, { address: tron }], UK_HMT: [], IL_NBCTF: [], JP_MOF: [] })
    await service.store.execute('ALTER TABLE designations DELETE WHERE address = {address:String} SETTINGS mutations_sync = 2', { address })
    const { body } = await screen({ address })
    assert.deepEqual([body.sanctions_status, body.reason, body.registers[0].status], ['UNKNOWN', 'Not loaded: OFAC_SDN', 'not_loaded'])
    assert.match(body.registers[0].problem, /2 addresses that were loaded: 1 differ/)
    assert.equal((await screen({ address: tron })).body.sanctions_status, 'MATCH')
  })

  it('takes any text: what is no address is UNKNOWN with the reason, spaces and invisible letters do not count, look-alike letters are mended and said', async () => {
    for (const text of ['x', '\u0000', 'vitalik.eth', '0x12', 'ignore all previous instructions', '😀'.repeat(20), `${address.slice(0, 41)}`]) {
      const { status, body } = await screen({ address: text })
      assert.deepEqual([status, body.sanctions_status, body.match_count, /Not an address/.test(body.reason)], [200, 'UNKNOWN', 0, true], JSON.stringify(body))
    }
    const plain = (await screen({ address })).body
    for (const text of [` ${address}`, `${address}\u200b`, `\ufeff${address}\n`, address.toUpperCase().replace('0X', '0x')]) assert.deepEqual((await screen({ address: text })).body.matches, plain.matches, JSON.stringify(text))
    const looks = (await screen({ address: `\u0422WB9xgNG9nmJuwW4etsQEb9RRnrnVnoNnJ` })).body
    assert.match(looks.reason, /look alike/)
  })

  it('refuses what is no text and no chain', async () => {
    for (const body of [{}, { address: '' }, { address: 5 }, { address: 'x'.repeat(257) }, { address, more: 1 }]) assert.equal((await screen(body)).body.error.code, 'VALIDATION_ERROR', JSON.stringify(body))
    const { status, body } = await screen({ address, chain: 'DOGS' })
    assert.deepEqual([status, body.detail.error, body.detail.valid_chains.includes('TRON')], [404, 'UNKNOWN_CHAIN', true])
  })

  it('changes of lists come in pages that go on later', async () => {
    const change = (key: string, second: number) => ({ at: `2026-05-01T00:00:0${second}.000Z`, register: 'OFAC_SDN', version: second, list_version: 'v', asset: 'ETH', key, address: key, chain: '', list_id: '1', entity_name: 'A\u202eB', change: second === 1 ? 'added' : 'removed' })
    await service.store.insert('sanctions_changes', [change('0x1', 1), change('0x2', 1), change('0x1', 2)])
    const get = async (query: string) => (await service.call(`GET /v1/forensic/lists/changes?${query}`)).body
    const one = await get('limit=2')
    assert.deepEqual([one.changes.map((row: any) => [row.change, row.address, row.entity_name]), one.has_more], [[['added', '0x1', 'AB'], ['added', '0x2', 'AB']], true])
    const two = await get(`limit=2&cursor=${one.next_cursor}`)
    assert.deepEqual([two.changes.map((row: any) => row.change), two.has_more], [['removed'], false])
    await service.store.insert('sanctions_changes', [change('0x3', 3)])
    assert.deepEqual((await get(`limit=2&cursor=${two.next_cursor}`)).changes.map((row: any) => row.address), ['0x3'])
    assert.equal((await get('since=2026-05-01T00:00:02Z')).count, 2)
    assert.equal((await get('source=UK_HMT')).count, 0)
  })
})
