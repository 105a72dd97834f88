/** A node that never gives one block, and answers else: the block becomes a dead letter, and what no node gives is waited for. */
import assert from 'node:assert/strict'
import { AppError } from '../../schemas/errors.js'
import { startAnvil, type Anvil } from '../../scripts/simulate/anvil.js'
import type { ChainModule } from '../../stages/stage.js'
import { openPipelineControl, type PipelineControl } from '../../workers/control.js'
import { openWaits } from '../../workers/waits.js'
import { lackingNode } from '../ingest/lackingNode.js'
import { ending } from '../support/endings.js'
import { pipelineEnvironment, startPipeline, until, type Pipeline } from '../support/pipeline.js'

describe('a node that times out at one block', function () {
  this.timeout(90_000)
  let anvil: Anvil, node: Awaited<ReturnType<typeof lackingNode>>, pipeline: Pipeline, control: PipelineControl
  before(async () => {
    anvil = await startAnvil()
    await anvil.mine(3)
    const { hash } = await anvil.client.getBlock({ blockNumber: 2n })
    node = await lackingNode(anvil.url, ['debug_traceBlockByHash'], { status: 504, code: -32_000, message: 'timed out' }, hash ?? assert.fail())
    const environment = await pipelineEnvironment({ ETH_RPC_URL: node.url, ETH_CHAIN_ID: '31337', ETH_START_BLOCK: '1', ETH_MAX_BATCH: '1', JOB_BACKOFF_MS: '5' })
    pipeline = await startPipeline(environment)
    control = openPipelineControl(pipeline.store, environment['REDIS_URL'] ?? '', environment['QUEUE_PREFIX'] ?? '')
  })
  after(ending(() => control, () => pipeline, () => node, () => anvil))

  it('ends as a dead letter that says so', async () => {
    const { redis, queues: { ingest } } = pipeline.running.parts
    const letters = async () => (await control.deadLetters(5)).letters
    await until(async () => {
      // As if it had been waited for: the next time it is begun is the last of an attempt's.
      for (const id of await ingest.getRanges(['delayed', 'wait', 'prioritized'], 0, -1)) await redis.hset(ingest.toKey(id), 'ats', 119)
      return (await letters()).length > 0
    }, 'no dead letter')
    const [letter] = await letters()
    assert.deepEqual([letter?.stage, letter?.from, letter?.code, letter?.attempts], ['ingest', 2, 'RPC_DOWN', 8])
    assert.match(letter?.cause ?? '', /debug_traceBlockByHash: HTTP 504/)
  })
})

describe('waits for a node', () => {
  const down = new AppError('RPC_DOWN', 'node: HTTP 504', { retry: 'wait' }), gone = new AppError('BLOCK_GONE', 'node: not there', { retry: 'wait' })
  const open = () => {
    const state = { at: 0, jobs: 2, answers: true }
    const waits = openWaits({ getRanges: async () => Promise.resolve(['BTC-1-1--g0', 'HL-7-7--g0', ...Array.from({ length: state.jobs }, (_, at) => `ETH-${at}-${at}--g0`)]) }, () => state.at)
    const module = { chain: { id: 'ETH' }, source: { head: () => (state.answers ? Promise.resolve({}) : Promise.reject(down)) } } as unknown as ChainModule
    return { state, waits, failed: (started = 120, tookMs = 0, thrown = down) => waits.hasFailed(thrown, module, started, tookMs) }
  }

  it('count where it gives its head and others, or there are none, and about every two minutes', async () => {
    const { state, waits, failed } = open()
    assert.equal(await failed(), false, 'none of those that wait was given')
    waits.worked('ETH')
    assert.deepEqual([await failed(), await failed(119), await failed(240)], [true, false, true])
    assert.deepEqual([await failed(2, 60_500), await failed(3, 60_500)], [true, false])
    state.answers = false
    assert.equal(await failed(), false, 'it is away')
    state.answers = true
    state.at = 120_000
    assert.equal(await failed(), false, 'others were given long ago alone')
    state.jobs = 1
    assert.equal(await failed(), true)
  })

  it('count always for a block that it lost, and never for what waits for something else', async () => {
    const { waits, failed } = open()
    assert.deepEqual([await failed(120, 0, gone), await failed(119, 0, gone)], [true, false])
    waits.worked('ETH')
    assert.equal(await failed(120, 0, new AppError('NOT_LANDED', 'not yet', { retry: 'wait' })), false)
  })
})
