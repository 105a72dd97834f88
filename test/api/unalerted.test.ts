/** Watched transfers and alerts are written by the stage alert alone: while it has not looked at what has come, that there are none is no answer. */
import assert from 'node:assert/strict'
import { at } from '../enrich/handmade.js'
import { listened } from '../support/hyperliquid.js'
import { putLists } from './support/sanctions.js'
import { seed, seedHead, seedTarget } from './support/seed.js'
import { startService, type Service } from './support/service.js'

const gap = { is_successful_empty: false, empty_reason: 'data_gap' }
const stale = { is_successful_empty: false, empty_reason: 'stale_pipeline' }
const nothing = { is_successful_empty: true, empty_reason: 'no_signal' }

describe('silence of alerts', function () {
  this.timeout(90_000)
  let service: Service, key: string, list: string
  before(async () => {
    service = await startService()
    await seed(service.store, 1_000, 700)
    await seedHead(service.store, 1_699)
    key = (await service.api.parts.services.keys.issue({ name: 'one', role: 'agent', tier: 'compliance', rate_limit: 1_000_000, daily_cap: 0, scopes: ['read'], source_ip: '' })).key
    const made = await service.call('POST /v1/monitoring/lists', { key, body: { name: 'x', addresses: [at('a1')] } })
    assert.equal(made.status, 201)
    list = made.body.list_id
  })
  after(() => service.stop())
  const emptyOf = async (path: string): Promise<unknown> => (await service.call(`GET ${path}`, { key })).body._meta.empty
  const told = async (chain = 'ETH'): Promise<unknown[]> => {
    // The ledger is looked at once a second.
    await new Promise((resolve) => { setTimeout(resolve, 1_100) })
    return [await emptyOf('/v1/monitoring/alerts'), await emptyOf(`/v1/dashboard/alerts?chain=${chain}`)]
  }
  const order = (name: string, state: string): Promise<void> => service.store.insert('controls', [{ name, state, reason: '', changed_by: 'test', changed_at: new Date().toISOString() }])

  it('is none about listings while a register is not there, and of all events none then', async () => {
    const of = (event: string): Promise<unknown> => emptyOf(`/v1/monitoring/alerts?event=${event}`)
    assert.deepEqual([await of('listed'), await of('delisted'), await of('transfer'), await emptyOf('/v1/monitoring/alerts')], [gap, gap, nothing, gap])
    await putLists(service.store, { OFAC_SDN: [], UK_HMT: [], IL_NBCTF: [], JP_MOF: [] })
    assert.deepEqual([await of('listed'), await of('delisted')], [nothing, nothing])
  })

  it('is an answer where all that has come was looked at', async () => {
    assert.deepEqual(await told(), [nothing, nothing])
  })

  it('is none while the stage is paused', async () => {
    await order('stage:alert', 'paused')
    assert.deepEqual(await told(), [stale, stale])
    await order('stage:alert', 'running')
    assert.deepEqual(await told(), [nothing, nothing])
  })

  it('is none where it has not had its turn, or gave up: of the newest blocks, and of some below', async () => {
    await seed(service.store, 1_700, 3, new Date(Date.now() - 12_000))
    await service.store.execute("DELETE FROM batches WHERE from_block = 1700 AND stage = 'alert'")
    assert.deepEqual(await told(), [gap, gap])
    await seed(service.store, 1_703, 20, new Date(Date.now() - 12_000))
    await seedHead(service.store, 1_722)
    assert.deepEqual(await told(), [gap, gap])
    assert.deepEqual((await told('ALL'))[1], gap)
    await service.store.execute("INSERT INTO batches SELECT * REPLACE ('alert' AS stage) FROM batches AS b WHERE b.from_block = 1700 AND b.stage = 'index'")
    assert.deepEqual(await told(), [nothing, nothing])
  })

  it('is none where the stage gave up; answers that have alerts, or count them, say of which blocks there are none', async () => {
    const { store } = service, gone = 'Alerts of 3 blocks between 1700 and 1702 failed for good and are missing until they are redriven'
    await store.execute("DELETE FROM batches WHERE from_block = 1700 AND stage = 'alert'")
    const letter = (state: string, ago: number) => store.insert('dead_letters', [{
      id: 'alert 1700', chain: 'ETH', stage: 'alert', from_block: 1_700, to_block: 1_702, hash: 'x', generation: 0, code: 'X', cause: '', endpoint: '', attempts: 8, state, first_at: new Date(Date.now() - ago).toISOString(), at: new Date(Date.now() - ago).toISOString(),
    }])
    await letter('dead', 5_000)
    assert.deepEqual(await told(), [gap, gap])
    const paths = ['dashboard/alerts', 'dashboard/alerts?chain=ALL', 'smart-money/alerts', 'monitoring/alerts', 'network/summary', 'dashboard/overview', 'whales/recent?chain=ETH']
    const said = async () => (await Promise.all(paths.map(async (path) => (await service.call(`GET /v1/${path}`, { key })).body.coverage_status.warnings as string[]))).map((warnings) => warnings.filter((one) => one.includes('failed for good')))
    assert.deepEqual(await said(), [[gone], [`ETH: ${gone}`], [gone], [`ETH: ${gone}`], [gone], [`ETH: ${gone}`], []], 'of what else is told, nothing is missing')
    await letter('redriven', 0)
    await service.store.execute("INSERT INTO batches SELECT * REPLACE ('alert' AS stage) FROM batches AS b WHERE b.from_block = 1700 AND b.stage = 'index'")
    assert.deepEqual(await told(), [nothing, nothing])
  })

  it('is none of a list with an address of a chain that is not followed; there is none of a list that is not there, or is another key\'s', async () => {
    const watching = async (addresses: readonly string[], as = key): Promise<string> => (await service.call('POST /v1/monitoring/lists', { key: as, body: { name: 'y', addresses } })).body.list_id
    const [bitcoin, tron] = [await watching(['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq']), await watching(['TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf'])]
    const of = (query: string): Promise<unknown> => emptyOf(`/v1/monitoring/alerts?${query}`)
    assert.deepEqual([await of(`list_id=${list}`), await of(`list_id=${bitcoin}`), await of(''), await of(`list_id=${bitcoin}&event=listed`)], [nothing, gap, gap, nothing])
    // Of one that is followed nowhere, listings are all there can be.
    assert.deepEqual([await of(`list_id=${tron}`), await of(`list_id=${tron}&event=transfer`)], [nothing, { is_successful_empty: false, empty_reason: 'unsupported_input' }])
    const mixed = await watching([at('a3'), 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf']), said = async (query: string): Promise<string[]> => ((await service.call(`GET /v1/monitoring/alerts?${query}`, { key })).body.coverage_status.warnings as string[]).filter((one) => one.includes('of no chain that is followed'))
    const unfollowed = (count: number): string => `Addresses on lists that are of no chain that is followed here: ${count}. Of these sanctions listings are told, and no transfers`
    assert.deepEqual([await said(`list_id=${mixed}`), await said(`list_id=${list}`), await said('')], [[unfollowed(1)], [], [unfollowed(2)]])
    for (const one of [bitcoin, tron, mixed]) assert.equal((await service.call(`DELETE /v1/monitoring/lists/${one}`, { key })).status, 204)
    const other = (await service.api.parts.services.keys.issue({ name: 'two', role: 'agent', tier: 'compliance', rate_limit: 1_000_000, daily_cap: 0, scopes: ['read'], source_ip: '' })).key
    for (const one of [`wl_${'0'.repeat(16)}`, bitcoin, await watching([at('a2')], other)]) assert.equal((await service.call(`GET /v1/monitoring/alerts?list_id=${one}`, { key })).status, 404)
  })

  it('is none where blocks below the newest are missing', async () => {
    await seed(service.store, 700, 100, new Date(Date.now() - 30_000_000))
    await seedTarget(service.store, 700, 1_722)
    assert.deepEqual((await told())[0], gap)
    assert.deepEqual(await emptyOf('/v1/monitoring/alerts?event=listed'), nothing)
  })
})

describe('silence of the alerts of a venue', function () {
  this.timeout(90_000)
  let service: Service
  before(async () => { service = await startService() })
  after(() => service.stop())
  const told = async (): Promise<unknown> => {
    await new Promise((resolve) => { setTimeout(resolve, 6_100) })
    return (await service.call('GET /v1/dashboard/alerts?chain=HL')).body._meta.empty
  }
  const iso = (ago: number): string => new Date(Date.now() - ago * 1_000).toISOString()
  const head = (number: number, ago: number): Promise<void> => service.store.insert('heads', [{ chain: 'HL', number, hash: 'x', block_time: iso(ago), finalized: number, endpoint: 'venue', observed_at: iso(ago) }])
  const landed = (stage: string, from: number, to: number, ago = 0): Promise<void> => service.store.insert('batches', [{ chain: 'HL', stage, from_block: from, to_block: to, hash: '0xab', generation: 0, rows: 1, bytes: 1, milliseconds: 1, endpoint: '', finished_at: iso(ago) }], `${stage} ${from}`)

  it('is none where what was heard long ago was not looked at; some seconds always wait', async () => {
    await head(1, 300)
    for (const stage of ['enrich', 'alert']) await landed(stage, 1, 1)
    await head(2, 5)
    await landed('enrich', 2, 2)
    assert.deepEqual(await told(), gap, 'of whom the venue liquidates, no node\'s files tell')
    await service.store.execute("INSERT INTO hl_fills (chain, block_number, source, heard_at, coin, market, account, time, tid) SELECT 'HL', 1, 'node_fills', now64(3), 'BTC', 'perp', '', now64(3), 1")
    await head(2, 5)
    assert.deepEqual(await told(), nothing)
    await head(2, 200)
    await head(3, 1)
    await landed('enrich', 3, 3)
    assert.deepEqual(await told(), stale)
    await landed('alert', 2, 3)
    assert.deepEqual(await told(), nothing)
  })

  it('is none where some of it is tried again, though what came later was looked at; nor is that of alerts and signals of its feed', async () => {
    const { store } = service
    // All else that these two ask for is there: a node's files, and a look at the market.
    await store.execute("INSERT INTO hl_fills (chain, block_number, source, heard_at, coin, market, account, time, tid) SELECT 'HL', 1, 'node_fills', now64(3), 'BTC', 'perp', '', now64(3), 1")
    await store.execute("INSERT INTO hl_signal_runs (chain, from_time, to_time, through, open_since, done, told, at) SELECT 'HL', now(), now(), 9, now() - INTERVAL 2 DAY, true, true, now64(3)")
    await listened(store)
    const all = async (): Promise<unknown[]> => [await told(), ...await Promise.all(['alerts', 'signals'].map(async (list) => (await service.call(`GET /v1/feed/hl/${list}?hours=1`)).body._meta.empty))]
    // Those of the case before landed in other batches at alert: a minute later they would count as skipped.
    await store.execute("INSERT INTO batches SELECT * REPLACE ('alert' AS stage) FROM batches AS b WHERE b.stage = 'enrich' AND b.from_block IN (2, 3)")
    await head(67, 1)
    await landed('enrich', 4, 67, 20)
    await head(131, 0)
    for (const stage of ['enrich', 'alert']) await landed(stage, 68, 131)
    assert.deepEqual(await all(), [nothing, nothing, nothing])
    await store.execute("ALTER TABLE batches UPDATE finished_at = finished_at - INTERVAL 200 SECOND WHERE from_block = 4 SETTINGS mutations_sync = 2")
    await head(131, 0)
    assert.deepEqual(await all(), [stale, stale, stale])
    await landed('alert', 4, 67)
    assert.deepEqual(await all(), [nothing, nothing, nothing])
    // What gave up long ago, of which nothing but alerts is missing.
    const letter = (state: string, ago: number) => store.insert('dead_letters', [{ id: 'alert', chain: 'HL', stage: 'alert', from_block: 132, to_block: 140, hash: '0xab', generation: 0, code: 'X', cause: '', endpoint: '', attempts: 8, state, first_at: iso(ago), at: iso(ago) }])
    await store.insert('plans', [{ chain: 'HL', seq: 1, kind: 'plan', from_block: 132, to_block: 140, hash: '0xab', parent_hash: '', generation: 0, target: '', floor: 1, writer: 'w', at: iso(9) }])
    await letter('dead', 9)
    await head(131, 0)
    assert.deepEqual(await all(), [gap, gap, gap])
    const said = async (path: string): Promise<string[]> => ((await service.call(`GET /v1/${path}`)).body.coverage_status.warnings as string[]).filter((one) => one.includes('failed for good'))
    const gone = 'Alerts of 1 batches of what was heard between segments 132 and 140 failed for good and are missing until they are redriven'
    assert.deepEqual(await Promise.all(['dashboard/alerts?chain=HL', 'feed/hl/alerts', 'feed/hl/signals', 'feed/hl/traders', 'feed/hl/positions'].map(said)), [[gone], [gone], [gone], [], []])
    assert.equal(await service.api.parts.services.coverage.silence('HL', 'perps'), null)
    await letter('redriven', 0)
    await head(131, 0)
    assert.deepEqual(await all(), [nothing, nothing, nothing])
    await store.insert('controls', [{ name: 'stage:alert', state: 'paused', reason: '', changed_by: 'test', changed_at: iso(0) }])
    assert.deepEqual(await all(), [stale, stale, stale])
  })
})
