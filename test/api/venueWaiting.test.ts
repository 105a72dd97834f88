/** What was heard of a venue and not worked out is no answer. */
import assert from 'node:assert/strict'
import { openCoverage } from '../../api/coverage.js'
import type { Store } from '../../schemas/clickhouse.js'
import { freshStore } from '../support/servers.js'
import { seed, seedHead } from './support/seed.js'

const iso = (at: number): string => new Date(at).toISOString()
const head = (store: Store, number: number, at: number): Promise<void> => store.insert('heads', [{ chain: 'HL', number, hash: 'x', block_time: iso(at), finalized: number, endpoint: 'venue', observed_at: iso(at) }])
const landed = (store: Store, from: number, to: number, stage = 'enrich'): Promise<void> =>
  store.insert('batches', [{ chain: 'HL', stage, from_block: from, to_block: to, hash: '0xab', generation: 0, rows: 1, bytes: 1, milliseconds: 1, endpoint: '', finished_at: iso(Date.now()) }], `${stage} ${from} ${to}`)
const control = (store: Store, name: string, state: string, reason = ''): Promise<void> => store.insert('controls', [{ name, state, reason, changed_by: 'test', changed_at: iso(Date.now()) }])

describe('what waits of a venue', () => {
  /** A store of which nothing but a venue was heard: coverage by a clock that is moved, and what it says besides that accounts are followed alone. */
  const opened = async () => {
    const { store } = await freshStore()
    const clock = { now: Date.now() }, coverage = openCoverage(store, () => clock.now)
    const said = async () => {
      clock.now += 6_001
      const { data_fresh: fresh, warnings } = await coverage.status('HL')
      return [fresh, await coverage.silence('HL', 'perps'), ...warnings.slice(0, -1)]
    }
    return { store, clock, coverage, said }
  }

  it('is what a start and the stages are seconds behind; a minute of it is too much, however few the segments are or many the ones that landed', async () => {
    const { store, clock, said } = await opened()
    const start = clock.now
    await head(store, 1, start)
    assert.deepEqual(await said(), [true, null])
    await landed(store, 1, 1)
    // Two thousand segments in a second, as files that are read make them: the oldest is seconds old.
    await head(store, 2, start + 5_000)
    await head(store, 2_000, start + 6_000)
    assert.deepEqual(await said(), [true, null])
    // They go on, and nothing lands.
    clock.now = start + 50_000
    await head(store, 2_001, clock.now)
    assert.deepEqual(await said(), [true, null])
    clock.now = start + 7_200_000
    await head(store, 2_002, clock.now)
    assert.deepEqual(await said(), [false, 'stale_pipeline', 'What was heard in the last 2 h has not been worked out yet'])
    await landed(store, 2, 2_000)
    assert.equal((await said())[2], 'What was heard in the last 119 min has not been worked out yet')
    await landed(store, 2_001, 2_002, 'normalize')
    assert.equal((await said())[0], false, 'a stage before is none of it')
    await landed(store, 2_001, 2_002)
    assert.deepEqual(await said(), [true, null])
  })

  it('is told with what holds it: pauses at once, a halt as no news', async () => {
    const { store, clock, said } = await opened()
    await head(store, 1, clock.now)
    await landed(store, 1, 1)
    assert.deepEqual(await said(), [true, null])
    await control(store, 'stage:enrich', 'paused')
    await control(store, 'stage:alert', 'paused')
    assert.deepEqual(await said(), [true, null, 'Paused: enrich: what is heard waits', 'Paused: alert: no alerts are made of what is heard'])
    for (const stage of ['enrich', 'alert']) await control(store, `stage:${stage}`, 'running')
    await control(store, 'pipeline', 'paused')
    assert.deepEqual(await said(), [true, null, 'The pipeline is paused'])
    await control(store, 'pipeline', 'running')
    await control(store, 'chain:HL', 'halted', 'why not')
    assert.deepEqual(await said(), [false, 'stale_pipeline', 'HL is halted: why not'])
  })

  it('is missing where a batch gave up, until it is redriven, lands after all, or is planned no more', async () => {
    const { store, clock, said } = await opened()
    const letter = (from: number, state: string, at: number) => ({
      id: `enrich ${from}`, chain: 'HL', stage: 'enrich', from_block: from, to_block: from + 9, hash: `0x${from}`, generation: 0, code: 'X', cause: '', endpoint: '', attempts: 8, state, first_at: iso(clock.now), at: iso(at),
    })
    const plan = (seq: number, from: number) => ({ chain: 'HL', seq, kind: 'plan', from_block: from, to_block: from + 9, hash: `0x${from}`, parent_hash: '', generation: 0, target: '', floor: 1, writer: 'w', at: iso(clock.now) })
    await head(store, 40, clock.now)
    await landed(store, 31, 40)
    await store.insert('plans', [plan(1, 1), plan(2, 11)], 'plans')
    await store.insert('dead_letters', [1, 11, 21].map((from) => letter(from, 'dead', clock.now)), 'letters')
    assert.deepEqual(await said(), [true, 'data_gap', '2 batches of what was heard between segments 1 and 20 failed for good (enrich) and are missing until they are redriven'], 'the third is not planned')
    await store.insert('batches', [{ chain: 'HL', stage: 'enrich', from_block: 1, to_block: 10, hash: '0x1', generation: 0, rows: 1, bytes: 1, milliseconds: 1, endpoint: '', finished_at: iso(clock.now) }], 'late')
    assert.match(String((await said())[2]), /^1 batches of what was heard between segments 11 and 20 /)
    await store.insert('dead_letters', [letter(11, 'redriven', clock.now + 1)], 'redriven')
    assert.deepEqual(await said(), [true, null])
  })

  it('counts for all chains together where perps are asked for; of a venue that was never heard silence is a gap', async () => {
    const { store, clock, coverage } = await opened()
    const all = async () => {
      const [plain, perps] = [await coverage.status('ALL'), await coverage.status('ALL', 'perps')]
      return [plain.tier, plain.data_fresh, await coverage.silence('ALL'), perps.tier, perps.data_fresh, await coverage.silence('ALL', 'perps')]
    }
    await seed(store, 100, 10)
    await seedHead(store, 109)
    assert.deepEqual(await all(), ['live', true, null, 'live', true, 'data_gap'])
    assert.ok((await coverage.status('ALL', 'perps')).warnings.includes('HL: No perps data have been received yet'))
    await head(store, 1, clock.now)
    await landed(store, 1, 1)
    clock.now += 6_001
    assert.deepEqual(await all(), ['live', true, null, 'live', true, null])
    clock.now += 70_000
    assert.deepEqual(await all(), ['live', true, null, 'stale', false, 'stale_pipeline'])
    assert.equal(await coverage.silence('ETH', 'perps'), null)
  })
})
