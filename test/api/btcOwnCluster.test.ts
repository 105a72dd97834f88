/** An address of Bitcoin within a named cluster: the other addresses of its own cluster are no counterparties of it, what the cluster goes by is told as evidence about itself, and a signed report says what it rests on. */
import assert from 'node:assert/strict'
import { runClusters } from '../../stages/clusters/runClusters.js'
import { indexWallets, insertPriced, spending } from '../support/btcAnswered.js'
import { addressOf, idOf, type Block } from '../support/btcLedger.js'
import { nameAddress } from '../support/clusters.js'
import { readPdf } from './support/pdf.js'
import { startService, type Service } from './support/service.js'

const btc = 100_000_000
const nameOf = new Map(['miner', 's1', 's2', 's3', 'user', 'shop', 'friend'].map((name) => [addressOf(name), name]))
const out = (name: string, coins: number) => ({ address: addressOf(name), value: Math.round(coins * btc), type: 'pubkeyhash' })
const mined: Block = { number: 1, txs: [{ coinbase: true, ins: [{ address: '', value: 0 }], outs: [out('s1', 20), out('s2', 10)] }] }
/** s1 and s2 spend together, and later s2 and s3: s1 alone has a label. */
const second: Block = { number: 2, txs: [{ ins: [spending(mined, 0, 0), spending(mined, 0, 1)], outs: [out('s3', 12), out('s2', 10), out('shop', 8)] }] }
const third: Block = { number: 3, txs: [{ ins: [spending(second, 0, 0)], outs: [out('s2', 6), out('user', 5), out('s3', 1)] }] }
const fourth: Block = { number: 4, txs: [{ ins: [spending(third, 0, 0), spending(third, 0, 2)], outs: [out('friend', 7)] }] }

describe('the own cluster of a Bitcoin address', function () {
  this.timeout(120_000)
  let service: Service
  const get = async (path: string): Promise<any> => (await service.call(`GET /v1/${path}`)).body
  const called = (address: string): string => nameOf.get(address) ?? address
  const wallet = async (name: string) => get(`wallets/${addressOf(name)}?chain=BTC`)
  const compliance = async (name: string) => get(`wallets/compliance/${addressOf(name)}?chain=BTC`)
  let own: any
  before(async () => {
    service = await startService()
    const { store } = service
    await insertPriced(store, [mined, second, third, fourth])
    await nameAddress(store, `0x${idOf(addressOf('s1'))}`, 'Evil', 1, { category: 'sanctioned', confidence: 60 })
    assert.equal((await wallet('miner')).btc_cluster, null, 'clusters have looked at nothing yet')
    await store.execute('SYSTEM RELOAD DICTIONARY label_of')
    while (await runClusters(store, 'BTC', { memory: null }) !== null);
    await indexWallets(store, 4)
    const { cluster } = await get(`btc/clusters/${addressOf('s1')}`)
    own = { cluster, size: 3, as_of_height: 4, provenance: 'cluster (multi-input heuristic)', owner: { entity: 'Evil', classification: 'sanctioned', confidence: 50, labelled_addresses: 1 } }
  })
  after(() => service.stop())

  it('ends no branch of a trail: its members are followed as any address without a label, and add up', async () => {
    const of = async (name: string, way: string) => get(`wallets/trail/${addressOf(name)}?chain=BTC&direction=${way}`)
    const [back, on] = [await of('s3', 'source'), await of('s3', 'destination')]
    const far = (step: any, end: string) => [step.hop, called(step[end]), step.entity, step.classification, step.cluster, step.stopped_because]
    assert.deepEqual(back.trail.map((step: any) => far(step, 'from_address')).filter(([, name]: any[]) => name.length < 9), [
      [1, 's1', 'Evil', 'sanctioned', null, 'sanctioned'], [1, 's2', '', 'unknown', own.cluster, null], [1, 's3', '', 'unknown', own.cluster, 'change'],
    ], 'what its own label says of s1 still ends the branch')
    assert.ok(back.trail.some(({ hop, stopped_because: end }: any) => hop === 2 && end === 'coinbase'), 'behind s2 it goes on')
    assert.deepEqual(on.trail.map((step: any) => far(step, 'to_address')), [
      [1, 's2', '', 'unknown', own.cluster, null], [1, 'user', '', 'unknown', null, 'held'], [1, 'friend', '', 'unknown', null, 'held'], [1, 's3', '', 'unknown', own.cluster, 'change'], [2, 'friend', '', 'unknown', null, 'depth'],
    ])
    for (const { checks, origins } of [back, on]) {
      for (const check of checks) assert.deepEqual([check.fifo.difference, check.lifo.difference, check.haircut.difference], ['0', '0', '0'])
      assert.ok(origins.every((one: any) => one.by_cluster_now === 0))
    }
    assert.deepEqual((await of('user', 'source')).trail.map((step: any) => far(step, 'from_address')), [[1, 's3', 'Evil', 'sanctioned', own.cluster, 'sanctioned']], 'of another address it is a counterparty')
  })

  it('is no counterparty of anybody\'s: marked in the wallet, in no exposure', async () => {
    const { counterparties, btc_cluster: cluster } = await wallet('s3')
    assert.deepEqual(cluster, own)
    assert.deepEqual(counterparties.map((one: any) => [called(one.address), one.entity, one.classification, one.cluster]).sort(), [['friend', '', 'unknown', null], ['s1', 'Evil', 'sanctioned', null], ['s2', '', 'unknown', own.cluster], ['user', '', 'unknown', null]])
    const { counterparty_risk: { exposures }, exposure } = await compliance('s3')
    assert.deepEqual(exposures.map((one: any) => [one.classification, one.counterparties, one.by_cluster_now]).sort(), [['sanctioned', 1, 0], ['unknown', 3, 0]])
    assert.deepEqual(exposure.filter(({ classification: one }: any) => one === 'sanctioned').map((one: any) => [one.direction, one.kind, one.addresses, one.by_cluster_now, one.rule]), [['source', 'direct', 1, 0, 'trail_exposure/5']])
  })

  it('is evidence about the address itself, as sure as clusters are', async () => {
    const [s3, s1, user] = [await compliance('s3'), await compliance('s1'), await compliance('user')]
    assert.deepEqual([s3.label, s3.btc_cluster], [null, own])
    assert.deepEqual(s3.breakdown.behavior, { score: 50, reason: 'exposure_score/3: no label of its own says whose it is; its cluster goes by Evil (sanctioned), as known now, with confidence 50: inputs spent together are no proof' })
    assert.ok(s3.risk_at_least >= 50)
    assert.equal(s1.breakdown.behavior.score, 100, 'its own label goes first')
    assert.deepEqual([user.btc_cluster, user.breakdown.behavior], [{ ...own, cluster: null, size: 1, owner: null }, { score: null, reason: 'Nobody says what it is' }], 'in none, as of that height')
  })

  it('stands in a signed report, which says as of which block, and in its document', async () => {
    const { key } = await service.api.parts.services.keys.issue({ name: 'compliance', role: 'agent', tier: 'compliance', rate_limit: 100_000, daily_cap: 0, scopes: ['read', 'reports'], source_ip: '' })
    const made = async (name: string): Promise<{ report: any; printed: string }> => {
      const { status, body, text } = await service.call('POST /v1/reports', { key, body: { address: addressOf(name), chain: 'BTC' } })
      assert.equal(status, 201, text)
      const pdf = Buffer.from(await (await fetch(`${service.api.url}/v1/verify/${body.content_hash}/pdf`)).arrayBuffer())
      return { report: body.report, printed: readPdf(pdf).pages.join('').replace(/\s+/g, ' ') }
    }
    const { report, printed } = await made('s3')
    const row = report.evidence.find(({ kind }: any) => kind === 'cluster')
    assert.deepEqual([row.source, row.data], [own.provenance, own])
    assert.deepEqual([report.findings.behavior.score, report.findings.behavior.evidence], [50, [row.id]])
    assert.deepEqual([report.heights[0].btc_clusters_as_of_height, report.eval_baseline.rules.exposure], [4, 'trail_exposure/5'])
    for (const text of ['Its own cluster', own.cluster, 'own cluster, as known now', 'BTC clusters', 'as of block 4', 'they are valid']) assert.ok(printed.includes(text), text)
    const labelled = (await made('s1')).report
    assert.deepEqual(labelled.findings.behavior.evidence.map((id: string) => labelled.evidence.find((one: any) => one.id === id).kind), ['label'], 'its own label decided')
    const other = await made('user')
    for (const text of ['Evil (by cluster, as known now)', 'Evil (1 by cluster, as known now)', '1 (1 by cluster, as known now)', 'sanctioned, by cluster', 'in none']) assert.ok(other.printed.includes(text), text)
  })
})
