/** A worker that is told to end does not wait for its next look at the node, which may be minutes away. */
import { z } from 'zod'
import { startReplayNode, type ReplayNode } from '../../scripts/replay-node/server.js'
import { ending } from '../support/endings.js'
import { startPipeline, pipelineEnvironment, until, type Pipeline } from '../support/pipeline.js'

const Count = z.object({ count: z.coerce.number() })

describe('a worker that looks at its node once a minute', () => {
  let node: ReplayNode, pipeline: Pipeline
  before(async function () {
    this.timeout(120_000)
    node = await startReplayNode()
    // As long as a pause may be, and longer than the test may last.
    pipeline = await startPipeline(await pipelineEnvironment({ ETH_RPC_URL: node.url, ETH_POLL_MS: '60000' }))
  })
  after(ending(() => node))

  it('ends when it is told to', async () => {
    try {
      // What it saw at its first look has landed: it is in the pause behind that.
      await until(async () => ((await pipeline.store.query("SELECT count() AS count FROM batches WHERE chain = 'ETH'", {}, Count))[0]?.count ?? 0) > 0, 'nothing landed', 20)
    } finally { await pipeline.stop() }
  })
})
