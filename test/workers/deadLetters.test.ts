import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import { startReplayNode, type ReplayNode } from '../../scripts/replay-node/server.js'
import type { Store } from '../../schemas/clickhouse.js'
import { openPipelineControl, type PipelineControl } from '../../workers/control.js'
import { openLedger } from '../../stages/ledger/ledger.js'
import { bury } from '../../workers/deadLetters.js'
import { ending } from '../support/endings.js'
import { pipelineEnvironment, settled, startPipeline, until, type Pipeline } from '../support/pipeline.js'
import { freshStore, randomName, redisUrl } from '../support/servers.js'

const from = 5_000, count = 70

describe('a node that answers wrongly', function () {
  this.timeout(120_000)
  let node: ReplayNode
  let pipeline: Pipeline
  let control: PipelineControl
  before(async () => {
    node = await startReplayNode({ renumber: { from, count, shapes: [17_034_869] }, faults: { missingReceipt: 1 } })
    const environment = await pipelineEnvironment({ ETH_RPC_URL: node.url, ETH_START_BLOCK: String(from + count - 1), JOB_BACKOFF_MS: '5' })
    pipeline = await startPipeline(environment)
    control = openPipelineControl(pipeline.store, environment['REDIS_URL'] ?? '', environment['QUEUE_PREFIX'] ?? '')
  })
  after(ending(() => control, () => pipeline, () => node))

  const lettersOnce = async (wanted: number) => {
    for (const deadline = Date.now() + 40_000; ;) {
      const letters = await control.deadLetters(10)
      if (letters.count === wanted) return letters
      assert.ok(Date.now() < deadline, `${letters.count} dead letters, expected ${wanted}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  it('ends as a dead letter that names the endpoint and the reason, with nothing in the tables', async () => {
    const { letters, oldestAgeSeconds } = await lettersOnce(1)
    assert.equal(letters[0]?.stage, 'ingest')
    assert.equal(letters[0]?.code, 'BAD_ANSWER')
    assert.match(letters[0]?.endpoint ?? '', /^127\.0\.0\.1:\d+#0$/)
    assert.match(letters[0]?.cause ?? '', /receipts: 92 for 93 transactions/)
    assert.ok(oldestAgeSeconds !== null && oldestAgeSeconds >= 0)
    const [rows] = await pipeline.store.query('SELECT count() AS blocks FROM blocks', {}, z.object({ blocks: z.coerce.number() }))
    assert.equal(rows?.blocks, 0)
  })

  it('keeps its letter when Redis is emptied, and is not tried again behind the operator\'s back', async () => {
    await pipeline.running.parts.redis.flushdb()
    const stages = await control.stages()
    assert.equal(stages.find((stage) => stage.stage === 'ingest')?.errors, 1)
    await lettersOnce(1)
  })

  it('works once the node is mended and the letter is redriven', async () => {
    node.control.change({ faults: {} })
    assert.equal(await control.redrive(null, 'test'), 1)
    const tip = from + count - 1
    const header = await pipeline.running.parts.chains.get('ETH')?.source.header(tip)
    await settled(pipeline.store, 'ETH', { number: tip, hash: header?.hash ?? '' }, tip)
    await lettersOnce(0)
  })
})

describe('a node that quotes what it was called with', function () {
  this.timeout(120_000)
  const key = 'Zq7hx93kLw0PdUe41Tn', password = 'n0-b0dy-reads-this'
  let node: ReplayNode, quoting: Server, pipeline: Pipeline
  before(async () => {
    node = await startReplayNode({ renumber: { from, count: 1, shapes: [17_034_869] } })
    quoting = createServer((request, response) => {
      void (async () => {
        let body = ''
        for await (const piece of request) body += String(piece)
        const forwarded = !/eth_get(BlockReceipts|TransactionReceipt)/.test(body)
        const calls = JSON.parse(body) as { id: unknown } | { id: unknown }[]
        const refusal = ({ id }: { id: unknown }) => ({ jsonrpc: '2.0', id, error: { code: -32_000, message: `no receipts for ${request.url ?? ''} with ${request.headers.authorization ?? ''}, password ${password}` } })
        response.setHeader('content-type', 'application/json').end(forwarded
          ? Buffer.from(await (await fetch(node.url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })).arrayBuffer())
          : JSON.stringify(Array.isArray(calls) ? calls.map(refusal) : refusal(calls)))
      })()
    })
    await new Promise<void>((resolve) => { quoting.listen(0, '127.0.0.1', resolve) })
    const { port } = quoting.address() as AddressInfo
    pipeline = await startPipeline(await pipelineEnvironment({ ETH_RPC_URL: `http://reader:${password}@127.0.0.1:${port}/v2/${key}`, ETH_START_BLOCK: String(from), JOB_BACKOFF_MS: '5' }))
  })
  after(ending(() => pipeline, () => node, () => quoting))

  it('leaves neither its key nor its password in the dead letter or in Redis', async () => {
    const written = async () => (await pipeline.store.query('SELECT cause FROM dead_letters', {}, z.object({ cause: z.string() })))[0]?.cause
    await until(async () => await written() !== undefined, 'no dead letter')
    assert.match(await written() ?? '', /no receipts for \/v2\/\[hidden\] with Basic \[hidden\], password \[hidden\]/)
    const { redis } = pipeline.running.parts
    for (const name of await redis.keys(`${pipeline.config.QUEUE_PREFIX}:*`)) {
      if (await redis.type(name) !== 'hash') continue
      const kept = JSON.stringify(await redis.hgetall(name))
      assert.ok(!kept.includes(key) && !kept.includes(password), kept)
    }
  })
})

describe('a dead letter', function () {
  this.timeout(60_000)

  it('that is redriven in vain says when it first gave up, and when last', async () => {
    const { store } = await freshStore()
    const control = openPipelineControl(store, await redisUrl(), randomName('q'))
    try {
      const stretch = { chain: 'ETH', from: 10, to: 19, hash: '', generation: 0, floor: 10 }
      // Of a stretch that nobody wants there is no letter.
      await openLedger(store).addTarget('ETH', { id: 'backfill-10-19', kind: 'backfill', from: 10, to: 19, by: 'test' })
      const letter = async () => { const { letters: [one] } = await control.deadLetters(1); assert.ok(one !== undefined); return one }
      await bury(store, 'ingest', stretch, 8, new Error('nobody has it'))
      const first = await letter()
      assert.match(first.firstAt, /T\d\d:\d\d:\d\d\.\d{3}Z$/)
      assert.equal(first.at, first.firstAt)
      for (const reason of ['nor now', 'nor then']) {
        assert.equal(await control.redrive(first.id, 'test'), 1)
        assert.equal(await control.redrive(first.id, 'test'), 0, 'it stands no more')
        await bury(store, 'ingest', stretch, 8, new Error(reason))
        const again = await letter()
        assert.deepEqual([again.id, again.cause, again.firstAt], [first.id, reason, first.firstAt])
        assert.ok(again.at > first.at && again.at.length === first.at.length, again.at)
      }
      assert.equal(await control.redrive('ingest|ETH|none', 'test'), null)
    } finally { await control.close() }
  })
})

describe('very many dead letters', function () {
  this.timeout(90_000)
  const many = 10_500
  let store: Store, control: PipelineControl
  before(async () => {
    ({ store } = await freshStore())
    control = openPipelineControl(store, await redisUrl(), randomName('q'))
    await openLedger(store).addTarget('ETH', { id: 'backfill-1-20000', kind: 'backfill', from: 1, to: 20_000, by: 'test' })
    // Seven gave up at a time.
    await store.execute(`INSERT INTO dead_letters SELECT concat('ingest|ETH-', toString(number + 1), '-', toString(number + 1), '--g0'), 'ETH', 'ingest', number + 1, number + 1, '', 0, 'BLOCK_LACKING', 'nobody has it', '', 8, 'dead', at, at
      FROM (SELECT number, now64(6) - toIntervalMillisecond(intDiv(number, 7)) AS at FROM numbers({many:UInt32}))`, { many })
  })
  after(ending(() => control))
  const buried = async () => (await control.stages()).find(({ stage }) => stage === 'ingest')?.errors

  it('are counted alike wherever they are', async () => {
    assert.deepEqual([await buried(), (await control.deadLetters(1)).count], [many, many])
  })

  it('are counted on a page below which none is left any more', async () => {
    const { letters: [, last] } = await control.deadLetters(2)
    assert.ok(last !== undefined)
    const left = await control.deadLetters(2, ['2001-01-01T00:00:00.000Z', last.id])
    assert.deepEqual([left.count, left.letters], [many, []])
    assert.ok(left.oldestAgeSeconds !== null && left.oldestAgeSeconds >= 0)
    // The last page is of what is left, and of nothing above it.
    const rest = (await control.deadLetters(many)).letters, place = rest.at(-4)
    assert.ok(place !== undefined)
    assert.deepEqual((await control.deadLetters(50, [place.at, place.id])).letters, rest.slice(-3))
  })

  it('are all put back by one redrive', async () => {
    assert.equal(await control.redrive(null, 'test'), many)
    assert.deepEqual([await buried(), await control.deadLetters(1)], [0, { count: 0, oldestAgeSeconds: null, letters: [] }])
  })
})
