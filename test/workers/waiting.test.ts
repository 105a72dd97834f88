/** What waits for a stage is more than its queue holds: of an ordered stage that has one job per chain, or none where a batch of it gave up. */
import assert from 'node:assert/strict'
import type { Store } from '../../schemas/clickhouse.js'
import { stageNames, type BatchRef, type StageName } from '../../schemas/primitives.js'
import { openLedger, type Planned } from '../../stages/ledger/ledger.js'
import { queuesOf, stageHealth } from '../../api/operations/health/getHealth.js'
import { openPipelineControl, type PipelineControl } from '../../workers/control.js'
import { bury } from '../../workers/deadLetters.js'
import { openPending } from '../../workers/pending.js'
import { ending } from '../support/endings.js'
import { until } from '../support/pipeline.js'
import { freshStore, randomName, redisUrl } from '../support/servers.js'

const made = { rows: 1, bytes: 1, endpoint: 'made' }
const target = 'backfill-1-40-made'
const piece = (from: number, to: number, floor: number): Planned => ({ from, to, hash: `0x${String(to).padStart(64, '0')}`, parentHash: '', target, floor })
/** Batches of ten blocks side by side. */
const tens = (from: number, count: number, floor: number): Planned[] => Array.from({ length: count }, (_, index) => piece(from + index * 10, from + index * 10 + 9, floor))

const setUp = () => {
  let store: Store, control: PipelineControl
  beforeEach(async () => {
    ({ store } = await freshStore())
    control = openPipelineControl(store, await redisUrl(), randomName('q'))
  })
  afterEach(ending(() => control))
  const ledger = () => openLedger(store)
  return {
    store: () => store, control: () => control, ledger,
    plan: async (pieces: readonly Planned[]): Promise<BatchRef[]> => await ledger().plan('ETH', await ledger().position('ETH'), pieces) ?? assert.fail(),
    /** Lands a batch up to a stage. */
    land: async (batch: BatchRef | undefined, last: StageName): Promise<void> => { for (const stage of stageNames.slice(0, stageNames.indexOf(last) + 1)) await ledger().land(batch ?? assert.fail(), stage, made, 1) },
    die: (stage: StageName, batch: BatchRef | undefined): Promise<void> => bury(store, stage, batch ?? assert.fail(), 8, new Error('made')),
  }
}

describe('what waits for a stage', function () {
  this.timeout(30_000)
  const { control, ledger, plan, land, die } = setUp()
  const told = async () => {
    const stages = await stageHealth({ services: { pipeline: control() } } as never)
    return { depths: queuesOf(stages), pressed: stages.filter(({ backpressure }) => backpressure).map(({ stage }) => stage), errors: stages.map(({ errors }) => errors) }
  }

  it('is told from the ledger, whatever the queue holds', async () => {
    const [done, lettered, ...rest] = await plan(tens(0, 104, 0))
    await land(done, 'alert')
    await land(lettered, 'normalize')
    await die('enrich', lettered)
    for (const batch of rest.slice(0, 2)) await land(batch, 'normalize')
    await land(rest[2], 'ingest')
    const { depths, pressed, errors } = await told()
    assert.deepEqual(depths, { head_to_ingest: 99, ingest_to_normalize: 1, normalize_to_enrich: 2, enrich_to_index: 0, index_to_alert: 0 })
    assert.deepEqual([pressed, errors], [[], [0, 0, 1, 0, 0]])
  })

  it('presses from the hundred-and-first batch on, and what a rollback ended waits for nothing', async () => {
    await plan(tens(0, 103, 0))
    assert.deepEqual((await told()).pressed, ['ingest'])
    const { seq, generation } = await ledger().position('ETH')
    await ledger().rollBack('ETH', { seq, generation }, 500, '0x')
    const [again] = await plan(tens(500, 1, 0))
    await land(again, 'index')
    // It is kept for a second at least.
    await until(async () => (await told()).depths.head_to_ingest === 50, 'it is not read anew')
    const { depths, pressed } = await told()
    assert.deepEqual([depths.head_to_ingest, depths.index_to_alert, pressed], [50, 1, []])
  })
})

describe('what waits for a stage, as it is remembered', function () {
  this.timeout(30_000)
  const { store, plan } = setUp()

  it('is half a minute old at most, however long a store that hung took to tell it', async () => {
    let now = 0, hangs = 0
    const slow: Store = { ...store(), query: async (...asked) => { now += hangs; return store().query(...asked) } }
    const pending = openPending(slow, () => now)
    await plan(tens(0, 3, 0))
    hangs = 77_000
    assert.equal((await pending()).get('ingest'), 3)
    hangs = 0
    await plan(tens(100, 2, 100))
    now += 10_000
    assert.equal((await pending()).get('ingest'), 3, 'what took so long is not read at once again')
    now += 20_001
    assert.equal((await pending()).get('ingest'), 5)
  })

  it('is not waited for without end: a store that hangs fails those who ask, and the next are told by one that answers', async () => {
    let hangs = true
    const pending = openPending({ ...store(), query: async (sql, params, row, settings, signal) => (hangs ? await new Promise<never>((_, reject) => { signal?.addEventListener('abort', () => { reject(new Error('given up')) }) }) : store().query(sql, params, row, settings, signal)) }, undefined, 50)
    await plan(tens(0, 3, 0))
    await assert.rejects(pending(), /given up/)
    hangs = false
    assert.equal((await pending()).get('ingest'), 3)
  })
})
