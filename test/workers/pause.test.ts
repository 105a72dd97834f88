import assert from 'node:assert/strict'
import { z } from 'zod'
import { startAnvil, type Anvil } from '../../scripts/simulate/anvil.js'
import { openPipelineControl, type PipelineControl } from '../../workers/control.js'
import { ending } from '../support/endings.js'
import { pipelineEnvironment, settled, startPipeline, type Pipeline } from '../support/pipeline.js'

const Landed = z.object({ normalized: z.coerce.number(), enriched: z.coerce.number() })

describe('a paused stage', function () {
  this.timeout(90_000)
  let anvil: Anvil
  let pipeline: Pipeline
  let control: PipelineControl
  before(async () => {
    anvil = await startAnvil()
    await anvil.mine(2)
    const environment = await pipelineEnvironment({ ETH_RPC_URL: anvil.url, ETH_CHAIN_ID: '31337', ETH_START_BLOCK: '1' })
    pipeline = await startPipeline(environment)
    control = openPipelineControl(pipeline.store, environment['REDIS_URL'] ?? '', environment['QUEUE_PREFIX'] ?? '')
  })
  after(ending(() => control, () => pipeline, () => anvil))

  const tip = async () => { const block = await anvil.client.getBlock(); return { number: Number(block.number), hash: block.hash } }
  const landed = async () => (await pipeline.store.query(`SELECT uniqExactIf(from_block, stage = 'normalize') AS normalized, uniqExactIf(from_block, stage = 'enrich') AS enriched FROM batches`, {}, Landed))[0]
  const until = async (done: () => Promise<boolean>, what: string): Promise<void> => {
    for (const deadline = Date.now() + 30_000; !(await done());) {
      assert.ok(Date.now() < deadline, what)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  it('holds its work while the stages before it go on, and stays paused when Redis is emptied', async () => {
    await settled(pipeline.store, 'ETH', await tip(), 1)
    await control.setStage('enrich', true, 'test')
    await anvil.mine(3, 10)
    await until(async () => (await landed())?.normalized === 5, 'normalize did not go on')
    await pipeline.running.parts.redis.flushdb()
    await until(async () => pipeline.running.parts.queues.enrich.isPaused(), 'the pause was lost with Redis')
    assert.equal((await control.stages()).find((stage) => stage.stage === 'enrich')?.status, 'paused')
    assert.equal((await landed())?.enriched, 2)
  })

  it('loses nothing: resumed, it catches up', async () => {
    await control.setStage('enrich', false, 'test')
    await settled(pipeline.store, 'ETH', await tip(), 1)
    assert.equal((await landed())?.enriched, 5)
  })

  it('pausing the whole stops the plan; resuming goes on', async () => {
    await control.set('paused', 'test')
    await until(async () => pipeline.running.parts.queues.ingest.isPaused(), 'ingest was not paused')
    await anvil.mine(2, 20)
    assert.equal(await control.state(), 'paused')
    await control.set('running', 'test')
    await settled(pipeline.store, 'ETH', await tip(), 1)
  })
})
