import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { Embedded } from '../../scripts/embedded/clickhouse.js'
import { freePort } from '../../scripts/embedded/ports.js'
import { startRedis } from '../../scripts/embedded/redis.js'
import { startAnvil, type Anvil } from '../../scripts/simulate/anvil.js'
import { openPipelineControl, type PipelineControl } from '../../workers/control.js'
import { ending, having } from '../support/endings.js'
import { pipelineEnvironment, settled, startPipeline, until, type Pipeline } from '../support/pipeline.js'

const Row = z.object({ n: z.coerce.number() })

describe('Redis away', function () {
  this.timeout(180_000)
  const directory = mkdtempSync(join(tmpdir(), 'hydrophone-test-'))
  let redis: Embedded
  let anvil: Anvil
  let pipeline: Pipeline
  let control: PipelineControl
  before(async () => {
    redis = await startRedis(directory)
    anvil = await startAnvil()
    await anvil.mine(2)
    const environment: Record<string, string> = { ...await pipelineEnvironment({ ETH_RPC_URL: anvil.url, ETH_CHAIN_ID: '31337', ETH_START_BLOCK: '1' }), REDIS_URL: redis.url }
    pipeline = await startPipeline(environment)
    control = openPipelineControl(pipeline.store, redis.url, environment['QUEUE_PREFIX'] ?? '')
    await through()
  })
  // A stopped Redis would keep whoever asks it from ending.
  after(ending(having(() => redis, ({ process }) => process.kill('SIGCONT')), () => control, () => pipeline, () => anvil, having(() => redis, (server) => server.kill()), () => ({ stop: () => { rmSync(directory, { recursive: true, force: true }) } })))

  const through = async () => { const block = await anvil.client.getBlock(); await settled(pipeline.store, 'ETH', { number: Number(block.number), hash: block.hash }, 1) }
  const incidents = (where: string) => async (): Promise<boolean> => ((await pipeline.store.query(`SELECT count() AS n FROM incidents FINAL WHERE kind = 'no_redis' AND ${where}`, {}, Row))[0]?.n ?? 0) > 0
  const planned = (from: number) => async (): Promise<boolean> => ((await pipeline.store.query('SELECT count() AS n FROM live_batches WHERE from_block = {from:UInt64}', { from }, Row))[0]?.n ?? 0) > 0

  it('that hangs is told, while heads are seen and planned; told as over, with nothing lost, when it answers again', async () => {
    redis.process.kill('SIGSTOP')
    await anvil.mine(2)
    await until(planned(4), 'nothing was planned')
    await until(incidents('closed_at IS NULL'), 'no incident')
    assert.equal((await control.stages()).length, 5)
    assert.equal(control.redisConnected(), false)
    redis.process.kill('SIGCONT')
    await until(incidents('closed_at IS NOT NULL'), 'the incident was not closed')
    await anvil.mine(1)
    await through()
    await until(async () => control.redisConnected(), 'the control did not come back')
  })

  it('that died and lost everything likewise', async () => {
    const port = Number(new URL(redis.url).port)
    await redis.kill()
    rmSync(directory, { recursive: true, force: true })
    await anvil.mine(2)
    await until(planned(7), 'nothing was planned')
    await until(incidents('closed_at IS NULL'), 'no incident')
    assert.equal(control.redisConnected(), false)
    redis = await startRedis(directory, port)
    await until(incidents('closed_at IS NOT NULL'), 'the incident was not closed')
    await through()
  })
})

describe('Redis away when a worker starts', function () {
  this.timeout(120_000)
  const directory = mkdtempSync(join(tmpdir(), 'hydrophone-test-'))
  let redis: Embedded | undefined
  let anvil: Anvil
  let pipeline: Pipeline
  let port: number
  before(async () => {
    port = await freePort()
    anvil = await startAnvil()
    await anvil.mine(2)
    pipeline = await startPipeline({ ...await pipelineEnvironment({ ETH_RPC_URL: anvil.url, ETH_CHAIN_ID: '31337', ETH_START_BLOCK: '1' }), REDIS_URL: `redis://127.0.0.1:${port}` })
  })
  after(ending(() => pipeline, () => anvil, having(() => redis, (server) => server.kill()), () => ({ stop: () => { rmSync(directory, { recursive: true, force: true }) } })))

  it('holds up neither heads nor the plan; what was planned goes through when it comes', async () => {
    const there = (table: string, where: string) => async (): Promise<boolean> => ((await pipeline.store.query(`SELECT count() AS n FROM ${table} WHERE ${where}`, {}, Row))[0]?.n ?? 0) > 0
    await until(there('heads', 'number = 2'), 'no head was seen')
    await anvil.mine(1)
    await until(there('live_batches', 'from_block = 3'), 'nothing was planned')
    await until(there('heads', 'number = 3'), 'the next head was not seen')
    redis = await startRedis(directory, port)
    const block = await anvil.client.getBlock()
    await settled(pipeline.store, 'ETH', { number: Number(block.number), hash: block.hash }, 1)
  })
})
