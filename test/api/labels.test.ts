/** Labels with evidence, their changes, packs that an operator brings, and labels of one's own; on recorded blocks. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { deriveLabels } from '../../stages/index/classes/deriveLabels.js'
import { fillRecorded } from './support/recorded.js'
import { startService, type Service } from './support/service.js'

const pool = '0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640'
const mine = `0x${'4d'.repeat(20)}`

describe('labels', function () {
  this.timeout(120_000)
  let service: Service
  const get = async (path: string, key?: string): Promise<any> => (await service.call(`GET /v1/${path}`, key === undefined ? {} : { key })).body
  before(async () => {
    service = await startService()
    await fillRecorded(service.store, [12914944, 17034869, 22431083, 22431084])
    await deriveLabels(service.store, 'ETH')
  })
  after(() => service.stop())

  it('of a pool are read off the ledger, and name the rows they rest on', async () => {
    const { statements, own } = await get(`labels/ETH/${pool.toUpperCase().replace('0X', '0x')}`)
    assert.deepEqual(own, [])
    const found = statements.find(({ rule }: any) => rule === 'dex_pool')
    assert.deepEqual([found.label, found.classification, found.source, found.rule_version, found.confidence, found.confidence_level, found.valid_to], ['uniswap_v3 pool', 'dex', 'rules', 1, 100, 'ledger_immanent', null])
    assert.deepEqual([found.evidence.as_of_height, found.evidence.facts.factory], [22431084, '0x1f98431c8ad98523631ae4a59f267346ea31f984'])
    for (const { block_number: block, tx_hash: hash, position } of found.evidence.examples) {
      const seen = await service.store.query('SELECT count() AS count FROM logs WHERE block_number = {block:UInt64} AND log_index = {position:UInt32} AND tx_hash = unhex({hash:String})', { block, position, hash: hash.slice(2) }, z.object({ count: z.coerce.number() }))
      assert.deepEqual(seen, [{ count: 1 }])
    }
    assert.ok(statements.some(({ rule, classification }: any) => rule === 'contract' && classification === 'contract'))
    const nobody = await get(`labels/ETH/0x${'12'.repeat(20)}`)
    assert.deepEqual([nobody.statements, nobody._meta.empty], [[], { is_successful_empty: true, empty_reason: 'no_signal' }])
  })

  it('find wallets by the class a rule gave them, and by its text', async () => {
    const bots = await get('wallets?classification=mev_bot')
    assert.deepEqual(await get('wallets?label=mev%20BOT'), bots)
    assert.deepEqual(await get('wallets?label=mev%20BOT&classification=dex'), [])
    assert.deepEqual(bots.map(({ address, label, classification }: any) => [address, label, classification]), [['0xebeca48463abeecce7aeb15aae073da8a01b170d', 'MEV bot', 'mev_bot']])
    const wallet = await get('wallets/0xebeca48463abeecce7aeb15aae073da8a01b170d')
    assert.deepEqual([wallet.classes.includes('mev_bot'), wallet.labels.find(({ rule }: any) => rule === 'mev_bot').evidence.rows], [true, 2])
    assert.equal(new Set((await get('wallets?classification=dex&limit=100')).map(({ address }: any) => address)).size, 100)
  })

  it('find a wallet by the class that is shown of it: by none that a rule alone gives, where a label knows one', async () => {
    const bot = '0xebeca48463abeecce7aeb15aae073da8a01b170d'
    const said = (category: string, label: string, removed: boolean, version: number) => service.store.insert('labels', [{ chain: 'ETH', address: bot, label, entity: '', category, source: 'mine', rule: '', confidence: 50, licence: '', valid_from: '2020-01-01T00:00:00Z', removed, version }]).then(() => service.store.execute('SYSTEM RELOAD DICTIONARY label_of'))
    const found = async (query: string): Promise<any> => (await get(`wallets?${query}`)).filter(({ address }: any) => address === bot).map(({ label, classification }: any) => [label, classification])
    // Answers are kept for a while: another limit is another question.
    await said('fund', 'A fund of bots', false, 1)
    assert.deepEqual([await found('classification=mev_bot&limit=99'), await found('label=mev%20bot&limit=99'), await found('classification=fund'), await found('label=of%20BOTS')], [[], [], [['A fund of bots', 'fund']], [['A fund of bots', 'fund']]])
    const { label } = await get(`wallets/compliance/${bot}`)
    assert.equal(label.classification, 'fund')
    // A label that knows no class names it, and the rule classes it.
    await said('unknown', 'A fund of bots', false, 2)
    for (const query of ['classification=mev_bot&limit=98', 'label=of%20BOTS&limit=98', 'label=of%20BOTS&classification=mev_bot']) assert.deepEqual(await found(query), [['A fund of bots', 'mev_bot']], query)
    assert.deepEqual(await found('label=of%20BOTS&classification=unknown'), [])
    // What of its rules says less is not shown, and it is not found by it.
    const contracts = await get('wallets?classification=contract&limit=100'), pools = await get('wallets?classification=dex&limit=100')
    assert.deepEqual([contracts.length, contracts.filter(({ address }: any) => address === bot || pools.some((one: any) => one.address === address))], [100, []])
    await said('unknown', 'A fund of bots', true, 3)
    assert.deepEqual(await found('classification=mev_bot&limit=97'), [['MEV bot', 'mev_bot']])
  })

  it('of a register carry their level; sources that say otherwise are told', async () => {
    const tornado = await get('labels/ETH/0x12d66f87a04a9e220743712ce6d9bb1b5616b8fc')
    assert.deepEqual(tornado.statements.slice(0, 2).map(({ source, classification, confidence_level: level, official, dissent }: any) => [source, classification, level, official, dissent]), [
      ['hydrophone', 'mixer', 'service_data', true, []], ['graphsense-tagpacks', 'mixer', 'authority_data', false, []]])
    assert.deepEqual(tornado.statements.map(({ dissent }: any) => dissent).flat(), [], 'a mixer may be sanctioned as well, and no source contradicts itself')
    const said = (source: string, category: string, label: string) => ({ chain: 'ETH', address: `0x${'d1'.repeat(20)}`, label, entity: '', category, source, rule: '', confidence: 50, licence: '', valid_from: '2020-01-01T00:00:00Z', removed: false, version: 1 })
    await service.store.insert('labels', [said('one', 'mixer', 'a mixer'), said('one', 'scam', 'a scam'), said('other', 'exchange', 'an exchange'), said('third', 'sanctioned', 'on a list')])
    const disputed = await get(`labels/ETH/0x${'d1'.repeat(20)}`)
    assert.deepEqual(Object.fromEntries(disputed.statements.map(({ classification, dissent }: any) => [classification, dissent])), { mixer: ['other'], scam: ['other'], exchange: ['one'], sanctioned: [] })
    const before = await get('labels/ETH/0x12d66f87a04a9e220743712ce6d9bb1b5616b8fc?known_at=2020-01-01T00:00:00Z')
    assert.deepEqual([before.statements, before._meta.empty], [[], { is_successful_empty: false, empty_reason: 'data_gap' }], 'no run had landed by then')
  })

  it('come as changes by cursor, none twice and none left out; what comes later follows', async () => {
    const all: any[] = []
    let cursor = ''
    for (let more = true; more;) {
      const page: any = await get(`labels/changes?source=rules&limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`)
      all.push(...page.changes)
      cursor = page.next_cursor
      more = page.has_more
    }
    const counts = Object.fromEntries(['contract', 'dex_pool', 'mev_bot', 'exchange_hot'].map((rule) => [rule, all.filter((one) => one.rule === rule).length]))
    assert.deepEqual(counts, { contract: 251, dex_pool: 53, mev_bot: 1, exchange_hot: 0 })
    const [emitters] = await service.store.query(`SELECT toUInt32(uniqExact(address)) AS count FROM (SELECT address FROM logs UNION ALL SELECT contract_address FROM transactions WHERE creates_contract AND status = 1)`, {}, z.object({ count: z.number() }))
    assert.equal(emitters?.count, 251)
    assert.equal(new Set(all.map(({ address, label }) => `${address} ${label}`)).size, all.length)
    assert.deepEqual((await get(`labels/changes?source=rules&cursor=${cursor}`)).changes, [])
    assert.equal((await get('labels/changes?source=Rules'))._meta.empty.empty_reason, 'unsupported_input')
    assert.notEqual((await get(`labels/changes?source=rules&cursor=${cursor}`))._meta.empty.empty_reason, 'unsupported_input')
  })

  it('of a pack are taken from an administrator only, change what is known now and not what was known then', async () => {
    const body = { name: 'mine', tagpack: `title: My pack\nconfidence: forensic_investigation\ncurrency: ETH\nsource: https://example.org/why\ntags:\n- {address: ${mine}, label: Some fund, category: fund, actor: somefund}\n` }
    assert.equal((await service.call('POST /v1/labels/import', { body })).status, 403)
    const wrong = await service.call('POST /v1/labels/import', { key: service.adminKey, body: { name: 'mine', tagpack: 'title: t\ntags:\n- {address: 0x12, label: a, currency: ETH}' } })
    assert.deepEqual([wrong.status, wrong.body.error.code, wrong.body.error.details[0].loc], [422, 'TAGPACK_REFUSED', ['tagpack', 'tags', 0]])
    const done = await service.call('POST /v1/labels/import', { key: service.adminKey, body })
    assert.deepEqual([done.status, done.body.source, done.body.labels], [201, 'import:mine', 1])
    const [statement] = (await get(`labels/ETH/${mine}`)).statements
    assert.deepEqual([statement.label, statement.entity, statement.source, statement.confidence_level, statement.reference, statement.known_since], ['Some fund', 'somefund', 'import:mine', 'forensic_investigation', 'https://example.org/why', null])
    const moment = new Date().toISOString()
    const emptyThen = async (address: string, at: string) => (await get(`labels/ETH/${address}?known_at=${at}`))._meta.empty
    assert.deepEqual(await emptyThen(mine, moment), { is_successful_empty: false, empty_reason: 'data_gap' }, 'the pack was there, and is history from the next run on')
    await deriveLabels(service.store, 'ETH')
    const changes = (await get('labels/changes?source=import:mine')).changes
    assert.deepEqual(changes.map(({ action, address, version }: any) => [action, address, version]), [['added', mine, 2]])
    assert.deepEqual([(await get(`labels/ETH/${mine}?known_at=${moment}`)).statements.length, (await get(`labels/ETH/${mine}?known_at=${new Date().toISOString()}`)).statements.length], [0, 1])
    assert.deepEqual([await emptyThen(mine, moment), await emptyThen(`0x${'12'.repeat(20)}`, new Date().toISOString())].map(({ empty_reason: why }: any) => why), ['data_gap', 'no_signal'])
    // A name in another case is the same entity, in its list and in its sums.
    const before = (await get('entity/binance')).entity
    await service.call('POST /v1/labels/import', { key: service.adminKey, body: { name: 'cased', tagpack: `title: t\ncurrency: ETH\ntags:\n- {address: 0x${'cd'.repeat(20)}, label: l, category: exchange, actor: BinAnce}\n` } })
    const named = (await get('entity/list?limit=500')).entities.filter(({ name }: any) => name.toLowerCase() === 'binance')
    assert.deepEqual(named.map(({ name, addresses }: any) => [name, addresses]), [['binance', before.address_count + 1]])
    assert.equal((await get('entity/BINANCE')).entity.address_count, before.address_count + 1)
    await service.call('POST /v1/labels/import', { key: service.adminKey, body: { name: 'cased', tagpack: 'title: t\ntags: []' } })
    await service.call('POST /v1/labels/import', { key: service.adminKey, body: { name: 'mine', tagpack: 'title: t\ntags: []' } })
    await deriveLabels(service.store, 'ETH')
    assert.deepEqual((await get(`labels/changes?source=import:mine&since_version=2`)).changes.map(({ action }: any) => action), ['removed'])
    assert.deepEqual((await get(`labels/ETH/${mine}`)).statements, [])
  })

  it('are known since they came: a change of what a pack says, and a question about then, make them no younger; one that was gone came again', async () => {
    const sure = (confidence: string): Promise<unknown> => service.call('POST /v1/labels/import', { key: service.adminKey, body: { name: 'steady', tagpack: `title: t\nconfidence: ${confidence}\ncurrency: ETH\ntags:\n- {address: 0x${'5d'.repeat(20)}, label: l, category: fund}\n` } })
    const known = async (at = ''): Promise<[string, string]> => { const [one] = (await get(`labels/ETH/0x${'5d'.repeat(20)}${at}`)).statements; return [one.confidence_level, one.known_since] }
    await sure('forensic')
    await deriveLabels(service.store, 'ETH')
    const [, first] = await known()
    await sure('ownership')
    await deriveLabels(service.store, 'ETH')
    const moment = new Date(Date.now() + 1_000).toISOString()
    assert.deepEqual([await known(), await known(`?known_at=${moment}`), await known(`?known_at=${first}`)], [['ownership', first], ['ownership', first], ['forensic', first]])
    await service.call('POST /v1/labels/import', { key: service.adminKey, body: { name: 'steady', tagpack: 'title: t\ntags: []' } })
    await deriveLabels(service.store, 'ETH')
    await sure('ownership')
    await deriveLabels(service.store, 'ETH')
    const [, again] = await known()
    assert.ok(again > first)
    assert.deepEqual([await known(`?known_at=${new Date(Date.now() + 2_000).toISOString()}`), await known(`?known_at=${first}`)], [['ownership', again], ['forensic', first]])
    await service.call('POST /v1/labels/import', { key: service.adminKey, body: { name: 'steady', tagpack: 'title: t\ntags: []' } })
    await deriveLabels(service.store, 'ETH')
  })

  it('of one\'s own are in one\'s own answers only', async () => {
    const other = await service.api.parts.services.keys.issue({ name: 'other', role: 'agent', tier: 'free', rate_limit: 1_000_000, daily_cap: 0, scopes: ['read'], source_ip: '' })
    await service.call('POST /v1/tags', { body: { event_id: 'e1', label: 'my whale', chain: 'ETH', address: pool } })
    assert.deepEqual((await get(`labels/ETH/${pool}`)).own.map(({ label }: any) => label), ['my whale'])
    assert.deepEqual((await get(`labels/ETH/${pool}`, other.key)).own, [])
  })

  it('rules are listed with the scale of 14 levels', async () => {
    const { rules, classes, confidence_levels: levels } = await get('labels/rules')
    const by = (name: string): any => classes.find(({ classification }: any) => classification === name)
    assert.deepEqual([by('fund').by_rules, by('bridge').by_rules, by('whale').by_rules, by('dex').by_rules], [[], [], ['whale'], ['dex_pool']])
    assert.deepEqual([rules.length, levels.length], [9, 14])
    const [row] = await service.store.query('SELECT groupArray((level, score)) AS told FROM (SELECT toString(level) AS level, score FROM confidence_levels ORDER BY place)', {}, z.object({ told: z.array(z.tuple([z.string(), z.number()])) }))
    assert.deepEqual(row?.told, levels.map(({ level, score }: any) => [level, score]))
  })

  it('that are equally sure go by hand before official ones, and those before the rest, however old they are', async () => {
    const address = `0x${'d2'.repeat(20)}`
    const said = (source: string, more: object) => ({ chain: 'ETH', address, label: source, entity: 'Three Sayings', category: source, source, rule: '', confidence: 100, licence: '', removed: false, version: 1, ...more })
    const rest = said('bridge', { level: 'ownership', valid_from: '2024-01-01T00:00:00Z' }), published = said('mixer', { level: 'service_data', confidence: 50, official: true, valid_from: '2022-01-01T00:00:00Z' }), byHand = said('fund', { level: 'override', valid_from: '2020-01-01T00:00:00Z' })
    for (const [rows, order] of [[[rest, published], ['mixer', 'bridge']], [[byHand], ['fund', 'mixer', 'bridge']]] as const) {
      await service.store.insert('labels', rows)
      await service.store.execute('SYSTEM RELOAD DICTIONARY label_of')
      assert.deepEqual((await get(`labels/ETH/${address}`)).statements.map(({ source }: any) => source), order)
      const chosen = await service.store.query(`SELECT dictGet('label_of', 'category', ('ETH', {address:String})) AS category`, { address }, z.object({ category: z.string() }))
      assert.equal(chosen[0]?.category, order[0])
      assert.equal((await get(`wallets/compliance/${address}`)).label.classification, order[0])
    }
    await deriveLabels(service.store, 'ETH', { always: true })
    assert.deepEqual((await get(`labels/ETH/${address}?known_at=${new Date(Date.now() + 1_000).toISOString()}`)).statements.map(({ source }: any) => source), ['fund', 'mixer', 'bridge'])
    const { entity } = await get('entity/three%20sayings')
    assert.deepEqual(entity.addresses.map(({ label, classification, official, confidence }: any) => [label, classification, official, confidence]), [['fund', 'fund', false, 100]])
    const [tornado] = (await get('entity/tornado')).entity.addresses
    assert.equal(tornado.official, true)
  })

  it('are 1,000 at most, and it is said where there are more', async () => {
    const address = `0x${'d3'.repeat(20)}`, many = (from: number, to: number) => service.store.execute(`INSERT INTO labels (chain, address, label, category, source, confidence, valid_from, removed, version)
      SELECT 'ETH', {address:String}, concat('L', toString(number)), 'service', 'many', 50, toDateTime64('2020-01-01 00:00:00', 3, 'UTC'), false, 1 FROM numbers({from:UInt32}, {count:UInt32})`, { address, from, count: to - from })
    const told = async (): Promise<unknown> => { const { statements, coverage_status: { warnings } } = await get(`labels/ETH/${address}`); return [statements.length, warnings.filter((one: string) => /1,000/.test(one)).length] }
    await many(0, 1_000)
    assert.deepEqual(await told(), [1_000, 0])
    await many(1_000, 1_001)
    assert.deepEqual(await told(), [1_000, 1])
  })

  it('noted twice under one version count as noted last, and come both, in that order', async () => {
    const address = `0x${'9a'.repeat(20)}`, change = (action: string, category: string, at: string) => ({
      chain: 'ETH', address, source: 'import:twice', label: 'L', version: 90, action, at, entity: '', category, rule: '', rule_version: 1, level: 'forensic', confidence: 50, licence: '', reference: '', valid_from: '2020-01-01T00:00:00Z', valid_to: null, height: 0, epoch: 0, evidence_rows: 0, first_block: 0, last_block: 0, value_usd: null, examples: [], facts: {},
    })
    await service.store.insert('label_changes', [change('added', 'mixer', '2026-01-01T00:00:00.001Z')])
    await service.store.insert('label_changes', [change('changed', 'fund', '2026-01-01T00:00:00.002Z')])
    await service.store.insert('label_runs', [{ chain: 'ETH', version: 90, step: 'landed', attempt: 2, writer: '', height: 0, epoch: 0, basis: '', changes: 0, at: '2026-01-01T00:00:00.003Z' }])
    const first = await get('labels/changes?source=import:twice&limit=1'), second = await get(`labels/changes?source=import:twice&limit=1&cursor=${first.next_cursor}`), end = await get(`labels/changes?source=import:twice&limit=1&cursor=${second.next_cursor}`)
    assert.deepEqual([first, second, end].map(({ changes, has_more: more }) => [changes.map(({ action, classification }: any) => `${action} ${classification}`), more]), [[['added mixer'], true], [['changed fund'], false], [[], false]])
    assert.deepEqual((await get(`labels/ETH/${address}?known_at=2026-02-01T00:00:00Z`)).statements.map(({ classification }: any) => classification), ['fund'])
    // A cursor as it was before, without a time, follows behind the whole label.
    const old = service.api.parts.services.cursors.write('list_label_changes', { chain: null, source: 'import:twice', since_version: 0 }, [90, 'ETH', address, 'import:twice', 'L'])
    assert.deepEqual((await get(`labels/changes?source=import:twice&limit=1&cursor=${old}`)).changes, [])
  })

  it('of a chain that is not indexed were not looked for: nothing there is no evidence', async () => {
    const sanctioned = '0x098b716b8aaf21512996dc57eb0615e2383e2f96'
    assert.ok((await get(`labels/ETH/${sanctioned}`)).statements.length > 0)
    for (const chain of ['MATIC', 'ARB', 'BASE', 'OP', 'AVAX']) {
      const { statements, _meta: { empty } } = await get(`labels/${chain}/${sanctioned}`)
      assert.deepEqual([statements, empty.is_successful_empty, ['data_gap', 'unsupported_input'].includes(empty.empty_reason)], [[], false, true], `${chain} ${JSON.stringify(empty)}`)
    }
  })

  it('beyond 50 of one address are all there, with a true total', async () => {
    const address = `0x${'5c'.repeat(20)}`
    await service.store.execute("INSERT INTO labels (chain, address, label, entity, category, source, rule, confidence, licence, valid_from, removed, version) SELECT 'ETH', {address:String}, concat('label ', toString(number)), '', if(number = 69, 'scam', 'exchange'), concat('import:', toString(number)), '', if(number = 69, 1, 50), '', '2020-01-01 00:00:00', false, 1 FROM numbers(70)", { address })
    const { statements } = await get(`labels/ETH/${address}`)
    assert.deepEqual([statements.length, statements[0].dissent, (await get(`labels/ETH/${address}?offset=60`)).statements.length, (await get(`labels/ETH/${address}?offset=70`)).error?.message], [70, ['import:69'], 10, 'There are 70 rows: offset passes over all of them'])
  })
})
