/** The schedule on a real Redis: two processes' worth of it, one run at a time; what fails is told and comes again; what Redis lost of it is scheduled again. */
import assert from 'node:assert/strict'
import { Queue } from 'bullmq'
import { pino } from 'pino'
import { z } from 'zod'
import { openStore, type Store } from '../../schemas/clickhouse.js'
import { parseConfig } from '../../schemas/config.js'
import { askerConnection, readyWithin, workerConnection } from '../../workers/queues.js'
import type { Parts } from '../../workers/runner.js'
import { startSchedule, type Task } from '../../workers/schedule.js'
import { keepScheduled } from '../../workers/scheduled.js'
import { startWorkers } from '../../workers/start.js'
import { historyTasks, slowTasks, tasks } from '../../workers/tasks.js'
import { pipelineEnvironment, until } from '../support/pipeline.js'
import { randomName, redisUrl } from '../support/servers.js'

describe('the schedule', function () {
  this.timeout(60_000)
  it('runs each task in its turn and never twice at once, in however many processes; a failed run is not the last', async () => {
    const url = await redisUrl(), config = parseConfig({ QUEUE_PREFIX: randomName('q') }), said: string[] = []
    const log = pino({ level: 'info' }, { write: (line: string) => { said.push(line) } })
    let [running, most, runs, failed, off] = [0, 0, 0, 0, 0]
    const list: Task[] = []
    const enough = new Promise<void>((resolve) => {
      const work: Task = { name: 'work', everySeconds: 1, run: async () => {
        running += 1
        most = Math.max(most, running)
        // Longer than between its runs.
        await new Promise((then) => setTimeout(then, 1_300))
        running -= 1
        runs += 1
        if (runs >= 3 && failed >= 2) resolve()
        return { rows: 7 }
      } }
      const broken: Task = { name: 'broken', everySeconds: 1, run: () => { failed += 1; return Promise.reject(new Error('no such thing')) } }
      const never: Task = { name: 'never', everySeconds: 0, run: () => { off += 1; return Promise.resolve(null) } }
      list.push(work, broken, never)
    })
    const stops: (() => Promise<void>)[] = []
    for (let process = 0; process < 2; process += 1) {
      const [connection, redis] = [workerConnection(url), askerConnection(url)]
      await readyWithin(redis, 5_000)
      const parts = { config, log, redis, store: {} as Store, chains: new Map([['ETH', {}]]) } as unknown as Parts
      const stop = startSchedule(list, parts, connection)
      stops.push(async () => { await stop(); connection.disconnect(); redis.disconnect() })
    }
    await enough
    await Promise.all(stops.map((stop) => stop()))
    assert.equal(off, 0)
    assert.equal(most, 1)
    const lines = said.map((line) => JSON.parse(line) as { task: string; rows?: number; reason?: string; chain?: string })
    assert.ok(lines.some(({ task, rows, chain }) => task === 'work' && rows === 7 && chain === 'ETH'))
    assert.ok(lines.some(({ task, reason }) => task === 'broken' && reason === 'no such thing'))
  })

  it('is whole again after Redis lost it: a run, then a flush of all it holds, then a run', async () => {
    const redis = askerConnection(await redisUrl()), prefix = randomName('q'), queue = new Queue('schedule', { connection: redis, prefix })
    const jobs = [{ name: 'often', every: 60_000, first: 60_000 }, { name: 'never', every: 0 }]
    const raised: Error[] = [], end = keepScheduled(queue, jobs, (error) => { raised.push(error) }, { together: 1, lookMilliseconds: 50 })
    const whole = (): Promise<void> => until(async () => (await queue.getJobScheduler('often'))?.every === 60_000 && await queue.getDelayedCount() === 1 && await queue.getGlobalConcurrency() === 1, 'the schedule is not whole')
    await whole()
    await queue.obliterate({ force: true })
    const keys = await redis.keys(`${prefix}:*`)
    if (keys.length > 0) await redis.del(...keys)
    await whole()
    assert.deepEqual((await queue.getJobSchedulers()).map(({ key }) => key), ['often'])
    const due = (await queue.getJobScheduler('often'))?.next
    await new Promise((then) => setTimeout(then, 300))
    // Looking changes nothing where nothing is missing.
    assert.equal((await queue.getJobScheduler('often'))?.next, due)
    end()
    // Nor does another start, which is never to put off what is due; one that says otherwise does.
    const starts = async (every: number): Promise<number | undefined> => {
      const over = keepScheduled(queue, [{ name: 'often', every, first: every }], (error) => { raised.push(error) }, { together: 1 })
      await new Promise((then) => setTimeout(then, 300))
      over()
      return (await queue.getJobScheduler('often'))?.next
    }
    assert.equal(await starts(60_000), due)
    const other = keepScheduled(queue, [{ name: 'often', every: 50_000, first: 50_000 }], (error) => { raised.push(error) }, { together: 1 })
    await until(async () => (await queue.getJobScheduler('often'))?.every === 50_000, 'the other start says nothing')
    other()
    assert.notEqual((await queue.getJobScheduler('often'))?.next, due)
    await queue.close()
    redis.disconnect()
    assert.deepEqual(raised, [])
  })

  it('is not put off by a clock that was set back: what is due later than it can be runs, after a start and while it is looked at', async () => {
    const redis = askerConnection(await redisUrl()), prefix = randomName('q'), queue = new Queue('schedule', { connection: redis, prefix }), clock = Date.now, hour = 3_600_000
    const jobs = [{ name: 'often', every: 60_000, first: 60_000 }], raised: Error[] = []
    const keep = () => keepScheduled(queue, jobs, (error) => { raised.push(error) }, { together: 1, lookMilliseconds: 50 })
    const ahead = async (put: () => Promise<unknown>): Promise<void> => { Date.now = () => clock() + hour; try { await put() } finally { Date.now = clock } }
    const due = async (): Promise<number> => (await queue.getJobScheduler('often'))?.next ?? Infinity
    const runs = async (what: string): Promise<void> => until(async () => await queue.getWaitingCount() + await queue.getPrioritizedCount() > 0 && await due() < clock() + 130_000, what, 10)
    let end = (): void => undefined
    try {
      await readyWithin(redis, 5_000)
      await ahead(() => queue.upsertJobScheduler('often', { every: 60_000, startDate: Date.now() + 60_000 }, { name: 'often' }))
      assert.ok(await due() > clock() + hour)
      end = keep()
      await runs('a start leaves it where it was')
      // As if the clock were set while the schedule is kept.
      await queue.removeJobScheduler('often')
      await ahead(() => queue.upsertJobScheduler('often', { every: 60_000, startDate: Date.now() + 60_000 }, { name: 'often' }))
      await runs('a look leaves it where it was')
    } finally { end(); await new Promise((then) => setTimeout(then, 200)); await queue.close(); redis.disconnect() }
    assert.deepEqual(raised, [])
  })

  it('is begun by a later look where Redis went away in the middle of the start', async () => {
    const redis = askerConnection(await redisUrl()), prefix = randomName('q'), queue = new Queue('schedule', { connection: redis, prefix })
    await readyWithin(redis, 5_000)
    await queue.upsertJobScheduler('never', { every: 60_000 }, { name: 'never' })
    // Of a version that had other tasks in this queue.
    await queue.upsertJobScheduler('earlier', { every: 60_000 }, { name: 'earlier' })
    const missed: string[] = [], remove = queue.removeJobScheduler.bind(queue)
    queue.removeJobScheduler = (name) => (missed.length === 0 ? Promise.reject(new Error('Connection is closed.')) : remove(name))
    const end = keepScheduled(queue, [{ name: 'often', every: 60_000 }, { name: 'never', every: 0 }], ({ message }) => { missed.push(message) }, { lookMilliseconds: 50 })
    await until(async () => (await queue.getJobSchedulers()).map(({ key }) => key).join() === 'often', 'what was not begun is not made up for')
    assert.deepEqual(missed, ['Connection is closed.'])
    end()
    await queue.close()
    redis.disconnect()
  })

  it('is begun where Redis was silent in the moment of its first question', async () => {
    const url = await redisUrl(), connection = workerConnection(url), redis = askerConnection(url), info = redis.info.bind(redis)
    await readyWithin(redis, 5_000)
    let asked = 0, runs = 0
    redis.info = (() => { asked += 1; return asked === 1 ? Promise.reject(new Error('Command timed out')) : info() }) as typeof redis.info
    const parts = { config: parseConfig({ QUEUE_PREFIX: randomName('q') }), log: pino({ level: 'silent' }), redis, store: {} as Store, chains: new Map() } as unknown as Parts
    const stop = startSchedule([{ name: 'work', everySeconds: 1, whole: true, run: async () => { runs += 1; return Promise.resolve(null) } }], parts, connection)
    await until(async () => Promise.resolve(runs > 0), 'it never runs', 10)
    await stop()
    connection.disconnect()
    redis.disconnect()
  })

  it('is run by a worker of the index stage: classes of addresses land in their turn', async () => {
    const settings = await pipelineEnvironment({ ETH_RPC_URL: 'http://127.0.0.1:9', LABELS_EVERY_SECONDS: '1' }), config = parseConfig(settings)
    const store = openStore(config.CLICKHOUSE_URL ?? '', config.CLICKHOUSE_DATABASE), running = await startWorkers(config, ['index'], pino({ level: 'silent' }))
    const landed = async (): Promise<number> => (await store.query("SELECT count() AS count FROM label_runs WHERE chain = 'ETH' AND step = 'landed'", {}, z.object({ count: z.coerce.number() })))[0]?.count ?? 0
    try { await until(async () => await landed() > 0, 'no run of the rules lands') } finally { await running.drain(); await store.close() }
  })

  it('has lists of others\' servers on a schedule of their own', () => {
    assert.deepEqual(slowTasks(parseConfig({ SANCTIONS_EVERY_SECONDS: '7' })).map(({ name, everySeconds, whole }) => [name, everySeconds, whole]), [['sanctions', 7, true]])
  })

  it('has every task that looks back, each with its own interval', () => {
    const config = parseConfig({ LABELS_EVERY_SECONDS: '1', TRAIN_EVERY_SECONDS: '2', LEADERS_EVERY_SECONDS: '0', TRADERS_EVERY_SECONDS: '3', CLUSTERS_EVERY_SECONDS: '4', SIGNALS_EVERY_SECONDS: '6', REPORT_DAYS_EVERY_SECONDS: '5' })
    assert.deepEqual(tasks(config).map(({ name, everySeconds }) => [name, everySeconds]), [['traders', 3], ['clusters', 4], ['signals', 6], ['report_days', 5]])
    assert.deepEqual(historyTasks(config).map(({ name, everySeconds }) => [name, everySeconds]), [['labels', 1], ['predictions', 2], ['leaders', 0]])
  })
})
