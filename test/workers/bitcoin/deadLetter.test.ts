import assert from 'node:assert/strict'
import { z } from 'zod'
import { startBitcoinNode } from '../../../scripts/replay-node/bitcoin/server.js'
import type { ReplayNode } from '../../../scripts/replay-node/serve.js'
import { openPipelineControl, type PipelineControl } from '../../../workers/control.js'
import { ending } from '../../support/endings.js'
import { pipelineEnvironment, settled, startPipeline, until, type Pipeline } from '../../support/pipeline.js'

const from = 100_000, count = 4, tip = from + count - 1

describe('a node of Bitcoin that answers wrongly', function () {
  this.timeout(120_000)
  let node: ReplayNode
  let pipeline: Pipeline
  let control: PipelineControl
  before(async () => {
    node = await startBitcoinNode({ relink: { from, count, shapes: [482_683] }, faults: { shortBlock: 1 } })
    const environment = await pipelineEnvironment({ BTC_RPC_URL: node.url, BTC_START_BLOCK: String(tip), BTC_CHECK_WORK: 'false', BTC_POLL_MS: '50', JOB_BACKOFF_MS: '5' })
    pipeline = await startPipeline(environment)
    control = openPipelineControl(pipeline.store, environment['REDIS_URL'] ?? '', environment['QUEUE_PREFIX'] ?? '')
  })
  after(ending(() => control, () => pipeline, () => node))

  it('ends as a dead letter that names the endpoint and the reason, with no part of the block anywhere', async () => {
    await until(async () => (await control.deadLetters(10)).count === 1, 'no dead letter')
    const [letter] = (await control.deadLetters(10)).letters
    assert.deepEqual([letter?.stage, letter?.code, letter?.endpoint], ['ingest', 'BAD_ANSWER', `${new URL(node.url).host}#0`])
    assert.match(letter?.cause ?? '', /block 100003: block: truncated/)
    for (const table of ['raw_payloads', 'blocks', 'btc_outputs']) {
      const [rows] = await pipeline.store.query('SELECT count() AS count FROM {table:Identifier}', { table }, z.object({ count: z.coerce.number() }))
      assert.equal(rows?.count, 0, table)
    }
  })

  it('works once the node is mended and the letter is redriven', async () => {
    node.control.change({ faults: {} })
    assert.equal(await control.redrive(null, 'test'), 1)
    const header = await pipeline.running.parts.chains.get('BTC')?.source.header(tip)
    await settled(pipeline.store, 'BTC', { number: tip, hash: header?.hash ?? '' }, tip)
    await until(async () => (await control.deadLetters(10)).count === 0, 'the letter stays')
  })
})
