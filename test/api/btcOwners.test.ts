/** Addresses of Bitcoin that no label names and whose cluster goes by a name: wherever owners are told, they are told as that one's, and that it is by their cluster. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { listMigrations } from '../../schemas/migrations.js'
import { runClusters } from '../../stages/clusters/runClusters.js'
import { indexWallets, insertPriced, spending } from '../support/btcAnswered.js'
import { addressOf, idOf, type Block } from '../support/btcLedger.js'
import { nameAddress } from '../support/clusters.js'
import { startService, type Service } from './support/service.js'

const btc = 100_000_000
const names = ['miner', 'h1', 'h2', 'h3', 'h4', 'd1', 'd2', 'k1', 'k2', 'user', 'shop', 'friend', 'own']
const nameOf = new Map(names.map((name) => [addressOf(name), name]))
const out = (name: string, coins: number) => ({ address: addressOf(name), value: Math.round(coins * btc), type: 'pubkeyhash' })
const mined: Block = { number: 1, txs: [{ coinbase: true, ins: [{ address: '', value: 0 }], outs: [out('h1', 20), out('h2', 10), out('d1', 10), out('d2', 10), out('k1', 10), out('k2', 10)] }] }
/** h1 to h4 spend together, and so do d1 and d2, and k1 and k2, whom nobody names; own is one of the first, and has a label of its own that names nobody. */
const second: Block = { number: 2, txs: [
  { ins: [spending(mined, 0, 0), spending(mined, 0, 1)], outs: [out('user', 12), out('h3', 10), out('h4', 4), out('own', 3)] },
  { ins: [spending(mined, 0, 2), spending(mined, 0, 3)], outs: [out('d2', 19)] },
  { ins: [spending(mined, 0, 4), spending(mined, 0, 5)], outs: [out('shop', 19)] },
] }
const third: Block = { number: 3, txs: [{ ins: [spending(second, 0, 1), spending(second, 0, 2), spending(second, 0, 3)], outs: [out('h2', 16)] }, { ins: [spending(second, 0, 0)], outs: [out('h4', 5), out('d2', 4), out('friend', 2), out('own', 0.5)] }] }
/** h4 joins h2, and so h1. */
const fourth: Block = { number: 4, txs: [{ ins: [spending(third, 0, 0), spending(third, 1, 0)], outs: [out('h3', 20)] }] }

describe('owners of Bitcoin addresses by their clusters', function () {
  this.timeout(120_000)
  let service: Service
  const get = async (path: string): Promise<any> => (await service.call(`GET /v1/${path}`)).body
  const called = (address: string): string => nameOf.get(address) ?? address
  const look = async (): Promise<void> => { await service.store.execute('SYSTEM RELOAD DICTIONARY label_of'); while (await runClusters(service.store, 'BTC', { memory: null }) !== null); }
  before(async () => {
    service = await startService()
    const { store } = service
    await insertPriced(store, [mined, second, third, fourth])
    await nameAddress(store, `0x${idOf(addressOf('h1'))}`, 'Alpha House', 1)
    await nameAddress(store, `0x${idOf(addressOf('d1'))}`, 'Dark', 1, { category: 'mixer', confidence: 40 })
    await store.insert('labels', [{ chain: 'BTC', address: `0x${idOf(addressOf('own'))}`, label: 'seen in a scam', entity: '', category: 'scam', source: 'register', confidence: 50, licence: 'MIT', valid_from: '2020-01-01T00:00:00Z', removed: false, version: 1 }])
    await look()
    await indexWallets(store, 4)
  })
  after(() => service.stop())

  it('an entity has the addresses of its clusters, counted and page by page', async () => {
    const { entities } = await get('entity/list')
    assert.deepEqual(entities.map((one: any) => [one.name, one.addresses, one.btc_cluster_addresses]), [['Alpha House', 1, 4], ['Dark', 1, 1]])
    const { entity } = await get('entity/alpha%20house')
    assert.deepEqual([entity.address_count, entity.btc_cluster_addresses, entity.addresses.length], [1, 4, 5])
    const [first, ...rest] = entity.addresses
    assert.deepEqual([called(first.address), first.sources, first.cluster], ['h1', ['register'], null])
    assert.deepEqual(rest.map((one: any) => called(one.address)).sort(), ['h2', 'h3', 'h4', 'own'])
    const { cluster } = await get(`btc/clusters/${addressOf('h1')}`)
    for (const one of rest) assert.deepEqual({ ...one, address: '' }, { chain: 'BTC', address: '', label: 'Alpha House: cluster', classification: 'exchange', sources: ['clusters'], confidence: 50, official: false, cluster })
    const pages: any[] = []
    for (let cursor = ''; ;) {
      const answer = await get(`entity/alpha%20house?limit=2${cursor}`)
      pages.push(...answer.entity.addresses)
      if (answer.next_cursor === null) break
      cursor = `&cursor=${answer.next_cursor}`
    }
    assert.deepEqual(pages, entity.addresses)
    const dark = (await get('entity/Dark')).entity.addresses[1]
    assert.deepEqual([called(dark.address), dark.classification, dark.confidence], ['d2', 'mixer', 40], 'no surer than the label is')
  })

  it('a wallet shows its cluster beside its labels, and whom it dealt with by theirs', async () => {
    const { cluster } = await get(`btc/clusters/${addressOf('h1')}`)
    const of = async (name: string) => get(`wallets/${addressOf(name)}?chain=BTC`)
    const alpha = { cluster, size: 5, as_of_height: 4, provenance: 'cluster (multi-input heuristic)', owner: { entity: 'Alpha House', classification: 'exchange', confidence: 50, labelled_addresses: 1 } }
    const [h4, own, user, k1] = [await of('h4'), await of('own'), await of('user'), await of('k1')]
    assert.deepEqual([h4.btc_cluster, h4.labels, h4.classes], [alpha, [], []], 'no register said it')
    assert.deepEqual([own.btc_cluster, own.classes], [alpha, ['scam']])
    assert.deepEqual([user.btc_cluster, k1.btc_cluster.size, k1.btc_cluster.owner], [{ ...alpha, cluster: null, size: 1, owner: null }, 2, null])
    assert.deepEqual(user.counterparties.map((one: any) => [called(one.address), one.label, one.entity, one.classification, one.cluster === null]), [
      ['h1', 'hot wallet', 'Alpha House', 'exchange', true], ['h4', '', 'Alpha House', 'exchange', false], ['d2', '', 'Dark', 'mixer', false], ['h2', '', 'Alpha House', 'exchange', false], ['friend', '', '', 'unknown', true], ['own', 'seen in a scam', '', 'scam', true],
    ])
    assert.equal(user.counterparties[1].cluster, cluster)
    assert.ok(!('btc_cluster' in await get(`wallets/0x${'ab'.repeat(20)}?chain=ETH`)), 'of Ethereum nothing is asked')
  })

  it('the compliance report counts whom clusters name, and says how many', async () => {
    const of = async (name: string) => get(`wallets/compliance/${addressOf(name)}?chain=BTC`)
    const user = await of('user')
    assert.deepEqual(user.counterparty_risk.exposures.map((one: any) => [one.classification, one.counterparties, one.by_cluster_now, one.confidence]), [['exchange', 3, 2, 50], ['mixer', 1, 1, 40], ['unknown', 1, 0, null], ['scam', 1, 0, 50]])
    // 100 · (1 − (1 − 0.7 · 200,000 / 1,175,000 · 0.4) · (1 − 0.8 · 25,000 / 1,175,000 · 0.5))
    assert.equal(user.breakdown.volume.score, 6)
    assert.deepEqual(user.exposure.map((one: any) => [one.direction, one.classification, one.entities, one.addresses, one.by_cluster_now, one.confidence]), [
      ['source', 'exchange', ['Alpha House'], 2, 1, 50], ['destination', 'exchange', ['Alpha House'], 1, 1, 50], ['destination', 'mixer', ['Dark'], 1, 1, 40], ['destination', 'scam', [], 1, 0, 50],
    ])
    // 100 · 0.7 · 4 / 12 · 0.4
    assert.deepEqual([user.breakdown.mixer.score, user.label], [9, null])
  })

  it('use of a mixer that a cluster names is the address\'s own, and nobody else\'s', async () => {
    const { direct, within_hops: within, interactions } = await get(`forensic/mixers/${addressOf('user')}?chain=BTC`)
    assert.deepEqual([direct.map((one: any) => [called(one.mixer), one.protocol, one.confidence, one.direction, one.amount]), within, interactions], [[['d2', 'Dark', 40, 'deposit', String(4 * btc)]], [], 1])
  })

  it('such a use before the newest transactions, where direct does not look, is within hops', async () => {
    const { store } = service, user = idOf(addressOf('user'))
    const later = "chain = 'BTC' AND address = unhex({user:String}) AND block_number = 4 AND position >= 1000"
    await store.execute(`INSERT INTO address_transfers SELECT a.* REPLACE (4 AS block_number, 1000 + n.number AS position, unhex(repeat('00', 20)) AS other) FROM (SELECT * FROM address_transfers WHERE chain = 'BTC' AND address = unhex({user:String}) AND block_number = 3 AND direction = 'out' LIMIT 1) AS a, numbers(3_001) AS n`, { user })
    const { direct, within_hops: within, interactions } = await get(`forensic/mixers/${addressOf('user')}?chain=bitcoin`)
    await store.execute(`ALTER TABLE address_transfers DELETE WHERE ${later} SETTINGS mutations_sync = 1`, { user })
    assert.deepEqual([direct, within.map((one: any) => [one.direction, one.kind, one.entities, one.paths.map(({ addresses }: any) => addresses.map(called))]), interactions], [[], [['destination', 'direct', ['Dark'], [['user', 'd2']]]], 1])
  })

  it('a trail ends where a label would have ended it, and says that it is by a cluster', async () => {
    const of = async (query: string) => get(`wallets/trail/${addressOf('user')}${query}`)
    const far = (address: string, step: any) => [called(address), step.entity, step.classification, step.cluster, step.stopped_because]
    const [{ cluster: alpha }, { cluster: dark }] = [await get(`btc/clusters/${addressOf('h1')}`), await get(`btc/clusters/${addressOf('d1')}`)]
    const [back, on, graph] = [await of('?chain=BTC'), await of('?chain=BTC&direction=destination'), await of('/graph?chain=BTC&direction=destination')]
    assert.deepEqual(back.trail.map((step: any) => far(step.from_address, step)), [['h1', 'Alpha House', 'exchange', null, 'service'], ['h2', 'Alpha House', 'exchange', alpha, 'service']])
    const told = [['h4', 'Alpha House', 'exchange', alpha, 'service'], ['d2', 'Dark', 'mixer', dark, 'mixer'], ['friend', '', 'unknown', null, 'held'], [`0x${'00'.repeat(20)}`, '', 'unknown', null, 'fee'], ['own', '', 'scam', null, 'illicit']]
    assert.deepEqual(on.trail.map((step: any) => far(step.to_address, step)), told)
    assert.deepEqual(graph.nodes.slice(1).map((node: any) => [...far(node.id, node).slice(0, 4), ...node.stopped_because]), told)
    const ended = ({ origins }: any) => origins.map((one: any) => [one.stopped_because, one.addresses, one.by_cluster_now])
    assert.deepEqual([ended(back), ended(on)], [[['service', 2, 1]], [['service', 1, 1], ['mixer', 1, 1], ['held', 1, 0], ['fee', 1, 0], ['illicit', 1, 0]]])
    for (const { checks } of [back, on]) for (const check of checks) assert.deepEqual([check.fifo.difference, check.lifo.difference, check.haircut.difference], ['0', '0', '0'])
  })

  it('how large named clusters are is filled in where a version before left it out', async () => {
    const { store } = service
    const sizes = async (): Promise<unknown> => store.query("SELECT name, labelled, size FROM btc_cluster_entities FINAL WHERE name != '' ORDER BY name", {}, z.object({ name: z.string(), labelled: z.number(), size: z.number() }))
    const was = await sizes()
    assert.deepEqual(was, [{ name: 'alphahouse', labelled: 1, size: 5 }, { name: 'dark', labelled: 1, size: 2 }])
    await store.execute('ALTER TABLE btc_cluster_entities UPDATE size = 0 WHERE 1 SETTINGS mutations_sync = 1')
    for (const time of ['once', 'twice']) {
      for (const statement of listMigrations().find(({ id }) => id === '0069_cluster_owners')?.statements ?? []) await store.execute(statement)
      assert.deepEqual(await sizes(), was, time)
    }
  })

  it('one statement among several does not speak for the class of all, and who is named is listed once, whatever else is said of it', async () => {
    const { store } = service, of = (name: string): string => `0x${idOf(addressOf(name))}`
    await nameAddress(store, of('h2'), 'Alpha House', 1)
    await nameAddress(store, of('h3'), 'Alpha House', 1, { category: 'scam', confidence: 90 })
    await store.insert('labels', [{ chain: 'BTC', address: of('h2'), label: 'seen', entity: '', category: 'mixer', source: 'import:x', confidence: 100, licence: 'MIT', valid_from: '2020-01-01T00:00:00Z', removed: false, version: 1 }])
    await look()
    const { entity } = await get('entity/alpha%20house?limit=198')
    assert.deepEqual([entity.address_count, entity.btc_cluster_addresses], [3, 2])
    assert.deepEqual(entity.addresses.map((one: any) => [called(one.address), one.classification, one.sources.includes('clusters')]).sort(), [['h1', 'exchange', false], ['h2', 'exchange', false], ['h3', 'scam', false], ['h4', 'exchange', true], ['own', 'exchange', true]])
  })

  it('who has an owner and no class says nothing of the class of all, however many they are', async () => {
    for (const name of ['h2', 'h3']) await nameAddress(service.store, `0x${idOf(addressOf(name))}`, 'Alpha House', 2, { category: 'unknown' })
    await look()
    const { entity } = await get('entity/alpha%20house?limit=197')
    const told = entity.addresses.filter((one: any) => called(one.address) === 'h4')
    assert.deepEqual([entity.address_count, told.map((one: any) => [one.classification, one.confidence, one.sources])], [3, [['exchange', 50, ['clusters']]]])
    const { trail } = await get(`wallets/trail/${addressOf('user')}?chain=BTC&direction=destination&limit=18`)
    const step = trail.find((one: any) => called(one.to_address) === 'h4')
    assert.deepEqual([step.entity, step.classification, step.stopped_because], ['Alpha House', 'exchange', 'service'])
  })

  it('a label of its own goes before the cluster, at once', async () => {
    await nameAddress(service.store, `0x${idOf(addressOf('h4'))}`, 'Beta', 1, { category: 'fund' })
    await service.store.execute('SYSTEM RELOAD DICTIONARY label_of')
    // Answers of before are kept for a while: another limit is another question.
    const { trail } = await get(`wallets/trail/${addressOf('user')}?chain=BTC&direction=destination&limit=19`)
    const { entity, cluster } = trail.find((step: any) => called(step.to_address) === 'h4')
    assert.deepEqual([entity, cluster], ['Beta', null])
    assert.ok((await get('entity/alpha%20house?limit=199')).entity.addresses.every((one: any) => called(one.address) !== 'h4'))
    const { counterparties } = await get(`wallets/${addressOf('user')}`)
    assert.deepEqual(counterparties.map((one: any) => [called(one.address), one.entity, one.cluster === null])[1], ['h4', 'Beta', true])
  })
})
