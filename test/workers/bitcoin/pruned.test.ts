/** A node that was pruned knows all headers and has the newest blocks alone: what it has comes. */
import assert from 'node:assert/strict'
import { startBitcoinNode } from '../../../scripts/replay-node/bitcoin/server.js'
import type { ReplayNode } from '../../../scripts/replay-node/serve.js'
import { openPipelineControl, type PipelineControl } from '../../../workers/control.js'
import { ending } from '../../support/endings.js'
import { pipelineEnvironment, settled, startPipeline, until, type Pipeline } from '../../support/pipeline.js'

const from = 100_000, count = 20, kept = from + 6, tip = from + count - 1

for (const rest of [true, false]) {
  describe(`a node of Bitcoin that was pruned${rest ? '' : ', without REST'}`, function () {
    this.timeout(120_000)
    let node: ReplayNode, pipeline: Pipeline, control: PipelineControl
    before(async () => {
      node = await startBitcoinNode({ relink: { from, count, shapes: [482_683] }, serves: { kept, rest } })
      const environment = await pipelineEnvironment({ BTC_RPC_URL: node.url, BTC_START_BLOCK: String(from), BTC_FINALITY: '3', BTC_MAX_BATCH: '4', BTC_CHECK_WORK: 'false', BTC_POLL_MS: '50', JOB_BACKOFF_MS: '5' })
      pipeline = await startPipeline(environment)
      control = openPipelineControl(pipeline.store, environment['REDIS_URL'] ?? '', environment['QUEUE_PREFIX'] ?? '')
    })
    after(ending(() => control, () => pipeline, () => node))

    it('what it has goes through all stages, and what it has not is one dead letter that says so', async () => {
      const header = await pipeline.running.parts.chains.get('BTC')?.source.header(tip)
      await settled(pipeline.store, 'BTC', { number: tip, hash: header?.hash ?? '' }, kept, 40)
      await until(async () => (await control.deadLetters(10)).count === 1, 'no dead letter')
      const [letter] = (await control.deadLetters(10)).letters
      assert.deepEqual([letter?.stage, letter?.code, letter?.from, letter?.to], ['ingest', 'BLOCK_LACKING', from, kept - 1])
    })
  })
}
