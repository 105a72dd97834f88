import assert from 'node:assert/strict'
import { z } from 'zod'
import { startAnvil, type Anvil } from '../../scripts/simulate/anvil.js'
import { batchKey, stageNames } from '../../schemas/primitives.js'
import { stateDigest } from '../../stages/digest/digest.js'
import { jobOptions } from '../../workers/queues.js'
import { ending } from '../support/endings.js'
import { pipelineEnvironment, settled, startPipeline, type Pipeline } from '../support/pipeline.js'

const Row = z.object({ number: z.coerce.number(), hash: z.string() })

describe('the pipeline on a node', function () {
  this.timeout(90_000)
  let anvil: Anvil
  let pipeline: Pipeline
  before(async () => {
    anvil = await startAnvil()
    await anvil.mine(5)
    pipeline = await startPipeline(await pipelineEnvironment({ ETH_RPC_URL: anvil.url, ETH_CHAIN_ID: '31337', ETH_START_BLOCK: '1', ETH_FINALITY: '16' }))
  })
  after(ending(() => pipeline, () => anvil))

  const tip = async () => {
    const block = await anvil.client.getBlock()
    return { number: Number(block.number), hash: block.hash }
  }
  const stored = () => pipeline.store.query(`SELECT block_number AS number, concat('0x', lower(hex(block_hash))) AS hash FROM blocks ORDER BY number`, {}, Row)
  const onNode = async (to: number) => Promise.all(Array.from({ length: to }, async (_, index) => ({ number: index + 1, hash: (await anvil.client.getBlock({ blockNumber: BigInt(index + 1) })).hash })))

  it('follows the head through all five stages', async () => {
    await anvil.mine(3)
    await settled(pipeline.store, 'ETH', await tip(), 1)
    assert.deepEqual(await stored(), await onNode(8))
  })

  it('follows a reorg: the orphaned blocks go, the new ones come', async () => {
    await anvil.rpc('anvil_rollback', [3])
    await anvil.mine(5, 40)
    await settled(pipeline.store, 'ETH', await tip(), 1)
    assert.deepEqual(await stored(), await onNode(10))
    const transfers = await pipeline.store.query(`SELECT block_number AS number, concat('0x', lower(hex(tx_hash))) AS hash FROM transactions ORDER BY block_number`, {}, Row)
    assert.equal(transfers.length, 10)
  })

  it('does nothing for a batch that was ended, whichever stage a late job is of', async () => {
    const { queues } = pipeline.running.parts
    // Planned before the reorg, and never begun.
    const batch = { chain: 'ETH', from: 8, to: 8, hash: `0x${'ab'.repeat(32)}`, generation: 0, floor: 1 }
    const before = await stateDigest(pipeline.store, 'ETH', 10)
    for (const stage of stageNames) {
      await queues[stage].add(stage, batch, jobOptions(batch, 1, 5))
      for (const deadline = Date.now() + 10_000; await queues[stage].getJob(batchKey(batch)) !== undefined; await new Promise((resolve) => setTimeout(resolve, 20))) assert.ok(Date.now() < deadline, `${stage} did not end`)
    }
    assert.deepEqual(await stateDigest(pipeline.store, 'ETH', 10), before)
  })

  it('goes on from the ledger when Redis is emptied', async () => {
    await pipeline.running.parts.redis.flushdb()
    await anvil.mine(2, 80)
    await settled(pipeline.store, 'ETH', await tip(), 1)
    assert.deepEqual(await stored(), await onNode(12))
  })

  it('stops the chain at a reorg deeper than finality and rewrites nothing', async () => {
    await anvil.mine(12, 200)
    await settled(pipeline.store, 'ETH', await tip(), 1)
    const before = await stored()
    await anvil.rpc('anvil_rollback', [20])
    await anvil.mine(22, 300)
    for (const deadline = Date.now() + 60_000; ;) {
      const [row] = await pipeline.store.query(`SELECT count() AS number, any(state) AS hash FROM controls FINAL WHERE name = 'chain:ETH'`, {}, Row)
      if (row?.number === 1) break
      assert.ok(Date.now() < deadline, 'the chain was not halted')
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    assert.deepEqual(await stored(), before)
  })
})
