/** Watch lists and their feed: whose they are, what is told, what a reorg takes back, what changes of sanctions lists say. */
import assert from 'node:assert/strict'
import { pino } from 'pino'
import { z } from 'zod'
import { normalAddress } from '../../schemas/addresses/normalAddress.js'
import { findChain } from '../../schemas/chains.js'
import { alertStatements } from '../../stages/alert/statements.js'
import { enrichStatements } from '../../stages/enrich/statements.js'
import { indexStatements } from '../../stages/index/statements.js'
import { openFeed } from '../../stages/monitor/raiseAlerts.js'
import { applyRollback } from '../../stages/rollback.js'
import type { ChainModule } from '../../stages/stage.js'
import { at, coin, majors, putBlocks, putMoves, putTokens, run, units, usdc, usdt } from '../enrich/handmade.js'
import { startService, type Service } from './support/service.js'

const [mine, theirs, mixer, listed] = [at('a1'), at('b1'), at('77'), at('5d')]
const bitcoin = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', tron = 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf', cash = 'qpf2cphc5dkuclkqur7lhj2yuqq9pk3hmukle77vhq'

describe('watched addresses', function () {
  this.timeout(120_000)
  let service: Service, key: string, other: string, list: string
  const logged: string[] = []
  const call = (target: string, body?: unknown, as = key) => service.call(target, { key: as, ...(body === undefined ? {} : { body }) })
  const alerts = async (query = '', as = key): Promise<any> => (await call(`GET /v1/monitoring/alerts${query}`, undefined, as)).body
  const told = async (query = '?after=0'): Promise<unknown[]> => (await alerts(query)).alerts.map((one: any) => [one.event, one.address, one.direction, one.counterparty, one.severity, one.amount])
  const index = (from: number, to: number, generation = 0) => run(service.store, [...enrichStatements, ...indexStatements, ...alertStatements], [[from, to]], generation)
  const change = (version: number, what: string, address = mine, asset = 'ETH') => ({
    at: new Date(Date.now() + version).toISOString(), register: 'OFAC_SDN', version, list_version: `v${version}`, asset, key: address.toLowerCase(), address, chain: 'ETH', list_id: '12345', entity_name: 'Some\u202e Body', change: what,
  })
  const designation = (address: string, ticker: string) => ({
    register: 'OFAC_SDN', content: 'c', key: normalAddress(address).key, list_id: '12345', ticker, address, also: normalAddress(address).also, chain: '', repaired: '', unreadable: '', entity_name: 'Some Body', programme: '', designating_authority: '', aggregator: '', listed_on: null, ends_on: null, confidence: 1,
  })
  let feed: ReturnType<typeof openFeed>

  before(async () => {
    service = await startService({}, { log: pino({ level: 'info' }, { write: (line: string) => { logged.push(line) } }) })
    const issue = async (name: string, tier: string) => (await service.api.parts.services.keys.issue({ name, role: 'agent', tier, rate_limit: 1_000_000, daily_cap: 0, scopes: ['read'], source_ip: '' })).key
    key = await issue('one', 'compliance')
    other = await issue('two', 'compliance')
    feed = openFeed(service.store)
    await putTokens(service.store, majors)
    await service.store.insert('labels', [{ chain: 'ETH', address: mixer, label: 'A Mixer', entity: '', category: 'mixer', source: 'test', rule: '', confidence: 90, licence: '', valid_from: '2020-01-01T00:00:00Z', removed: false, version: 1 }])
    await service.store.execute('SYSTEM RELOAD DICTIONARY label_of')
  })
  after(() => service.stop())

  it('nothing is looked for while nobody watches', async () => {
    await putBlocks(service.store, 1, 1)
    await putMoves(service.store, [{ n: 1, position: 1, token: usdc, from: theirs, to: mine, amount: units(5, 6) }])
    await index(1, 1)
    assert.equal(await feed.movements('ETH'), null)
    assert.equal(await feed.listings(), 0)
    const { body } = await call('GET /v1/monitoring/alerts')
    assert.deepEqual([body.count, body.watched, body._meta.empty], [0, 0, { is_successful_empty: false, empty_reason: 'data_gap' }])
  })

  it('lists belong to their key: another key gets 404, a lower tier none', async () => {
    const refused = await call('POST /v1/monitoring/lists', { name: 'x' }, service.agentKey)
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'TIER_REQUIRED'])
    const made = await call('POST /v1/monitoring/lists', { name: 'Mi\u202ene', addresses: [mine.toUpperCase().replace('0X', '0x'), bitcoin, tron, mine], min_usd: 1 })
    assert.deepEqual([made.status, made.body.name, made.body.addresses], [201, 'Mine', 3])
    list = made.body.list_id
    const { watched, next_cursor: next } = (await call(`GET /v1/monitoring/lists/${list}?limit=2`)).body
    const rest = (await call(`GET /v1/monitoring/lists/${list}?limit=2&cursor=${next}`)).body
    assert.deepEqual([...watched, ...rest.watched].map((one: any) => [one.address, one.chain]), [[mine, 'ETH'], [bitcoin, 'BTC'], [tron, null]])
    for (const target of [`GET /v1/monitoring/lists/${list}`, `DELETE /v1/monitoring/lists/${list}`, `DELETE /v1/monitoring/lists/${list}/addresses/${mine}`]) assert.equal((await call(target, undefined, other)).status, 404, target)
    assert.equal((await call(`POST /v1/monitoring/lists/${list}/addresses`, { addresses: [mine] }, other)).status, 404)
    assert.equal((await call('GET /v1/monitoring/lists', undefined, other)).body.count, 0)
    assert.equal((await call(`POST /v1/monitoring/lists/${list}/addresses`, { addresses: [mine, theirs] })).body.added, 1)
    assert.equal((await call(`DELETE /v1/monitoring/lists/${list}/addresses/${theirs}`)).status, 204)
    assert.equal((await call(`DELETE /v1/monitoring/lists/${list}/addresses/${theirs}`)).status, 404)
    // Who watches what is told to nobody: neither by what is written down nor by the log, whatever became of the request.
    assert.equal((await call(`DELETE /v1/monitoring/lists/${list}/addresses/${theirs}`, undefined, 'no key')).status, 401)
    assert.equal((await call(`DELETE /v1/monitoring/lists/${list}/addresses/${theirs}%zz`)).status, 422)
    const written = await service.store.query("SELECT subject, detail, outcome FROM audit WHERE action = 'remove_watched_address' ORDER BY at", {}, z.object({ subject: z.string(), detail: z.string(), outcome: z.string() }))
    assert.deepEqual(written, ['NOT_FOUND', 'ok', 'NOT_FOUND'].map((outcome) => ({ subject: list, detail: JSON.stringify({ list_id: list }), outcome })))
    const removals = logged.filter((line) => line.includes('/addresses/'))
    assert.ok(removals.length >= 5 && removals.every((line) => line.includes(`/v1/monitoring/lists/${list}/addresses/…`)), removals.join(''))
    // Nor who looks into whom: a report is read by whoever has its hash.
    const hash = 'ab'.repeat(32)
    for (const path of [`/v1/verify/${hash}`, `/v1/verify/${hash}/signed`, `/v1/reports/${hash}`]) await call(`GET ${path}`)
    assert.deepEqual([...new Set(logged.filter((line) => /v1\/(verify|reports)/.test(line)).map((line) => /"path":"([^"]*)"/.exec(line)?.[1]))], ['/v1/verify/ababababab…', '/v1/verify/ababababab…/signed', '/v1/reports/ababababab…'])
    const from = logged.length, unnamed = 'somebody.of.another.chain', old = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT'
    for (const path of [`wallets/${theirs}`, `wallets/${theirs}/pnl`, `wallets/compliance/${theirs}`, `wallets/compliance/${unnamed}`, `wallets/trail/${theirs}/graph`, `forensic/abuse/${old}`, `labels/ETH/${theirs}`, `tags/event/${theirs}`, `feed/hl/trader/${theirs}`,
      `feed/action/0x${hash}/hops`, 'blocks/ETH/1', `wallet/${theirs}`, `wallets/${theirs}/nothing`]) await call(`GET /v1/${path}`)
    await call(`GET /v1/wallets/compliance/${unnamed}`, undefined, 'no key')
    await call(`POST /v1/wallets/compliance/${unnamed}`, {})
    assert.deepEqual(logged.slice(from).flatMap((line) => /"path":"\/v1\/([^"]*)"/.exec(line)?.[1] ?? []), ['wallets/…', 'wallets/…/pnl', 'wallets/compliance/…', 'wallets/compliance/…', 'wallets/trail/…/graph', 'forensic/abuse/…', 'labels/ETH/…', 'tags/event/…', 'feed/hl/trader/…',
      'feed/action/…/hops', 'blocks/ETH/1', 'wallet/…', 'wallets/…/nothing', 'wallets/compliance/…', 'wallets/compliance/…'])
    for (const line of logged) assert.ok(!line.includes(theirs) && !line.includes(mine) && !line.includes(unnamed) && !line.includes(old), line)
    for (const addresses of [[], [at('0')], ['x'], Array.from({ length: 1_001 }, (_, n) => at(n.toString(16)))]) assert.equal((await call(`POST /v1/monitoring/lists/${list}/addresses`, { addresses })).status, 422)
  })

  it('a list says of how many of its addresses no transfers are told: when it is made, added to and read', async () => {
    const warned = (count: number): string[] => [`Addresses on lists that are of no chain that is followed here: ${count}. Of these sanctions listings are told, and no transfers`]
    const made = (await call('POST /v1/monitoring/lists', { name: 'said', addresses: [theirs, tron] })).body, of = `/v1/monitoring/lists/${made.list_id}`
    const all = async (): Promise<unknown> => (await call('GET /v1/monitoring/lists')).body.lists.find((one: any) => one.list_id === made.list_id).warnings
    assert.deepEqual([made.warnings, await all(), (await call(`GET ${of}`)).body.warnings], [warned(1), warned(1), warned(1)])
    // What is on the list already is not counted again.
    assert.deepEqual((await call(`POST ${of}/addresses`, { addresses: [tron, cash, mine] })).body.warnings, warned(2))
    for (const gone of [tron, cash]) assert.equal((await call(`DELETE ${of}/addresses/${gone}`)).status, 204)
    assert.deepEqual([await all(), (await call(`GET ${of}`)).body.warnings, (await call(`POST ${of}/addresses`, { addresses: [mine] })).body.warnings], [[], [], []])
    assert.deepEqual((await call('POST /v1/monitoring/lists', { name: 'none' }, other)).body.warnings, [])
    for (const one of (await call('GET /v1/monitoring/lists', undefined, other)).body.lists) assert.equal((await call(`DELETE /v1/monitoring/lists/${one.list_id}`, undefined, other)).status, 204)
    assert.equal((await call(`DELETE ${of}`)).status, 204)
  })

  it('transfers are told once, with the counterparty\'s class; small ones, others\' and zero amounts are not', async () => {
    await putBlocks(service.store, 2, 3)
    await putMoves(service.store, [
      { n: 2, position: 1, token: usdc, from: theirs, to: mine, amount: units(500, 6) }, { n: 2, position: 2, token: usdc, from: theirs, to: mine, amount: units(0.5, 6) }, { n: 2, position: 3, token: usdc, from: theirs, to: at('c1'), amount: units(900, 6) },
      { n: 3, position: 1, token: usdc, from: mine, to: mixer, amount: units(70, 6) }, { n: 3, position: 2, token: usdt, from: mine, to: theirs, amount: '0' }, { n: 3, position: 3, token: at('ff'), from: mine, to: theirs, amount: '7' },
    ])
    await index(2, 3)
    assert.deepEqual(await feed.movements('ETH'), { transfers: 3, retracted: 0 })
    assert.equal(await feed.movements('ETH'), null)
    assert.equal(await openFeed(service.store).movements('ETH'), null, 'nor by another process')
    assert.deepEqual(await told(), [['transfer', mine, 'in', theirs, 'info', '500000000'], ['transfer', mine, 'out', mixer, 'high', '70000000'], ['transfer', mine, 'out', theirs, 'info', '7']])
    assert.equal((await alerts('', other)).count, 0)
    const [newest] = (await alerts('?limit=1')).alerts
    assert.deepEqual([newest.amount, newest.value_usd, newest.block_number, newest.list_id], ['7', null, 3, list])
  })

  it('the feed is read on from a position, in pages that neither repeat nor miss', async () => {
    const all = (await alerts('?after=0')).alerts
    const pages: unknown[] = []
    for (let query = '?after=0&limit=1'; ;) {
      const { alerts: page, next_cursor: next, has_more: more } = await alerts(query)
      pages.push(...page)
      assert.equal(more, next !== null)
      if (next === null) break
      query = `?after=0&limit=1&cursor=${next}`
    }
    assert.deepEqual(pages, all)
    assert.deepEqual((await alerts(`?after=${all[1].position}`)).alerts, all.slice(2))
    assert.deepEqual((await alerts(`?after=${all[2].position}`))._meta.empty.empty_reason, 'stale_pipeline')
  })

  it('a reorg takes back what was told, and what comes again is told again', async () => {
    await applyRollback(service.store, { chain: findChain('ETH') } as ChainModule, { seq: 1, from_block: 3, generation: 1 }, { always: true })
    assert.deepEqual(await feed.movements('ETH'), { transfers: 0, retracted: 2 })
    assert.equal(await feed.movements('ETH'), null)
    const taken = (await alerts('?event=retracted')).alerts, first = (await alerts('?event=transfer&after=0')).alerts
    assert.deepEqual(taken.map((one: any) => one.alert_id).sort(), first.slice(1).map((one: any) => one.alert_id).sort())
    await putBlocks(service.store, 3, 3, 1)
    await putMoves(service.store, [{ n: 3, position: 1, token: usdc, from: mine, to: mixer, amount: units(70, 6), generation: 1 }])
    await index(3, 3, 1)
    assert.deepEqual(await feed.movements('ETH'), { transfers: 1, retracted: 0 })
    assert.deepEqual((await alerts('?limit=1')).alerts.map((one: any) => [one.event, one.alert_id]), [['transfer', first[1].alert_id]])
  })

  it('changes of sanctions lists are told: what is listed when it is added, a listing later, a delisting; once each', async () => {
    await service.store.insert('sanctions_changes', [change(1, 'added', listed), change(1, 'added', listed, 'USDT'), change(2, 'added', at('99')), change(3, 'removed', at('99'))].map((row) => ({ ...row, at: '2026-01-01T00:00:00.000Z' })))
    await call(`POST /v1/monitoring/lists/${list}/addresses`, { addresses: [listed, at('99')] })
    assert.equal(await feed.listings(), 1)
    assert.equal(await feed.listings(), 0)
    await service.store.insert('designations', [designation(tron, 'TRX'), designation(cash, 'BCH')])
    await service.store.insert('sanctions_changes', [change(5, 'added'), change(5, 'added', tron)])
    assert.equal(await feed.listings(), 2)
    await service.store.insert('sanctions_changes', [change(6, 'removed')])
    assert.equal(await feed.listings(), 1)
    const { alerts: rows } = await alerts('?limit=4')
    assert.deepEqual(rows.map((one: any) => [one.event, one.address, one.severity, one.list_version, one.entity_name, one.amount]).sort(), [
      ['delisted', mine, 'info', 'v6', 'Some Body', null], ['listed', listed, 'critical', 'v1', 'Some Body', null], ['listed', mine, 'critical', 'v5', 'Some Body', null], ['listed', tron, 'critical', 'v5', 'Some Body', null],
    ].sort())
  })

  it('an address that loses one of two assets of a designation stays listed; one in another form is found as lists have it', async () => {
    await service.store.insert('sanctions_changes', [change(8, 'removed', listed, 'USDT'), change(8, 'added', at('98')), change(8, 'added', at('98'), 'XBT'), change(9, 'removed', at('98'), 'XBT'), change(9, 'added', at('98'), 'BTC')])
    assert.equal(await feed.listings(), 0)
    await service.store.insert('sanctions_changes', [change(8, 'added', cash, 'BCH')])
    assert.equal((await call(`POST /v1/monitoring/lists/${list}/addresses`, { addresses: [at('98'), `bitcoincash:${cash}`] })).body.added, 2)
    assert.equal(await feed.listings(), 2)
    assert.deepEqual((await told('?limit=2')).map((one: any) => one.slice(0, 2)).sort(), [['listed', at('98')], ['listed', cash]].sort())
    for (const address of [at('98'), `bitcoincash:${cash}`]) assert.equal((await call(`DELETE /v1/monitoring/lists/${list}/addresses/${address}`)).status, 204)
  })

  it('a listing of one text of a key is told to who watches another: TRON as Ethereum writes it, Bitcoin Cash as Bitcoin did', async () => {
    const [ethereum, legacy] = [normalAddress(tron).also[0] ?? '', '18Y8VPic2pZsvyLaYVdSLQdCuT2nAJJ3hd']
    assert.equal((await call(`POST /v1/monitoring/lists/${list}/addresses`, { addresses: [ethereum, legacy] })).body.added, 2)
    assert.equal(await feed.listings(), 2)
    assert.deepEqual((await told('?limit=2')).map((one: any) => one.slice(0, 2)).sort(), [['listed', ethereum], ['listed', legacy]].sort())
    for (const address of [ethereum, legacy]) assert.equal((await call(`DELETE /v1/monitoring/lists/${list}/addresses/${address}`)).status, 204)
  })

  it('what looks like an address and is mistyped is refused with what is wrong, and nothing is added', async () => {
    const refused = await call(`POST /v1/monitoring/lists/${list}/addresses`, { addresses: [at('97'), tron.replace('X', 'Y'), '0x52908400098527886E0F7030069857D2E4169Ee7'] })
    assert.equal(refused.status, 422)
    assert.match(JSON.stringify(refused.body), /checksum of base58check is wrong.*EIP-55/)
    assert.ok(!JSON.stringify((await call(`GET /v1/monitoring/lists/${list}`)).body).includes(at('97')))
  })

  it('a transfer with a listed address is critical', async () => {
    await putBlocks(service.store, 4, 4, 1)
    await putMoves(service.store, [{ n: 4, position: 1, token: usdc, from: listed, to: mine, amount: units(50, 6), generation: 1 }])
    await index(4, 4, 1)
    assert.deepEqual(await feed.movements('ETH'), { transfers: 2, retracted: 0 })
    assert.deepEqual((await told('?limit=2')).map((one: any) => one.slice(0, 5)).sort(), [['transfer', listed, 'out', mine, 'info'], ['transfer', mine, 'in', listed, 'critical']].sort())
  })

  it('so is one with an address that a list names in another text of the same key', async () => {
    const twin = normalAddress(tron).also[0] ?? ''
    await putBlocks(service.store, 5, 5, 1)
    await putMoves(service.store, [{ n: 5, position: 1, token: usdc, from: mine, to: twin, amount: units(60, 6), generation: 1 }])
    await index(5, 5, 1)
    assert.deepEqual(await feed.movements('ETH'), { transfers: 1, retracted: 0 })
    assert.deepEqual((await told('?limit=1')).map((one: any) => one.slice(0, 5)), [['transfer', mine, 'out', twin, 'critical']])
  })

  it('of what a token that no list names says it is told, too, and no more than told: anybody may make one say so', async () => {
    await putBlocks(service.store, 6, 6, 1)
    await putMoves(service.store, [[1, listed, at('ff')], [2, mixer, at('ff')], [3, mixer, coin]].map(([position, from = '', token = '']) => ({ n: 6, position: Number(position), token: String(token), from: String(from), to: mine, amount: units(70, 18), kind: token === coin ? 'native' : 'erc20', generation: 1 })))
    await index(6, 6, 1)
    assert.deepEqual(await feed.movements('ETH'), { transfers: 4, retracted: 0 })
    assert.deepEqual((await told('?limit=4')).map((one: any) => one.slice(0, 5)).sort(), [['transfer', listed, 'out', mine, 'info'], ['transfer', mine, 'in', listed, 'info'], ['transfer', mine, 'in', mixer, 'info'], ['transfer', mine, 'in', mixer, 'high']].sort())
  })

  it('what landed while nobody looked for days is told by the next look, and how far the feed is outlasts its process', async () => {
    const hours = (count: number) => new Date(Date.now() - count * 3_600_000).toISOString()
    await service.store.execute('INSERT INTO watched_addresses SELECT * REPLACE (added_at - INTERVAL 4 DAY AS added_at, version + 1 AS version) FROM watched_addresses FINAL WHERE NOT removed')
    await service.store.execute('TRUNCATE TABLE watch_progress')
    await service.store.insert('watch_progress', [{ chain: 'ETH', told_to: hours(80), at: hours(80) }])
    await service.store.execute("INSERT INTO watched_transfers SELECT * REPLACE (toFixedString(unhex('aa'), 32) AS tx_hash, now64(6) - INTERVAL 3 DAY AS landed_at) FROM watched_transfers WHERE block_number = 4")
    const later = openFeed(service.store)
    assert.deepEqual(await later.movements('ETH'), { transfers: 2, retracted: 0 })
    assert.equal(await later.movements('ETH'), null)
    const [kept] = await service.store.query('SELECT toFloat64(max(told_to)) AS told_to FROM watch_progress', {}, z.object({ told_to: z.number() }))
    assert.ok((kept?.told_to ?? 0) * 1_000 > Date.now() - 3_600_000)
  })

  it('a list that is gone, and a key that has ended, are told nothing; the feed stays', async () => {
    const before = (await alerts('?after=0')).count
    assert.equal((await call(`DELETE /v1/monitoring/lists/${list}`)).status, 204)
    assert.equal((await call(`GET /v1/monitoring/lists/${list}`)).status, 404)
    await service.store.insert('sanctions_changes', [change(7, 'added')])
    assert.equal(await feed.listings(), 0)
    // As a process leaves them that ended between the addresses of a new list and the list.
    await service.store.insert('watched_addresses', [{ owner: key.slice(4, 12), list_id: `wl_${'1'.repeat(16)}`, key: mine, base: mine, address: mine, chain: 'ETH', added_at: new Date().toISOString(), removed: false, version: 1 }])
    const { watched, _meta: meta } = await alerts('?event=listed&after=1000000')
    assert.deepEqual([watched, meta.empty.empty_reason], [0, 'data_gap'])
    const { list_id: second } = (await call('POST /v1/monitoring/lists', { name: 'again', addresses: [mine] }, other)).body
    await service.store.execute("INSERT INTO access_keys SELECT * REPLACE (now64(3) AS revoked_at, version + 1 AS version) FROM access_keys FINAL WHERE name = 'two'")
    assert.equal(await feed.listings(), 0, second)
    assert.equal((await alerts('?after=0')).count, before)
  })

  it('a key that was moved to a tier without monitoring is not told that nothing happened', async () => {
    const { keys } = service.api.parts.services
    const moved = await keys.issue({ name: 'three', role: 'agent', tier: 'compliance', rate_limit: 1_000_000, daily_cap: 0, scopes: ['read'], source_ip: '' })
    await call('POST /v1/monitoring/lists', { name: 'mine', addresses: [at('96')] }, moved.key)
    await keys.change(moved.record, { tier: 'pro' })
    const { watched, _meta: meta } = await alerts('', moved.key)
    assert.deepEqual([watched, meta.empty], [1, { is_successful_empty: false, empty_reason: 'data_gap' }])
  })
})
