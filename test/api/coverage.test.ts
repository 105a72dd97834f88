import assert from 'node:assert/strict'
import { z } from 'zod'
import { openStore, type Store } from '../../schemas/clickhouse.js'
import { openCoverage } from '../../api/coverage.js'
import { workedUpTo } from '../../api/ledgerView.js'
import { hasNoGap } from '../../api/reach.js'
import { freshStore } from '../support/servers.js'
import { openDoor } from './support/door.js'
import { seed, seedHead, seedTarget } from './support/seed.js'

const control = (store: Store, name: string, state: string, reason = ''): Promise<void> =>
  store.insert('controls', [{ name, state, reason, changed_by: 'test', changed_at: new Date().toISOString() }])

describe('coverage', () => {
  it('is node-only or unknown before the first block', async () => {
    const { store } = await freshStore()
    assert.equal((await openCoverage(store).status('ETH')).tier, 'unknown')
    await seedHead(store, 5)
    const status = await openCoverage(store).status('ETH')
    assert.deepEqual([status.tier, status.data_fresh], ['node-only', false])
  })

  it('is live at the head, stale behind it or when the newest block is old', async () => {
    const { store } = await freshStore()
    let now = Date.now()
    const coverage = openCoverage(store, () => now)
    await seed(store, 100, 10)
    await seedHead(store, 110)
    assert.deepEqual(await coverage.status('ethereum'), { chain: 'ETH', tier: 'live', data_fresh: true, pipeline: 'full', node: 'archive', warnings: [] })
    assert.equal(await coverage.silence('ETH'), null)
    await seedHead(store, 200)
    now += 1_001
    const behind = await coverage.status('ETH')
    assert.deepEqual([behind.tier, behind.data_fresh, behind.warnings], ['stale', false, ['The data are 91 blocks behind the node']])
    assert.equal(await coverage.silence('ETH'), 'stale_pipeline')
    now += 600_000
    assert.match((await coverage.status('ETH')).warnings[0] ?? '', /newest block \(109\) is \d+ min old/)
  })

  it('is read anew when the clock was set back', async () => {
    const { store } = await freshStore()
    let now = Date.now()
    const coverage = openCoverage(store, () => now)
    await seed(store, 100, 10)
    await seedHead(store, 110)
    assert.deepEqual((await coverage.status('ETH')).warnings, [])
    await seedHead(store, 200)
    now -= 3_600_000
    assert.deepEqual((await coverage.status('ETH')).warnings, ['The data are 91 blocks behind the node'])
    assert.equal(coverage.ready()?.heads.get('ETH')?.number, 200)
  })

  it('names gaps inside wanted ranges only, blocks without traces, and a halted chain', async () => {
    const { store } = await freshStore()
    await seedTarget(store, 100, 129)
    await seed(store, 50, 10, new Date(Date.now() - 1_000_000))
    await seed(store, 100, 10, new Date(Date.now() - 500_000), false)
    await seed(store, 115, 15)
    await seedHead(store, 129)
    const { warnings, data_fresh: fresh } = await openCoverage(store).status('ETH')
    assert.ok(fresh)
    assert.deepEqual(warnings, ['5 wanted blocks between 110 and 114 have not been indexed', 'Movements inside transactions are not known for 10 blocks between 100 and 109'])
    assert.equal(await openCoverage(store).silence('ETH'), 'data_gap')
    await control(store, 'chain:ETH', 'halted', 'a reorg deeper than finality')
    const halted = await openCoverage(store).status('ETH')
    assert.equal(halted.tier, 'stale')
    assert.ok(halted.warnings.includes('ETH is halted: a reorg deeper than finality'))
  })

  it('is as old as what the stages have worked out, though blocks go on coming; and says what is paused', async () => {
    const { store } = await freshStore()
    let now = Date.now()
    const coverage = openCoverage(store, () => now)
    /** Blocks that normalize has done with and nobody after it. */
    const normalized = async (from: number, count: number): Promise<void> => {
      await seed(store, from, count)
      await store.execute(`DELETE FROM batches WHERE from_block = {from:UInt64} AND stage IN ('enrich', 'index', 'alert')`, { from })
      await seedHead(store, from + count - 1)
      now += 1_001
    }
    await seed(store, 100, 40)
    await seedHead(store, 139)
    assert.deepEqual([await coverage.silence('ETH'), (await coverage.status('ETH')).warnings], [null, []])
    await normalized(140, 10)
    assert.deepEqual([await coverage.silence('ETH'), (await coverage.status('ETH')).tier, workedUpTo((await coverage.view()).bounds.get('ETH'))], [null, 'live', 139])
    await normalized(150, 10)
    await control(store, 'stage:enrich', 'paused')
    await control(store, 'stage:alert', 'paused')
    now += 1_001
    const { tier, data_fresh: fresh, warnings } = await coverage.status('ETH')
    assert.deepEqual([await coverage.silence('ETH'), tier, fresh, warnings], ['stale_pipeline', 'stale', false, [
      '20 of the newest blocks have not been worked out yet: what happened in them is in no answer, or in part', 'Paused: enrich: new blocks wait', 'Paused: alert: no alerts are made of new blocks',
    ]])
  })

  it('counts a block that lacks once, whoever wants it', async () => {
    const { store } = await freshStore()
    for (const [from, to] of [[100, 112], [105, 129], [111, 111], [0, 3]] as const) await seedTarget(store, from, to)
    await seed(store, 100, 10)
    await seed(store, 115, 15)
    await seedHead(store, 129)
    assert.deepEqual((await openCoverage(store).status('ETH')).warnings, ['5 wanted blocks between 110 and 114 have not been indexed'])
  })

  it('takes neither a batch that a rollback ended nor one that is noted twice for blocks that are missing', async () => {
    const { store } = await freshStore()
    const missing = async () => (await openCoverage(store).status('ETH')).warnings
    await seedTarget(store, 100, 129)
    await seed(store, 100, 15)
    await seedHead(store, 124)
    assert.deepEqual(await missing(), [])
    // As many blocks again as are missing between: its plan is of seq 115.
    await seed(store, 120, 5)
    await store.execute(`INSERT INTO batches SELECT * REPLACE (finished_at + 1 AS finished_at) FROM batches WHERE from_block = 120`)
    assert.deepEqual(await store.query(`SELECT count() AS n FROM batches WHERE from_block = 120 AND stage = 'enrich'`, {}, z.object({ n: z.coerce.number() })), [{ n: 2 }])
    assert.deepEqual(await missing(), ['5 wanted blocks between 115 and 119 have not been indexed'])
    // What filled the hole was ended with all above it; of these the upper ones came back first.
    const landed = (from: number, to: number, generation: number) => store.execute(`INSERT INTO batches SELECT 'ETH', 'enrich', {from:UInt64}, {to:UInt64}, 'y', {generation:UInt32}, 1, 1, 40, 'node', now64(3)`, { from, to, generation })
    await landed(115, 119, 1)
    await store.execute(`INSERT INTO plans SELECT 'ETH', seq, kind, bottom, top, 'y', '', g, 't', 115, 'w', now64(3) FROM values('seq UInt64, kind String, bottom UInt64, top UInt64, g UInt32',
      (300, 'plan', 115, 119, 1), (301, 'rollback', 115, 0, 2), (302, 'plan', 115, 119, 2), (303, 'plan', 120, 124, 2))`)
    await landed(120, 124, 2)
    assert.deepEqual(await missing(), ['5 wanted blocks between 115 and 119 have not been indexed'])
    await landed(115, 119, 2)
    assert.deepEqual(await missing(), [])
  })

  it('misses enriched blocks whose batch never passed index once others have landed above them; of the newest some always wait', async () => {
    const { store } = await freshStore()
    let now = Date.now()
    const coverage = openCoverage(store, () => now)
    const told = async () => { now += 1_001; return [await coverage.silence('ETH'), hasNoGap((await coverage.view()).bounds.get('ETH')), ...(await coverage.status('ETH')).warnings] }
    const unindexed = (from: number) => store.execute("DELETE FROM batches WHERE from_block = {from:UInt64} AND stage IN ('index', 'alert')", { from })
    await seedTarget(store, 0, 9)
    await seed(store, 0, 10)
    await seed(store, 10, 4)
    await seed(store, 14, 10)
    await unindexed(10)
    await seedHead(store, 23)
    assert.deepEqual(await told(), [null, true], 'it may still be worked on')
    await seed(store, 24, 6)
    await seedHead(store, 29)
    assert.deepEqual(await told(), ['data_gap', false, '4 wanted blocks between 10 and 13 have not been indexed'])
    await unindexed(0)
    await unindexed(24)
    await seed(store, 30, 1)
    assert.deepEqual(await told(), ['data_gap', false, '14 wanted blocks between 0 and 13 have not been indexed'])
    await store.execute("INSERT INTO batches SELECT * REPLACE ('index' AS stage) FROM batches AS b WHERE b.from_block IN (0, 10) AND b.stage = 'enrich'")
    assert.deepEqual(await told(), [null, true])
  })

  it('says unknown, with a warning, of chains nothing backs and of chains nobody knows', async () => {
    const { store } = await freshStore()
    const coverage = openCoverage(store)
    for (const chain of ['ARB', 'SOL', 'MATIC', 'DOGE']) {
      const status = await coverage.status(chain)
      assert.equal(status.tier, 'unknown')
      assert.equal(status.warnings.length, 1)
    }
    assert.equal((await coverage.status('HL')).tier, 'perps-only')
    assert.equal((await coverage.status('ALL')).pipeline, 'mixed')
  })

  it('tells what of a venue was missed: trades apart from what only shows how things stand, each stretch once however many channels and coins were cut', async () => {
    const { store } = await freshStore()
    const at = Date.now() - 3_600_000
    const gap = (channel: string, coin: string, from: number, to: number, told = Date.now()) => ({ chain: 'HL', block_number: 1, source: 'gap', heard_at: new Date(told).toISOString(), time: new Date(told).toISOString(), channel, coin, from_time: new Date(at + from * 1_000).toISOString(), to_time: new Date(at + to * 1_000).toISOString(), reason: 'cut', generation: 1 })
    const warnings = async () => (await openCoverage(store).status('HL')).warnings.slice(1)
    assert.deepEqual(await warnings(), [])
    await store.insert('hl_gaps', [gap('allMids', '', 0, 20), gap('l2Book', '', 5, 31), gap('activeAssetCtx', '', 31, 40), gap('allMids', '', 500, 511), gap('allMids', '', -90_000, -80_000, at - 86_400_000)], 'shown')
    assert.deepEqual(await warnings(), ['Prices, contexts or order books were not seen for up to 40 s, 2 times in the last day: how they stood then is not known'])
    await store.insert('hl_gaps', [gap('trades', 'BTC', 0, 10), gap('trades', 'ETH', 4, 20), gap('userFills', '0x1', 2, 3), gap('trades', 'BTC', 0, 10)], 'dealt')
    assert.equal((await warnings())[0], 'Nothing was heard of the venue for up to 20 s, once in the last day: trades may be missing')
    assert.equal((await warnings()).length, 2)
    // What has yet to be asked for is missing until it was.
    await store.insert('hl_gaps', [{ ...gap('trades', '', 100, 190), state: 'waits' }], 'waits')
    assert.equal((await warnings())[0], 'Nothing was heard of the venue for up to 90 s, 2 times in the last day: trades may be missing')
    await store.insert('hl_gaps', [{ ...gap('trades', '', 100, 190), state: 'over' }], 'over')
    assert.equal((await warnings())[0], 'Nothing was heard of the venue for up to 20 s, once in the last day: trades may be missing')
  })

  it('tells a gap seconds after it was noted, where no batch of the venue lands meanwhile, and stops as soon after it is over', async () => {
    const { store } = await freshStore()
    let now = Date.now()
    const coverage = openCoverage(store, () => now)
    const gap = (state: string) => ({ chain: 'HL', block_number: 1, source: 'gap', heard_at: new Date(now).toISOString(), time: new Date(now).toISOString(), channel: 'trades', coin: '', from_time: new Date(now - 60_000).toISOString(), to_time: new Date(now - 30_000).toISOString(), reason: 'cut', generation: 1, state })
    const told = async (): Promise<number> => (await coverage.status('HL')).warnings.filter((one) => one.startsWith('Nothing was heard')).length
    await store.insert('heads', [{ chain: 'HL', number: 1, hash: 'x', block_time: new Date(now).toISOString(), finalized: 1, endpoint: 'venue', observed_at: new Date(now).toISOString() }])
    assert.equal(await told(), 0)
    const waits = gap('waits')
    await store.insert('hl_gaps', [waits], 'waits')
    now += 6_001
    assert.equal(await told(), 1)
    await store.insert('hl_gaps', [{ ...waits, state: 'over' }], 'over')
    now += 6_001
    assert.equal(await told(), 0)
  })

  it('looks for what a venue was not heard of as soon as anything of it was seen', async () => {
    const { store } = await freshStore()
    let now = Date.now()
    const coverage = openCoverage(store, () => now)
    const told = async (): Promise<number> => (await coverage.status('HL')).warnings.filter((one) => one.startsWith('Nothing was heard')).length
    assert.equal(await told(), 0)
    const seen = new Date(now).toISOString()
    await store.insert('hl_gaps', [{ chain: 'HL', block_number: 1, source: 'gap', heard_at: seen, time: seen, channel: 'trades', coin: '', from_time: new Date(now - 60_000).toISOString(), to_time: new Date(now - 30_000).toISOString(), reason: 'cut', generation: 1, state: 'waits' }])
    await store.insert('heads', [{ chain: 'HL', number: 1, hash: 'x', block_time: seen, finalized: 1, endpoint: 'venue', observed_at: seen }])
    now += 6_001
    assert.equal(await told(), 1)
  })

  it('is read again when the ledger grows, within a second', async () => {
    const { store } = await freshStore()
    let now = Date.now()
    const coverage = openCoverage(store, () => now)
    await seed(store, 1, 3)
    const before = await coverage.view()
    await seed(store, 4, 3)
    assert.equal((await coverage.view()).revision, before.revision)
    now += 1_001
    assert.notEqual((await coverage.view()).revision, before.revision)
    assert.equal((await coverage.view()).bounds.get('ETH')?.newest, 6)
    // A rollback deletes blocks before new ones land.
    await store.execute('ALTER TABLE blocks DELETE WHERE block_number > 4 SETTINGS mutations_sync = 2')
    await store.insert('rollbacks_applied', [{ chain: 'ETH', seq: 1, from_block: 5, generation: 1, step: 'deleted', epoch: 1, rows_deleted: 2, writer: 'w' }], 't')
    now += 1_001
    assert.equal((await coverage.view()).bounds.get('ETH')?.newest, 4)
  })

  it('keeps what was read as long as the ledger stands: many callers share one read, one that failed is asked again', async () => {
    const { store } = await freshStore()
    let now = Date.now(), reads = 0
    const coverage = openCoverage(store, () => now)
    await seed(store, 1, 3)
    const read = async () => (await coverage.view()).kept.once('blocks', async (own) => { reads += 1; return own.query('SELECT count() AS count FROM blocks', {}, z.object({ count: z.coerce.number() })) })
    assert.deepEqual([...await Promise.all([read(), read()]), await read(), reads], [[{ count: 3 }], [{ count: 3 }], [{ count: 3 }], 1])
    const fail = async () => (await coverage.view()).kept.once('x', () => { reads += 1; return Promise.reject(new Error('no')) })
    for (const _ of [1, 2]) await assert.rejects(fail())
    assert.equal(reads, 3)
    await seed(store, 4, 3)
    now += 1_001
    assert.deepEqual([await read(), reads], [[{ count: 6 }], 4])
  })

  it('does not wait for a ClickHouse that is there and silent: those who share the read are told, and the next one reads anew', async () => {
    const { store, database, url } = await freshStore()
    await seed(store, 100, 10)
    // More than the 10 s after which a socket that nobody used is not used again: those are dead, too.
    const door = await openDoor(url), behind = openStore(door.url, database, { readOnly: true })
    let now = Date.now()
    const coverage = openCoverage(behind, () => now, 11_000)
    try {
      const before = await coverage.view()
      const kept = before.kept.once('bounds', () => Promise.resolve(before.bounds))
      door.hold()
      now += 1_001
      const asked = performance.now()
      const told = await Promise.allSettled([coverage.view(), coverage.status('ETH')])
      assert.ok(performance.now() - asked < 25_000)
      for (const one of told) assert.deepEqual(one.status === 'rejected' && [one.reason.code, one.reason.status, one.reason.message], ['UPSTREAM_UNAVAILABLE', 503, 'ClickHouse does not answer'])
      door.open()
      const after = await coverage.view()
      assert.deepEqual([after.revision, after.bounds.get('ETH')?.blocks, after.kept.once('bounds', () => Promise.reject(new Error('it was forgotten')))], [before.revision, 10, kept])
    } finally { door.close(); await behind.close() }
  }).timeout(60_000)
})
