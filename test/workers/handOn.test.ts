import assert from 'node:assert/strict'
import { z } from 'zod'
import { startAnvil, type Anvil } from '../../scripts/simulate/anvil.js'
import { stateDigest } from '../../stages/digest/digest.js'
import { ending } from '../support/endings.js'
import { pipelineEnvironment, settled, startPipeline, type Pipeline } from '../support/pipeline.js'

const Stages = z.object({ stages: z.array(z.string()) })

describe('a batch whose landing is not written', function () {
  this.timeout(90_000)
  let anvil: Anvil
  let pipeline: Pipeline
  const environment = async (): Promise<Record<string, string>> => pipelineEnvironment({ ETH_RPC_URL: anvil.url, ETH_CHAIN_ID: '31337', ETH_START_BLOCK: '1', ETH_FINALITY: '16', JOB_BACKOFF_MS: '500' })
  before(async () => {
    anvil = await startAnvil()
    await anvil.mine(3)
    pipeline = await startPipeline(await environment())
  })
  after(ending(() => pipeline, () => anvil))

  const tip = async () => {
    const block = await anvil.client.getBlock()
    return { number: Number(block.number), hash: block.hash }
  }
  /** Stages of a block that have landed, once `enough` says so. */
  const landedOf = async (block: number, enough: (stages: readonly string[]) => boolean): Promise<readonly string[]> => {
    for (const deadline = Date.now() + 30_000; ;) {
      const [row] = await pipeline.store.query(`SELECT groupUniqArray(toString(stage)) AS stages FROM batches WHERE chain = 'ETH' AND from_block = {block:UInt64}`, { block }, Stages)
      const stages = row?.stages ?? []
      if (enough(stages)) return stages
      assert.ok(Date.now() < deadline, `block ${block} has landed ${stages.join() || 'nothing'}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  it('is at the next stage already, but at none that counts landings; what the retry writes is there once', async () => {
    await settled(pipeline.store, 'ETH', await tip(), 1)
    const { store } = pipeline
    await store.execute(`ALTER TABLE batches ADD CONSTRAINT refused CHECK stage NOT IN ('ingest', 'enrich')`)
    await anvil.mine(1)
    const { number } = await tip()
    const landed = await landedOf(number, (stages) => stages.includes('normalize'))
    assert.deepEqual(landed, ['normalize'])
    // Its enrich has done its work, and cannot land either: the index stage must not begin.
    for (const deadline = Date.now() + 30_000; ;) {
      const failed = await pipeline.running.parts.queues.enrich.getDelayedCount()
      if (failed > 0) break
      assert.ok(Date.now() < deadline, 'enrich was not handed the batch')
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    assert.deepEqual(await pipeline.running.parts.queues.index.getJobCounts('waiting', 'active', 'delayed', 'failed'), { waiting: 0, active: 0, delayed: 0, failed: 0 })
    await store.execute('ALTER TABLE batches DROP CONSTRAINT refused')
    await settled(store, 'ETH', await tip(), 1)
    const digest = await stateDigest(store, 'ETH', number)
    const clean = await startPipeline(await environment())
    try {
      await settled(clean.store, 'ETH', await tip(), 1)
      assert.deepEqual(await stateDigest(clean.store, 'ETH', number), digest)
    } finally { await clean.stop() }
  })
})
