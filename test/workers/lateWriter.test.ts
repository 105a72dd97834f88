/** What is still written of a block that a reorg orphaned: it is ended, and what it left goes before anything is made of the rows of the block that took its place. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { startAnvil, type Anvil } from '../../scripts/simulate/anvil.js'
import { findChain } from '../../schemas/chains.js'
import { stateDigest } from '../../stages/digest/digest.js'
import { openLedger } from '../../stages/ledger/ledger.js'
import { applyRollback } from '../../stages/rollback.js'
import type { ChainModule } from '../../stages/stage.js'
import { ending } from '../support/endings.js'
import { pipelineEnvironment, settled, startPipeline, until, type Pipeline } from '../support/pipeline.js'
import { freshStore } from '../support/servers.js'

const Count = z.object({ count: z.coerce.number() })

describe('a late writer of an orphaned block', function () {
  this.timeout(90_000)
  let anvil: Anvil
  let pipeline: Pipeline
  const environment = (): Promise<Record<string, string>> => pipelineEnvironment({ ETH_RPC_URL: anvil.url, ETH_CHAIN_ID: '31337', ETH_START_BLOCK: '1', ETH_FINALITY: '16' })
  before(async () => {
    anvil = await startAnvil()
    await anvil.mine(4)
    pipeline = await startPipeline(await environment())
  })
  after(ending(() => pipeline, () => anvil))
  const tip = async () => { const block = await anvil.client.getBlock(); return { number: Number(block.number), hash: block.hash } }

  it('leaves nothing in what is made of the block that stands, nor in aggregates', async () => {
    await settled(pipeline.store, 'ETH', await tip(), 1)
    const { store, running: { parts: { queues } } } = pipeline
    await queues.enrich.pause()
    await anvil.rpc('anvil_rollback', [2])
    await anvil.mine(2, 40)
    const { number } = await tip()
    await until(async () => ((await store.query(`SELECT count() AS count FROM batches WHERE stage = 'normalize' AND generation = 1`, {}, Count))[0]?.count ?? 0) === 2, 'the blocks that took their place were not read')
    // As if a statement of the orphaned block had landed a moment after it was rolled back.
    await store.execute('INSERT INTO movements SELECT * REPLACE (0 AS generation, sub + 1000 AS sub) FROM movements WHERE block_number = {number:UInt64}', { number })
    await queues.enrich.resume()
    await settled(store, 'ETH', await tip(), 1)
    const digest = await stateDigest(store, 'ETH', number)
    const clean = await startPipeline(await environment())
    try {
      await settled(clean.store, 'ETH', await tip(), 1)
      assert.deepEqual((await stateDigest(clean.store, 'ETH', number)).parts, digest.parts)
    } finally { await clean.stop() }
  })

  it('is ended where it still runs; writers of other blocks, generations and chains go on', async () => {
    const { store } = await freshStore(), hash = 'ab'.repeat(10)
    // For half a minute each, unless it is ended.
    const slow = (key: string): Promise<number> => store.execute(`INSERT INTO heads SELECT 'ETH', number, {key:String}, now64(3), 0, '', now64(3) FROM numbers(60) WHERE sleepEachRow(0.5) = 0 SETTINGS max_block_size = 1`, { key }, { token: `${key}|decode` })
    const late = [`ETH-5-5-${hash}-g0`, `ETH-2-8-${hash}-g1`], others = [`BTC-5-5-${hash}-g0`, `ETH-4-4-${hash}-g0`, `ETH-5-5-${hash}-g2`]
    const [ended, going] = [late, others].map((keys) => Promise.allSettled(keys.map(slow)))
    const running = async (): Promise<string[]> => (await store.query(`SELECT splitByChar('|', query_id)[2] AS key FROM system.processes WHERE query_id LIKE concat(currentDatabase(), '|%|decode') ORDER BY key`, {}, z.object({ key: z.string() }))).map(({ key }) => key)
    await until(async () => (await running()).length === late.length + others.length, 'they do not run')
    await applyRollback(store, { chain: findChain('ETH') } as ChainModule, { seq: 1, from_block: 5, generation: 2 })
    assert.deepEqual((await ended)?.map(({ status }) => status), ['rejected', 'rejected'])
    assert.deepEqual(await running(), others)
    for (const key of others) await store.over(`${key}|decode`, true)
    await going
  })

  it('is looked for where a block of the batch was orphaned lately, and nowhere else', async () => {
    const { store } = await freshStore(), ledger = openLedger(store)
    const done = (seq: number, from: number, generation: number, age: number): Promise<number> => store.execute(`INSERT INTO rollbacks_applied SELECT 'ETH', {seq:UInt64}, {from:UInt64}, {generation:UInt32}, 'done', 0, 0, 'w', now64(6) - {age:UInt32}`, { seq, from, generation, age })
    const row = (seq: number, kind: string, from: number, to: number, generation: number, age: number): Promise<number> =>
      store.execute(`INSERT INTO plans SELECT 'ETH', {seq:UInt64}, {kind:String}, {from:UInt64}, {to:UInt64}, '', '', {generation:UInt32}, 't', 1, 'w', now64(3) - {age:UInt32}`, { seq, kind, from, to, generation, age })
    await row(1, 'plan', 1, 9, 0, 5_000); await row(2, 'rollback', 8, 0, 1, 4_000); await row(3, 'plan', 8, 12, 1, 900); await row(4, 'rollback', 11, 0, 2, 60); await row(5, 'plan', 11, 20, 2, 50)
    await done(2, 8, 1, 3_990); await done(4, 11, 2, 55)
    const late = async (from: number, to: number, generation: number): Promise<number[]> => (await ledger.recentRollbacks({ chain: 'ETH', from, to, hash: '', generation, floor: 1 }, 600)).map(({ seq }) => seq)
    assert.deepEqual([await late(11, 12, 2), await late(12, 20, 2), await late(13, 20, 2), await late(8, 10, 1), await late(1, 7, 0)], [[4], [4], [], [], []])
  })
})
