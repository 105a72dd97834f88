import assert from 'node:assert/strict'
import { z } from 'zod'
import { startAnvil, type Anvil } from '../../scripts/simulate/anvil.js'
import { startReplayNode, type ReplayNode } from '../../scripts/replay-node/server.js'
import { openCoverage } from '../../api/coverage.js'
import { openPipelineControl, type PipelineControl } from '../../workers/control.js'
import { planned as highest } from '../../workers/metrics.js'
import { ending } from '../support/endings.js'
import { runScript, startScript } from '../support/run.js'
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

describe('a backfill that is withdrawn', function () {
  this.timeout(180_000)
  let anvil: Anvil
  let pipeline: Pipeline
  let control: PipelineControl
  let environment: Record<string, string>
  const bounds = { ahead: 1, behind: 2 }, count = 60
  before(async () => {
    anvil = await startAnvil()
    await anvil.rpc('anvil_mine', [`0x${count.toString(16)}`])
    environment = await pipelineEnvironment({ ETH_RPC_URL: anvil.url, ETH_CHAIN_ID: '31337', ETH_START_BLOCK: String(count - 4), ETH_FINALITY: '4', ETH_MAX_BATCH: '2' })
    pipeline = await startPipeline(environment, undefined, bounds)
    control = open(environment, pipeline)
  })
  after(ending(() => control, () => pipeline, () => anvil))

  it('is not fetched on; what was planned goes through, the tip goes on, and nothing is missing', async () => {
    const block = await anvil.client.getBlock()
    await settled(pipeline.store, 'ETH', { number: Number(block.number), hash: block.hash }, count - 4, 60)
    await control.setStage('enrich', true, 'test')
    const { target } = await control.backfill({ chain: 'ETH', from: 1, to: 50, dryRun: false, requestedBy: 'test' })
    const planned = async (): Promise<number> => (await pipeline.store.query('SELECT maxIf(to_block, to_block <= 50) AS high FROM plans', {}, z.object({ high: z.coerce.number() })))[0]?.high ?? 0
    await until(async () => (await planned()) >= 4, 'the backfill was not planned')
    assert.equal((await highest.get()).values.find(({ labels }) => labels['chain'] === 'ETH')?.value, count, 'what is planned below the tip is not the highest')
    await control.withdraw(target, 'test')
    await control.setStage('enrich', false, 'test')
    await until(async () => { const [one] = await control.backfills(1); return one !== undefined && one.indexed === await planned() }, 'what was planned did not go through')
    await anvil.mine(3)
    const newest = await anvil.client.getBlock()
    await settled(pipeline.store, 'ETH', { number: Number(newest.number), hash: newest.hash }, count - 4, 60)
    const high = await planned()
    assert.ok(high < 50, `${high} blocks were planned`)
    assert.deepEqual((await pipeline.running.parts.ledger.targets('ETH')).map(({ kind }) => kind), ['follow'])
    const told = (await control.backfills(1))[0]
    assert.deepEqual([told?.indexed, told?.givenUp, told?.withdrawnBy], [high, 0, 'test'])
    assert.equal((await openCoverage(pipeline.store).view()).bounds.get('ETH')?.missing, 0)
  })

  it('is fetched when it is asked for anew; the command line waits for it and says how far it is', async () => {
    const order = ['--from', '49', '--to', '50'] as const
    const { code, text } = await runScript('scripts/backfill.ts', [...order, '--wait'], environment)
    assert.deepEqual([code, text.replace(/-[0-9a-f]{8}\n/, '\n').split('\n').filter((line) => !/^\d of 2 blocks indexed$/.test(line))], [0, ['2 blocks, 0 of them indexed already; ordered as backfill-49-50', 'done: 2 of 2 blocks indexed', '']])
    await control.setStage('ingest', true, 'test')
    const waiting = startScript('scripts/backfill.ts', ['--from', '45', '--to', '46', '--wait'], environment)
    await waiting.says('0 of 2 blocks indexed')
    const { target } = (await control.backfills(1))[0] ?? { target: '' }
    const tried = await runScript('scripts/backfill.ts', ['--withdraw', target, '--dry-run'], environment)
    assert.deepEqual([tried.code, /stands alone: --dry-run/.test(tried.text)], [1, true], tried.text)
    const withdrawn = await runScript('scripts/backfill.ts', ['--withdraw', target], environment)
    assert.deepEqual([withdrawn.code, withdrawn.text], [0, 'withdrawn: 0 of 2 blocks are indexed; what is planned goes through, the rest is not fetched\n'])
    const ended = await waiting.ended
    assert.deepEqual([ended.code, ended.text.trimEnd().split('\n').at(-1)], [1, 'withdrawn by command line: 0 of 2 blocks indexed'])
    const wrong = await runScript('scripts/backfill.ts', ['--withdraw', 'backfill-1-2-none'], environment)
    assert.deepEqual([wrong.code, wrong.text], [1, 'No backfill is called backfill-1-2-none\n'])
    const lines = await pipeline.store.query('SELECT action, subject, outcome FROM audit ORDER BY at', {}, z.object({ action: z.string(), subject: z.string(), outcome: z.string() }))
    assert.deepEqual(lines.map(({ action, subject, outcome }) => `${action} ${subject} ${outcome}`), ['backfill ETH accepted', 'backfill ETH accepted', `withdraw_backfill ${target} ok`])
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

  it('that was asked for is told with how far it is, and what no node has is given up', async () => {
    const order = { chain: 'ETH', dryRun: false, requestedBy: 'test' }
    const done = (await control.backfills(1))[0]
    assert.deepEqual([done?.from, done?.to, done?.indexed, done?.givenUp, done?.requestedBy, done?.withdrawnAt], [from, from + count - 1, count, 0, 'test', null])
    const { target } = await control.backfill({ ...order, from: from - 30, to: from - 11 })
    await until(async () => (await control.backfills(1))[0]?.givenUp === 20, 'what no node has was not given up')
    const [half] = await control.backfills(1)
    assert.deepEqual([half?.target, half?.indexed], [target, 0])
    assert.deepEqual((await control.backfills(9, [half?.requestedAt ?? '', target])).map((one) => one.target), [done?.target])
    // The follower wants the blocks from 20 below on as well, so their letter stays; that of the ten below them is nobody's any more.
    const letters = async () => (await control.deadLetters(10)).letters.map((letter) => [letter.from, letter.to])
    assert.deepEqual((await letters()).sort(), [[from - 30, from - 21], [from - 20, from - 1]])
    const told = await control.withdraw(target, 'somebody')
    assert.deepEqual([told.withdrawnBy, told.from, told.requestedBy], ['somebody', from - 30, 'test'])
    assert.equal(told.givenUp, 10, 'of what it wanted a letter stands for what the follower wants, too')
    assert.deepEqual(await control.withdraw(target, 'another'), told, 'withdrawn twice it stays with the first')
    assert.deepEqual(await letters(), [[from - 20, from - 1]])
    await assert.rejects(control.withdraw('backfill-1-2-none', 'test'), { code: 'UNKNOWN_BACKFILL', status: 404 })
    await assert.rejects(control.withdraw('follow', 'test'), { code: 'UNKNOWN_BACKFILL' })
  })
})
