/** Jobs given again while an ordered stage stands still: the lowest batch alone may go on, and the others are not asked about one by one. */
import assert from 'node:assert/strict'
import { batchKey, stageNames, type BatchRef, type StageName } from '../../schemas/primitives.js'
import { openLedger } from '../../stages/ledger/ledger.js'
import { bury, deadId, revive } from '../../workers/deadLetters.js'
import { openPlanner } from '../support/planner.js'
import { freshStore } from '../support/servers.js'

describe('jobs that are given again', function () {
  this.timeout(60_000)

  it('are those that may go on; of what waits behind them nothing is asked', async () => {
    const { store } = await freshStore(), ledger = openLedger(store)
    let asked = 0
    const none = async () => { throw new Error('no node is asked') }
    const planner = await openPlanner(store, { head: none, header: none }, {}, { ...ledger, isNext: (batch, stage) => { asked += 1; return ledger.isNext(batch, stage) } })
    const waiting = async (): Promise<number[]> => (await planner.queues.enrich.getJobs()).map(({ data }) => (data as { from: number }).from).sort((one, other) => one - other)
    try {
      // Two stretches, each on ground of its own.
      const batches = await ledger.plan('ETH', { seq: 0, generation: 0 }, [...Array.from({ length: 200 }, (_, n) => [1 + n, 1] as const), ...Array.from({ length: 50 }, (_, n) => [501 + n, 501] as const)].map(([from, floor]) => ({ from, to: from, hash: `0x${from.toString(16).padStart(64, '0')}`, parentHash: '', target: 't', floor })))
      for (const stage of ['ingest', 'normalize']) await store.execute(`INSERT INTO batches SELECT 'ETH', {stage:String}, l.from_block, l.to_block, l.hash, l.generation, 1, 1, 1, '', now64(3) FROM live_batches AS l`, { stage })
      await planner.rescue()
      assert.deepEqual(await waiting(), [1, 501])
      assert.ok(asked <= 2, `${asked} of ${batches?.length ?? 0} batches were asked about`)
      await ledger.land(batches?.[0] ?? assert.fail(), 'enrich', { rows: 0, bytes: 0, endpoint: '' }, 1)
      await planner.rescue()
      assert.deepEqual(await waiting(), [1, 2, 501], 'the next is given its job')
    } finally { await planner.stop() }
  })

  it('are of all batches, however many; those of a stage that is paused wait until it goes on', async () => {
    const { store } = await freshStore(), many = 20_100
    const none = async () => { throw new Error('no node is asked') }
    const planner = await openPlanner(store, { head: none, header: none })
    const count = async (stage: 'normalize' | 'alert'): Promise<number> => planner.queues[stage].getJobCountByTypes('wait', 'prioritized')
    try {
      await store.execute(`INSERT INTO plans (chain, seq, kind, from_block, to_block, hash, parent_hash, generation, target, floor, writer, at)
        SELECT 'ETH', 1, 'plan', number + 1, number + 1, concat('0x', leftPad(lower(hex(number + 1)), 64, '0')), '', 0, 'follow', 1, 'test', now64(3) FROM numbers({many:UInt32})`, { many })
      await store.execute(`INSERT INTO batches (chain, stage, from_block, to_block, hash, generation)
        SELECT chain, arrayJoin(if(from_block = {many:UInt32}, ['ingest'], ['ingest', 'normalize', 'enrich', 'index'])), from_block, to_block, hash, generation FROM plans`, { many })
      await planner.rescue(new Set(['alert']))
      assert.deepEqual([await count('normalize'), await count('alert')], [1, 0])
      await planner.rescue()
      assert.deepEqual([await count('normalize'), await count('alert')], [1, many - 1])
    } finally { await planner.stop() }
  })

  it('are looked for from the lowest batch on that is not through, and below it only where something was planned since or a letter is gone', async () => {
    const { store } = await freshStore(), ledger = openLedger(store), from: number[] = []
    const none = async () => { throw new Error('no node is asked') }
    const planner = await openPlanner(store, { head: none, header: none }, {}, { ...ledger, unfinished: (chain, limit, low, resting) => { from.push(low ?? 0); return ledger.unfinished(chain, limit, low, resting) } })
    const lookedFrom = async (resting?: ReadonlySet<StageName>): Promise<number[]> => { from.length = 0; await planner.rescue(resting); return [...from] }
    const piece = (number: number) => ({ from: number, to: number, hash: `0x${number.toString(16).padStart(64, '0')}`, parentHash: '', target: 't', floor: number })
    const land = async (batches: readonly BatchRef[], stages: readonly StageName[] = stageNames): Promise<void> => { for (const batch of batches) for (const stage of stages) await ledger.land(batch, stage, { rows: 0, bytes: 0, endpoint: '' }, 1) }
    const waiting = async (): Promise<unknown[]> => (await planner.queues.alert.getJobs()).map(({ data }) => data.from)
    try {
      const [one, two, three, four, five] = await ledger.plan('ETH', { seq: 0, generation: 0 }, [10, 11, 12, 13, 14].map(piece)) ?? []
      assert.ok(one !== undefined && two !== undefined && three !== undefined && four !== undefined && five !== undefined)
      await land([one, three, four])
      await land([two], ['ingest', 'normalize', 'enrich', 'index'])
      await bury(store, 'alert', two, 8, new Error('x'))
      assert.deepEqual(await lookedFrom(), [0])
      assert.deepEqual(await lookedFrom(), [14], 'what gave up is not looked at again')
      await land([five], ['ingest', 'normalize', 'enrich', 'index'])
      const [six] = await ledger.plan('ETH', { seq: 1, generation: 0 }, [piece(15)]) ?? []
      assert.deepEqual(await lookedFrom(new Set(['alert'])), [14])
      assert.deepEqual(await lookedFrom(), [14], 'what rested is not through')
      assert.deepEqual(await waiting(), [14])
      await land([five, six ?? assert.fail()])
      assert.deepEqual([await lookedFrom(), await lookedFrom()], [[14], []])
      await revive(store, [deadId('alert', two)])
      assert.deepEqual(await lookedFrom(), [11])
      assert.deepEqual((await waiting()).sort(), [11, 14])
      await land([two])
      assert.deepEqual([await lookedFrom(), await lookedFrom()], [[11], []])
      // A backfill far below, and what is planned anew after a rollback.
      await land(await ledger.plan('ETH', { seq: 2, generation: 0 }, [piece(3)]) ?? [])
      assert.deepEqual([await lookedFrom(), await lookedFrom()], [[3], []])
      await ledger.rollBack('ETH', { seq: 3, generation: 0 }, 13, '0xaa')
      await ledger.plan('ETH', { seq: 4, generation: 1 }, [piece(13)])
      assert.deepEqual([await lookedFrom(), await lookedFrom()], [[13], [13]])
    } finally { await planner.stop() }
  })

  it('are those that failed without a letter, too', async () => {
    const { store } = await freshStore(), ledger = openLedger(store)
    const none = async () => { throw new Error('no node is asked') }
    const planner = await openPlanner(store, { head: none, header: none }), queue = planner.queues.ingest
    try {
      const [batch = assert.fail()] = await ledger.plan('ETH', { seq: 0, generation: 0 }, [{ from: 1, to: 1, hash: `0x${'1'.padStart(64, '0')}`, parentHash: '', target: 't', floor: 1 }]) ?? []
      await planner.rescue()
      const [job = assert.fail()] = await queue.getJobs()
      const id = job.id ?? ''
      await planner.redis.multi().zrem(queue.toKey('prioritized'), id).lrem(queue.toKey('wait'), 0, id).zadd(queue.toKey('failed'), Date.now(), id).exec()
      assert.equal(await job.getState(), 'failed')
      await planner.rescue()
      assert.deepEqual((await queue.getJobs(['wait', 'prioritized'])).map(({ data }) => data.from), [batch.from])
    } finally { await planner.stop() }
  })

  it('are not those that wait until a time by a clock that was set back since: they go on', async () => {
    const { store } = await freshStore(), ledger = openLedger(store), clock = Date.now
    const none = async () => { throw new Error('no node is asked') }
    const planner = await openPlanner(store, { head: none, header: none }), queue = planner.queues.ingest
    const states = async (): Promise<string[]> => Promise.all((await queue.getJobs()).sort((one, other) => one.data.from - other.data.from).map((job) => job.getState()))
    try {
      const batches = await ledger.plan('ETH', { seq: 0, generation: 0 }, [1, 2].map((number) => ({ from: number, to: number, hash: `0x${String(number).padStart(64, '0')}`, parentHash: '', target: 't', floor: number }))) ?? []
      const put = (batch: BatchRef = assert.fail(), delay: number) => queue.add('ingest', batch, { jobId: batchKey(batch), delay })
      Date.now = () => clock() + 3_600_000
      await put(batches[0], 1_000)
      Date.now = clock
      await put(batches[1], 60_000)
      await planner.rescue(new Set(['ingest']))
      assert.deepEqual(await states(), ['delayed', 'delayed'], 'a stage that rests is not touched')
      await planner.rescue()
      assert.deepEqual(await states(), ['waiting', 'delayed'])
    } finally { Date.now = clock; await planner.stop() }
  })
})
