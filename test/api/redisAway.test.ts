import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Embedded } from '../../scripts/embedded/clickhouse.js'
import { freePort } from '../../scripts/embedded/ports.js'
import { startRedis } from '../../scripts/embedded/redis.js'
import { ending, having } from '../support/endings.js'
import { until } from '../support/pipeline.js'
import { startService, type Service } from './support/service.js'

describe('an API without Redis', function () {
  this.timeout(60_000)
  const directory = mkdtempSync(join(tmpdir(), 'hydrophone-test-'))
  let port: number
  let redis: Embedded | undefined
  let service: Service
  before(async () => {
    port = await freePort()
    service = await startService({}, { redisUrl: `redis://127.0.0.1:${port}`, pipeline: undefined as never })
  })
  // A stopped Redis would keep whoever asks it from ending.
  after(ending(having(() => redis, ({ process }) => process.kill('SIGCONT')), () => service, having(() => redis, (server) => server.kill()), () => ({ stop: () => { rmSync(directory, { recursive: true, force: true }) } })))

  /** Within seconds, or it fails. */
  const ask = async (path: string, seconds: number) => {
    const started = performance.now()
    const reply = await service.call(`GET ${path}`, { key: service.adminKey })
    assert.ok(performance.now() - started < seconds * 1_000, `${path} took ${Math.round(performance.now() - started)} ms`)
    return reply
  }
  /** What Redis alone knows is `known` or null, and whether it answers is told. */
  const told = async (known: boolean, seconds: number): Promise<void> => {
    const number = (value: unknown): void => { assert.equal(typeof value, known ? 'number' : 'object', JSON.stringify(value)) }
    const queues = await ask('/v1/dashboard/queues', seconds)
    assert.deepEqual([queues.status, queues.body.redis_connected, queues.body.queues.length], [200, known, 5])
    for (const queue of queues.body.queues) { number(queue.waiting); number(queue.active); number(queue.delayed); number(queue.failed) }
    const health = await ask('/health', seconds)
    assert.deepEqual([health.status, health.body.system.redis_connected], [200, known])
    // How much waits for a stage the ledger knows, whether Redis is there or not.
    assert.equal(health.body.queues.head_to_ingest, 0)
    const status = await ask('/v1/pipeline/status', seconds)
    assert.deepEqual([status.status, status.body.status, status.body.stages.length], [200, 'running', 5])
    assert.deepEqual([status.body.stages[0].queue_depth, status.body.stages[0].backpressure], [0, false])
  }
  const boardRefuses = async (seconds: number): Promise<void> => {
    for (const path of ['/admin/queues', '/admin/queues/api/queues']) {
      const { status, body, headers } = await ask(path, seconds)
      assert.deepEqual([status, body.error.code, body.error.request_id, headers.get('retry-after')], [503, 'UPSTREAM_UNAVAILABLE', headers.get('x-request-id'), '5'], path)
    }
  }

  it('from its start on answers at once, and says so: what only Redis knows is null, the queue board refuses', async () => {
    await told(false, 5)
    await boardRefuses(5)
    const { status, body } = await service.call('POST /v1/pipeline/redrive', { key: service.adminKey })
    assert.deepEqual([status, body.redriven], [200, 0])
  })

  it('has all of it once Redis is there', async () => {
    redis = await startRedis(directory, port)
    await until(async () => (await service.call('GET /v1/dashboard/queues')).body.redis_connected === true, 'Redis is not seen')
    await told(true, 5)
    await until(async () => (await ask('/admin/queues', 5)).status === 200, 'the board does not come')
    const { status, body } = await ask('/admin/queues/api/queues', 5)
    assert.deepEqual([status, body.queues.length], [200, 5])
  })

  it('that hangs: the board refuses within seconds, in our words', async () => {
    redis?.process.kill('SIGSTOP')
    const { status, body, headers } = await ask('/admin/queues/api/queues', 10)
    assert.deepEqual([status, body.error?.code, body.error?.request_id], [503, 'UPSTREAM_UNAVAILABLE', headers.get('x-request-id')])
    await told(false, 10)
    redis?.process.kill('SIGCONT')
    await until(async () => (await ask('/admin/queues/api/queues', 10)).status === 200, 'the board does not come back')
  })

  it('that died: likewise, at once', async () => {
    await redis?.kill()
    redis = undefined
    await boardRefuses(5)
    await told(false, 5)
  })
})
