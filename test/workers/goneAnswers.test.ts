import assert from 'node:assert/strict'
import { z } from 'zod'
import { startAnvil, type Anvil } from '../../scripts/simulate/anvil.js'
import { openPipelineControl, type PipelineControl } from '../../workers/control.js'
import { ending } from '../support/endings.js'
import { pipelineEnvironment, settled, startPipeline, until, type Pipeline } from '../support/pipeline.js'

const Count = z.object({ count: z.coerce.number() })

describe('a stage that was paused for longer than answers are kept', function () {
  this.timeout(120_000)
  let anvil: Anvil, pipeline: Pipeline, control: PipelineControl
  before(async () => {
    anvil = await startAnvil()
    await anvil.mine(2)
    const environment = await pipelineEnvironment({ ETH_RPC_URL: anvil.url, ETH_CHAIN_ID: '31337', ETH_START_BLOCK: '1' })
    pipeline = await startPipeline(environment)
    control = openPipelineControl(pipeline.store, environment['REDIS_URL'] ?? '', environment['QUEUE_PREFIX'] ?? '')
  })
  after(ending(() => control, () => pipeline, () => anvil))
  const tip = async () => { const block = await anvil.client.getBlock(); return { number: Number(block.number), hash: block.hash } }

  it('loses no block', async () => {
    const { store } = pipeline
    const count = async (sql: string, number: number): Promise<number> => (await store.query(sql, { number }, Count))[0]?.count ?? 0
    await settled(store, 'ETH', await tip(), 1)
    await control.setStage('normalize', true, 'test')
    await until(() => pipeline.running.parts.queues.normalize.isPaused(), 'it was not paused')
    await anvil.mine(1)
    const { number, hash } = await tip()
    await until(async () => await count(`SELECT count() AS count FROM batches WHERE stage = 'ingest' AND from_block = {number:UInt64}`, number) === 1, 'it was not ingested')
    // What the table's TTL does.
    await store.execute('DELETE FROM raw_payloads WHERE number = {number:UInt64}', { number })
    await control.setStage('normalize', false, 'test')
    await settled(store, 'ETH', { number, hash }, 1)
    assert.equal(await count('SELECT count() AS count FROM transactions WHERE block_number = {number:UInt64}', number), 1)
    assert.equal((await control.deadLetters(1)).count, 0)
  })
})
