/** A backfill above a batch that gave up: enrich goes up block by block, so what is above waits until that is redriven. */
import assert from 'node:assert/strict'
import type { Store } from '../../schemas/clickhouse.js'
import { stageNames, type BatchRef, type StageName } from '../../schemas/primitives.js'
import { openLedger, writeTarget } from '../../stages/ledger/ledger.js'
import { stateOf } from '../../workers/backfillState.js'
import { openPipelineControl, type PipelineControl } from '../../workers/control.js'
import { bury, deadId, revive } from '../../workers/deadLetters.js'
import { ending } from '../support/endings.js'
import { freshStore, randomName, redisUrl } from '../support/servers.js'

describe('a backfill above a batch that gave up', function () {
  this.timeout(30_000)
  let store: Store, control: PipelineControl
  beforeEach(async () => {
    ({ store } = await freshStore())
    control = openPipelineControl(store, await redisUrl(), randomName('q'))
  })
  afterEach(ending(() => control))

  const want = (from: number, to: number): Promise<void> => writeTarget(store, 'ETH', { id: `backfill-${from}-${to}`, kind: 'backfill', from, to, by: 'test' })
  /** Batches of ten blocks from each of `froms` on. */
  const plan = async (froms: readonly number[], floor: number): Promise<BatchRef[]> => {
    const ledger = openLedger(store)
    return await ledger.plan('ETH', await ledger.position('ETH'), froms.map((from) => ({ from, to: from + 9, hash: `0x${String(from).padStart(64, '0')}`, parentHash: '', target: '', floor }))) ?? assert.fail()
  }
  const land = async (batch: BatchRef | undefined, last: StageName): Promise<void> => {
    for (const stage of stageNames.slice(0, stageNames.indexOf(last) + 1)) await openLedger(store).land(batch ?? assert.fail(), stage, { rows: 1, bytes: 1, endpoint: 'made' }, 1)
  }
  const die = (stage: StageName, batch: BatchRef | undefined): Promise<void> => bury(store, stage, batch ?? assert.fail(), 8, new Error('made'))
  const told = async (from: number, to: number) => {
    const one = await control.backfillOf(`backfill-${from}-${to}`)
    return [one.indexed, one.givenUp, one.held, stateOf(one)]
  }

  for (const stage of ['ingest', 'normalize', 'enrich'] as const) it(`has given up where the rest waits for one that died at ${stage}, and is under way again when that is redriven`, async () => {
    await want(1, 50)
    const [low, dead, waits, unread] = await plan([1, 11, 21, 31], 1)
    await land(low, 'alert')
    if (stage !== 'ingest') await land(dead, stage === 'enrich' ? 'normalize' : 'ingest')
    await land(waits, 'normalize')
    assert.deepEqual(await told(1, 50), [10, 0, 0, 'under_way'])
    await die(stage, dead)
    await die('normalize', unread)
    // The last ten are not planned yet.
    assert.deepEqual(await told(1, 50), [10, 20, 20, 'gave_up'])
    await revive(store, [deadId(stage, dead ?? assert.fail())])
    assert.deepEqual(await told(1, 50), [10, 10, 10, 'under_way'])
    await land(dead, 'enrich')
    await land(waits, 'alert')
    await land(dead, 'alert')
    assert.deepEqual(await told(1, 50), [30, 10, 10, 'gave_up'])
  })

  it('goes on where a batch died behind enrich, and where no node has the blocks between', async () => {
    await want(1, 50)
    const [low, high] = await plan([1, 41], 1)
    await land(low, 'enrich')
    await die('index', low)
    assert.deepEqual(await told(1, 50), [0, 10, 0, 'under_way'])
    await want(101, 150)
    const [dead] = await plan([101], 101)
    await die('enrich', dead)
    await bury(store, 'ingest', { chain: 'ETH', from: 111, to: 120, hash: '', generation: 0, floor: 111 }, 8, new Error('no node has them'))
    assert.deepEqual(await told(101, 150), [0, 20, 0, 'under_way'])
    assert.deepEqual(await told(1, 50), [0, 10, 0, 'under_way'])
    await land(high, 'alert')
    assert.deepEqual(await told(1, 50), [10, 10, 0, 'under_way'])
  })

  it('is held by one below its own first block only where it stands on that', async () => {
    await want(1, 20)
    await want(21, 40)
    await want(41, 60)
    const [dead] = await plan([1], 1)
    await die('enrich', dead)
    // Of what is not planned nobody knows yet on what it will stand.
    assert.deepEqual(await Promise.all([told(1, 20), told(21, 40), told(41, 60)]), [[0, 10, 10, 'gave_up'], [0, 0, 0, 'under_way'], [0, 0, 0, 'under_way']])
    await plan([11, 21, 31], 1)
    // It begins within the batch that died.
    await want(5, 30)
    assert.deepEqual(await told(5, 30), [0, 6, 20, 'gave_up'])
    assert.deepEqual(await told(21, 40), [0, 0, 20, 'gave_up'])
    await plan([41], 41)
    assert.deepEqual(await told(41, 60), [0, 0, 0, 'under_way'])
    assert.deepEqual(await told(1, 20), [0, 10, 10, 'gave_up'])
  })
})
