import assert from 'node:assert/strict'
import { z } from 'zod'
import { startAnvil, type Anvil } from '../../scripts/simulate/anvil.js'
import { stateDigest } from '../../stages/digest/digest.js'
import { ending } from '../support/endings.js'
import { pipelineEnvironment, settled, startPipeline, until, type Pipeline } from '../support/pipeline.js'

const Count = z.object({ count: z.coerce.number() })

describe('a batch whose landing cannot be written', function () {
  this.timeout(90_000)
  let anvil: Anvil
  let pipeline: Pipeline, starved = false, tries = 0
  const environment = async (): Promise<Record<string, string>> => pipelineEnvironment({ ETH_RPC_URL: anvil.url, ETH_CHAIN_ID: '31337', ETH_START_BLOCK: '1', ETH_FINALITY: '16', JOB_BACKOFF_MS: '500' })
  before(async () => {
    anvil = await startAnvil()
    await anvil.mine(3)
    pipeline = await startPipeline(await environment(), async (where) => { if (where === 'before landing normalize' && starved) { tries++; throw Object.assign(new Error('EMFILE: too many open files, open \'/x\''), { code: 'EMFILE' }) } })
  })
  after(ending(() => pipeline, () => anvil))

  const tip = async () => {
    const block = await anvil.client.getBlock()
    return { number: Number(block.number), hash: block.hash }
  }
  const count = async (table: string, block: number): Promise<number> =>
    (await pipeline.store.query(`SELECT count() AS count FROM {table:Identifier} WHERE chain = 'ETH' AND {block:UInt64} = ${table === 'batches' ? 'from_block' : 'block_number'}`, { table, block }, Count))[0]?.count ?? 0

  it('is worked on by the stages that need its rows alone, and lands in their order', async () => {
    await settled(pipeline.store, 'ETH', await tip(), 1)
    const { store } = pipeline
    await store.execute(`ALTER TABLE batches ADD CONSTRAINT refused CHECK stage != 'ingest'`)
    await anvil.mine(1)
    const { number } = await tip()
    // A movement is made by enrich.
    await until(async () => await count('transfers', number) > 0, 'enrich did not come to the batch')
    // Normalize and enrich have been given another try, too.
    for (const stage of ['normalize', 'enrich'] as const) await until(async () => await pipeline.running.parts.queues[stage].getDelayedCount() > 0, `${stage} does not wait`)
    assert.deepEqual({ landed: await count('batches', number), indexed: await count('address_transfers', number) }, { landed: 0, indexed: 0 })
    await store.execute('ALTER TABLE batches DROP CONSTRAINT refused')
    await settled(store, 'ETH', await tip(), 1)
    const digest = await stateDigest(store, 'ETH', number)
    const clean = await startPipeline(await environment())
    try {
      await settled(clean.store, 'ETH', await tip(), 1)
      assert.deepEqual(await stateDigest(clean.store, 'ETH', number), digest)
    } finally { await clean.stop() }
  })

  it('costs no attempt while the process that works on it has no file left to open', async () => {
    await settled(pipeline.store, 'ETH', await tip(), 1)
    const { queues } = pipeline.running.parts
    starved = true
    await anvil.mine(1)
    const waiting: unknown[] = []
    await until(async () => { for (const job of tries >= 2 ? await queues.normalize.getDelayed() : []) waiting.push([job.attemptsMade, job.failedReason]); return waiting.length > 0 }, 'it is not tried again')
    assert.deepEqual(waiting, [[0, undefined]])
    starved = false
    await settled(pipeline.store, 'ETH', await tip(), 1)
  })
})
