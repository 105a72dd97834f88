/** A disk of ClickHouse that is full: told where nothing can be written, with an incident where something can, and over when there is room. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { AppError } from '../../schemas/errors.js'
import * as metrics from '../../workers/metrics.js'
import { askerConnection, readyWithin } from '../../workers/queues.js'
import { watchRoom } from '../../workers/room.js'
import { openPipelineControl } from '../../workers/control.js'
import { startService } from '../api/support/service.js'
import { until } from '../support/pipeline.js'
import { freshStore, randomName, redisUrl } from '../support/servers.js'

describe('a full disk of ClickHouse', function () {
  this.timeout(60_000)

  it('is told by health, status and metrics from the first refused write on, for a minute', async () => {
    const url = await redisUrl(), redis = askerConnection(url), prefix = randomName('q')
    await readyWithin(redis, 5_000)
    const service = await startService({ QUEUE_PREFIX: prefix }, { redisUrl: url, pipeline: undefined as never })
    const full: Store = { ...service.store, insert: () => Promise.reject(new AppError('STORE_FULL', 'The disk of ClickHouse is full', { status: 503, retry: 'wait' })) }
    const room = watchRoom(service.store, redis, prefix), store = room.through(full)
    const told = async (): Promise<unknown[]> => [(await service.call('GET /health', { key: null })).body.system.clickhouse_writable, (await service.call('GET /v1/pipeline/status', { key: service.adminKey })).body.clickhouse_writable]
    const open = () => service.store.query("SELECT kind FROM incidents FINAL WHERE id = 'store_full' AND closed_at IS NULL", {}, z.object({ kind: z.string() }))
    try {
      assert.deepEqual(await told(), [true, true])
      await assert.rejects(store.insert('no_such_table', [{}]), { code: 'STORE_FULL' })
      assert.match(await metrics.registry.metrics(), /hydrophone_store_full 1/)
      await until(async () => (await told()).every((one) => one === false), 'it is not told', 10)
      await until(async () => (await open()).length === 1, 'no incident is opened', 10)
      const left = await redis.ttl(`${prefix}:full`)
      assert.ok(left > 0 && left <= 60, String(left))
      await redis.del(`${prefix}:full`)
      await until(async () => (await told()).every((one) => one === true), 'it is told though it is over', 10)
      assert.equal(await store.execute('INSERT INTO controls SELECT * FROM controls WHERE 0'), 0, 'what finds room is written')
      await assert.rejects(store.execute('INSERT INTO no_such_table SELECT 1'), { code: 'STORE_EMPTY' })
      assert.equal(await redis.exists(`${prefix}:full`), 0, 'another failure is none of room')
    } finally { room.stop(); await service.stop(); redis.disconnect() }
  })

  it('whose file system is read-only, whose quota is used up or whose files are at their limit says so, each in an incident of its own', async () => {
    const redis = askerConnection(await redisUrl()), prefix = randomName('q'), { store: own } = await freshStore(), lines: string[] = []
    await readyWithin(redis, 5_000)
    let ails = ''
    const refuse = (): Promise<never> => Promise.reject(new AppError(ails, `${ails} it is`, { status: 503, retry: 'wait' })), ill: Store = { ...own, insert: refuse, query: refuse }
    const room = watchRoom(own, redis, prefix, { warn: (_: object, text: string) => { lines.push(text) }, info: () => undefined } as never), store = room.through(ill)
    const open = async () => (await own.query("SELECT id, kind, detail FROM incidents FINAL WHERE closed_at IS NULL ORDER BY opened_at", {}, z.object({ id: z.string(), kind: z.string(), detail: z.string() })))
    try {
      for (const [nth, code] of ['STORE_READ_ONLY', 'STORE_QUOTA', 'STORE_FILES'].entries()) {
        ails = code
        // What is read needs files, too.
        const ask = (): Promise<unknown> => (code === 'STORE_FILES' ? store.query('SELECT 1', {}, z.object({})) : store.insert('x', [{}]))
        for (let times = 0; times < 3; times++) await assert.rejects(ask(), { code })
        assert.ok(await redis.exists(`${prefix}:full`))
        await until(async () => { await ask().catch(() => undefined); return (await open()).length === nth + 1 }, 'no incident is opened', 10)
      }
      assert.deepEqual((await open()).map(({ id, kind, detail }) => [id, kind, detail]), [['store_read_only', 'store_read_only', 'STORE_READ_ONLY it is'], ['store_quota', 'store_quota', 'STORE_QUOTA it is'], ['store_files', 'store_files', 'STORE_FILES it is']])
      assert.deepEqual(lines, ['STORE_READ_ONLY it is: what is to be written waits', 'STORE_QUOTA it is: what is to be written waits', 'STORE_FILES it is: what is to be written waits'])
    } finally { room.stop(); redis.disconnect() }
  })

  it('is not known of while Redis is away', async () => {
    const control = openPipelineControl({} as Store, 'redis://127.0.0.1:1', randomName('q'))
    try { assert.equal(await control.writable(), null) } finally { await control.close() }
  })
})
