/** What waits for a stage is more than its queue holds: of an ordered stage that has one job per chain, or none where a batch of it gave up. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { stageNames, type BatchRef, type StageName } from '../../schemas/primitives.js'
import { openLedger, type Planned } from '../../stages/ledger/ledger.js'
import { queuesOf, stageHealth } from '../../api/operations/health/getHealth.js'
import { openPipelineControl, type PipelineControl } from '../../workers/control.js'
import { bury } from '../../workers/deadLetters.js'
import { openPending } from '../../workers/pending.js'
import { ending } from '../support/endings.js'
import { ledgerOf, type Landing, type Row } from '../support/randomLedgers.js'
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
    const pending = openPending({ ...store(), query: async (sql, params, row, settings, signal) => (hangs ? await new Promise<never>((_, reject) => { signal?.addEventListener('abort', () => { reject(new Error('given up')) }) }) : store().query(sql, params, row, settings, signal)) }, undefined, 2_000)
    await plan(tens(0, 3, 0))
    await assert.rejects(pending(), /given up/)
    hangs = false
    assert.equal((await pending()).get('ingest'), 3)
  })
})

describe('what waits for a stage, as a ledger grows', function () {
  this.timeout(120_000)
  const { store } = setUp()
  const planRow = ({ from, to, ...row }: Row) => ({ ...row, from_block: from, to_block: to, hash: 'x', parent_hash: '', target: 't', floor: 0, writer: 'w', at: '2026-01-01T00:00:00Z' })
  const landingRow = ({ chain, stage, from, to, generation }: Landing) => ({ chain, stage, from_block: from, to_block: to, hash: 'x', generation, rows: 1, bytes: 1, milliseconds: 1, endpoint: '', finished_at: '2026-01-01T00:00:00Z' })

  it('is the same for who has counted it all along and for who counts it all at once, through rollbacks and late landings', async () => {
    let now = 0
    const pending = openPending(store(), () => now), ledgers = ['C1', 'C2'].map((chain, index) => ledgerOf(chain, index + 1, 10 + index * 15))
    const seen = new Set<string>()
    for (let seq = 1; seq <= 40; seq += 1) {
      const plans = ledgers.flatMap(({ plan }) => plan.filter((one) => one.seq === seq))
      // Each stage of a batch lands one step of the plan after the one before.
      const landed = ledgers.flatMap(({ landings }) => landings.filter((one) => one.seq + stageNames.indexOf(one.stage as StageName) === seq))
      if (plans.length > 0) await store().insert('plans', plans.map(planRow))
      if (landed.length > 0) await store().insert('batches', landed.map(landingRow))
      now += 60_000
      const told = [...await pending()]
      assert.deepEqual(told, [...await openPending(store())()], `at place ${seq}`)
      seen.add(JSON.stringify(told))
    }
    assert.ok(seen.size > 20, `${seen.size} different counts`)
    // By another way: each live batch with each stage it has landed.
    const reached = await store().query(`SELECT p.stage AS stage, toFloat64(countIf(p.place = 1 OR b.stages[p.place - 1] != '')) AS come, toFloat64(countIf(b.stages[p.place] != '')) AS landed
      FROM (SELECT l.chain AS chain, l.from_block AS from_block, l.generation AS generation, arrayMap(stage -> if(has(groupArray(toString(d.stage)), stage), stage, ''), {stages:Array(String)}) AS stages
        FROM live_batches AS l LEFT JOIN batches AS d ON d.chain = l.chain AND d.from_block = l.from_block AND d.generation = l.generation GROUP BY chain, from_block, generation) AS b
      ARRAY JOIN {stages:Array(String)} AS stage, arrayEnumerate({stages:Array(String)}) AS place GROUP BY stage`.replaceAll('p.stage', 'stage').replaceAll('p.place', 'place'), { stages: stageNames }, z.object({ stage: z.enum(stageNames), come: z.number(), landed: z.number() }))
    now += 60_000
    const told = await pending()
    for (const { stage, come, landed } of reached) assert.equal(told.get(stage), come - landed, stage)
  })

  it('is counted without what was through before, however long the plan is, and what gave up far below is counted on', async () => {
    let now = 0, rows = '0'
    const narrow: Store = { ...store(), query: async (sql, params, row, settings, signal) => store().query(sql, params, row, typeof sql === 'string' ? settings : { ...settings, max_rows_to_read: rows }, signal) }
    await store().execute("INSERT INTO plans (chain, seq, kind, from_block, to_block, generation) SELECT 'C1', number + 1, 'plan', number, number, 0 FROM numbers(600000)")
    await store().execute("INSERT INTO batches (chain, stage, from_block, to_block, generation) SELECT 'C1', arrayJoin({stages:Array(String)}) AS name, number, number, 0 FROM numbers(600000) WHERE number != 300 OR name IN ('ingest', 'normalize')", { stages: stageNames })
    const pending = openPending(narrow, () => now), counts = async () => [...(await pending()).values()]
    assert.deepEqual(await counts(), [0, 0, 1, 0, 0])
    rows = '100000'
    await store().execute("INSERT INTO plans (chain, seq, kind, from_block, to_block, generation) SELECT 'C1', number + 1, 'plan', number, number, 0 FROM numbers(600000, 3)")
    now += 60_000
    assert.deepEqual(await counts(), [3, 0, 1, 0, 0])
    await store().execute("INSERT INTO batches (chain, stage, from_block, to_block, generation) SELECT 'C1', 'enrich', 300, 300, 0")
    now += 60_000
    assert.deepEqual(await counts(), [3, 0, 0, 1, 0])
  })

  it('is counted in full where more stand still than are remembered one by one', async () => {
    let now = 0
    await store().execute("INSERT INTO plans (chain, seq, kind, from_block, to_block, generation) SELECT 'C1', number + 1, 'plan', number, number, 0 FROM numbers(300000)")
    await store().execute("INSERT INTO batches (chain, stage, from_block, to_block, generation) SELECT 'C1', arrayJoin({stages:Array(String)}) AS name, number, number, 0 FROM numbers(300000) WHERE number % 100 != 0 OR name = 'ingest'", { stages: stageNames })
    const pending = openPending(store(), () => now), counts = async () => [...(await pending()).values()]
    for (let times = 0; times < 3; times += 1, now += 60_000) assert.deepEqual(await counts(), [0, 3000, 0, 0, 0])
    await store().execute("INSERT INTO batches (chain, stage, from_block, to_block, generation) SELECT 'C1', arrayJoin({stages:Array(String)}), number * 100, number * 100, 0 FROM numbers(2000)", { stages: stageNames })
    for (let times = 0; times < 3; times += 1, now += 60_000) assert.deepEqual(await counts(), [0, 1000, 0, 0, 0])
    await store().insert('plans', [{ chain: 'C1', seq: 300_001, kind: 'rollback', from_block: 250_000, to_block: 0, generation: 1 }])
    assert.deepEqual(await counts(), [0, 500, 0, 0, 0])
  })

  it('is counted anew where another ledger was put in its place: at once where that is shorter, within an hour where it is not', async () => {
    let now = 0
    const pending = openPending(store(), () => now), counts = async () => { now += 60_000; return [...(await pending()).values()] }
    const put = async (batches: number, landed: number) => {
      for (const table of ['plans', 'batches']) await store().execute(`TRUNCATE TABLE ${table}`)
      await store().execute("INSERT INTO plans (chain, seq, kind, from_block, to_block, generation) SELECT 'C1', number + 1, 'plan', number, number, 0 FROM numbers({batches:UInt64})", { batches })
      await store().execute("INSERT INTO batches (chain, stage, from_block, to_block, generation) SELECT 'C1', arrayJoin({stages:Array(String)}), number, number, 0 FROM numbers({landed:UInt64})", { stages: stageNames, landed })
    }
    await put(20, 20)
    assert.deepEqual(await counts(), [0, 0, 0, 0, 0])
    await put(10, 4)
    assert.deepEqual(await counts(), [6, 0, 0, 0, 0])
    await put(12, 12)
    await counts()
    await put(30, 5)
    now += 3_600_000
    assert.deepEqual(await counts(), [25, 0, 0, 0, 0])
  })
})
