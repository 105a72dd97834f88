/** Blocks of a batch that gave up are on their way no more: a chain that waits for them trails at once. */
import assert from 'node:assert/strict'
import { openCoverage } from '../../api/coverage.js'
import { freshStore } from '../support/servers.js'
import { seed, seedHead, seedTarget } from './support/seed.js'

describe('a chain', () => {
  it('trails a batch that gave up at the tip, however few blocks wait above it, and misses one below, until it is redriven or lands after all', async () => {
    const { store } = await freshStore()
    let now = Date.now()
    const coverage = openCoverage(store, () => now)
    const told = async () => { now += 1_001; const { tier, data_fresh: fresh, warnings } = await coverage.status('ETH'); return [await coverage.silence('ETH'), tier, fresh, ...warnings] }
    const letter = (stage: string, from: number, to: number, more: object = {}) => store.insert('dead_letters', [{
      id: `${stage} ${from}`, chain: 'ETH', stage, from_block: from, to_block: to, hash: 'x', generation: 0, code: 'BAD_ANSWER', cause: '', endpoint: '', attempts: 8, state: 'dead', first_at: new Date().toISOString(), at: new Date().toISOString(), ...more,
    }])
    const without = (from: number, stages: readonly string[]) => store.execute('DELETE FROM batches WHERE from_block = {from:UInt64} AND stage IN {stages:Array(String)}', { from, stages })
    const failed = (which: string): string => `${which}: what happened in them is in no answer, or in part, until they are redriven`
    await seed(store, 100, 13)
    await seed(store, 113, 1)
    await seed(store, 114, 4)
    await seedHead(store, 117)
    for (const from of [113, 114]) await without(from, ['enrich', 'index', 'alert'])
    assert.deepEqual(await told(), [null, 'live', true], 'some always wait')
    await letter('enrich', 113, 113)
    const trails = ['stale_pipeline', 'stale', false]
    const waits = '5 of the newest blocks have not been worked out yet: what happened in them is in no answer, or in part'
    assert.deepEqual(await told(), [...trails, waits, failed('1 blocks between 113 and 113 failed for good (enrich)')])
    // Nothing has been fetched above it.
    await letter('ingest', 114, 117)
    await without(114, ['ingest', 'normalize'])
    assert.deepEqual(await told(), [...trails, '1 of the newest blocks have not been worked out yet: what happened in them is in no answer, or in part', failed('5 blocks between 113 and 117 failed for good (enrich, ingest)')])
    // One is redriven; what stood above it goes through beside the other, that lacks index alone.
    await letter('ingest', 114, 117, { state: 'redriven', at: new Date(Date.now() + 1_000).toISOString() })
    await letter('enrich', 113, 113, { state: 'redriven', at: new Date(Date.now() + 1_000).toISOString() })
    await store.execute("INSERT INTO batches SELECT 'ETH', stage, from_block, to_block, 'x', 0, 1, 1, 40, 'node', now64(3) FROM values('from_block UInt64, to_block UInt64', (113, 113), (114, 117)) ARRAY JOIN if(from_block = 113, ['enrich'], ['ingest', 'normalize', 'enrich', 'index', 'alert']) AS stage")
    assert.deepEqual(await told(), [null, 'live', true])
    await letter('index', 113, 113)
    assert.deepEqual(await told(), ['data_gap', 'live', true, failed('1 blocks between 113 and 113 failed for good (index)')])
    await store.execute("INSERT INTO batches SELECT 'ETH', 'index', 113, 113, 'x', 0, 1, 1, 40, 'node', now64(3)")
    assert.deepEqual(await told(), [null, 'live', true])
    // What lies below all that is indexed is no hole in it, and letters of what nobody wants any more, or a rollback ended, mean nothing.
    await letter('ingest', 40, 49, { hash: '' })
    await letter('enrich', 90, 99)
    assert.deepEqual(await told(), [null, 'live', true])
    await seedTarget(store, 45, 60)
    now += 5_000
    assert.deepEqual(await told(), [null, 'live', true, failed('10 blocks between 40 and 49 failed for good (ingest)')])
  })
})
