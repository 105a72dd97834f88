import assert from 'node:assert/strict'
import { z } from 'zod'
import { startAnvil, type Anvil } from '../../scripts/simulate/anvil.js'
import { startReplayNode, type ReplayNode } from '../../scripts/replay-node/server.js'
import { openPipelineControl, type PipelineControl } from '../../workers/control.js'
import { ending } from '../support/endings.js'
import { pipelineEnvironment, settled, startPipeline, until, type Pipeline } from '../support/pipeline.js'

const open = (environment: Record<string, string>, pipeline: Pipeline): PipelineControl => openPipelineControl(pipeline.store, environment['REDIS_URL'] ?? '', environment['QUEUE_PREFIX'] ?? '')

describe('a backfill behind a stage that stands still', function () {
  this.timeout(180_000)
  let anvil: Anvil
  let pipeline: Pipeline
  let control: PipelineControl
  // Bounds a quarter of the usual ones: what counts is that more is wanted than they let through, and each batch is all statements of five stages.
  const bounds = { ahead: 2, behind: 6 }
  // Two batches more than may be on their way, of 2 blocks each, and the blocks of finality.
  const most = (bounds.behind + bounds.ahead) * 2, count = most + 8
  before(async () => {
    anvil = await startAnvil()
    await anvil.rpc('anvil_mine', [`0x${count.toString(16)}`])
    const environment = await pipelineEnvironment({ ETH_RPC_URL: anvil.url, ETH_CHAIN_ID: '31337', ETH_START_BLOCK: '1', ETH_FINALITY: '4', ETH_MAX_BATCH: '2' })
    let paused: Promise<void> | undefined
    pipeline = await startPipeline(environment, async (where) => { if (where === 'before planning') await (paused ??= control.setStage('enrich', true, 'test')) }, bounds)
    control = open(environment, pipeline)
  })
  after(ending(() => control, () => pipeline, () => anvil))

  const Blocks = z.object({ low: z.coerce.number(), high: z.coerce.number() })
  const fetched = async () => (await pipeline.store.query(
    `SELECT sumIf(to_block - from_block + 1, to_block <= {top:UInt64}) AS low, maxIf(to_block, 1) AS high FROM batches WHERE stage = 'ingest'`, { top: count - 4 }, Blocks))[0] ?? { low: 0, high: 0 }

  it('fetches no more than so many blocks ahead, and the tip goes on', async () => {
    await until(async () => (await fetched()).low >= bounds.behind * 2, 'the backfill did not come so far')
    for (let block = 1; block <= 3; block += 1) {
      await anvil.mine(1)
      await until(async () => (await fetched()).high === count + block, `block ${count + block} was not fetched`)
    }
    const { low } = await fetched()
    assert.ok(low <= most, `${low} blocks were fetched`)
  })

  it('loses nothing: when the stage goes on, so does the backfill', async () => {
    await control.setStage('enrich', false, 'test')
    const block = await anvil.client.getBlock()
    await settled(pipeline.store, 'ETH', { number: Number(block.number), hash: block.hash }, 1, 120)
  })
})

describe('a backfill of blocks the node does not have', function () {
  this.timeout(120_000)
  let node: ReplayNode
  let pipeline: Pipeline
  let control: PipelineControl
  const from = 5_000, count = 8
  before(async () => {
    node = await startReplayNode({ renumber: { from, count, shapes: [17_034_869] } })
    const environment = await pipelineEnvironment({ ETH_RPC_URL: node.url, ETH_START_BLOCK: String(from - 20), ETH_FINALITY: '2', ETH_MAX_BATCH: '8', JOB_BACKOFF_MS: '5' })
    pipeline = await startPipeline(environment)
    control = open(environment, pipeline)
  })
  after(ending(() => control, () => pipeline, () => node))

  const lettered = () => until(async () => (await control.deadLetters(10)).count === 1, 'no dead letter')

  it('ends as a dead letter with endpoint and reason, and the blocks above it come', async () => {
    await lettered()
    const [letter] = (await control.deadLetters(10)).letters
    assert.deepEqual([letter?.stage, letter?.code, letter?.from, letter?.to], ['ingest', 'BLOCK_LACKING', from - 20, from - 1])
    assert.match(letter?.endpoint ?? '', /^127\.0\.0\.1:\d+#0$/)
    assert.match(letter?.cause ?? '', /the node has no block 4980/)
    const tip = from + count - 1
    const header = await pipeline.running.parts.chains.get('ETH')?.source.header(tip)
    await settled(pipeline.store, 'ETH', { number: tip, hash: header?.hash ?? '' }, from, 60)
  })

  it('is looked for again when the letter is redriven', async () => {
    assert.equal(await control.redrive(null, 'test'), 1)
    await lettered()
    const [times] = await pipeline.store.query('SELECT countIf(state = \'dead\') AS low, countIf(state = \'redriven\') AS high FROM dead_letters', {}, z.object({ low: z.coerce.number(), high: z.coerce.number() }))
    assert.ok((times?.low ?? 0) + (times?.high ?? 0) >= 2)
  })

  it('is refused at once above the newest block, in words', async () => {
    const order = { chain: 'ETH', from, to: from + count, dryRun: false, requestedBy: 'test' }
    await assert.rejects(control.backfill(order), { code: 'BEYOND_HEAD', status: 422, message: /Block 5008 is above block 5007, the newest of ETH/ })
    await assert.rejects(control.backfill({ ...order, dryRun: true }), { code: 'BEYOND_HEAD' })
    assert.equal((await control.backfill({ ...order, to: from + count - 1 })).accepted, true)
  })
})
