/** What the conductor tells an operator of: a node that is silent, and nothing else under that name. */
import assert from 'node:assert/strict'
import { pino } from 'pino'
import { z } from 'zod'
import { openStore, type Store } from '../../schemas/clickhouse.js'
import { findChain } from '../../schemas/chains.js'
import { parseConfig } from '../../schemas/config.js'
import { openUnderWay } from '../../schemas/givingWay.js'
import type { StageName } from '../../schemas/primitives.js'
import { openLedger, type Ledger } from '../../stages/ledger/ledger.js'
import type { ChainModule } from '../../stages/stage.js'
import { usualBounds } from '../../workers/backfill.js'
import { conduct } from '../../workers/conductor.js'
import { watchControls, type PipelineState } from '../../workers/controls.js'
import { askerConnection, openQueues, readyWithin } from '../../workers/queues.js'
import { openDoor } from '../api/support/door.js'
import { until } from '../support/pipeline.js'
import { clickhouseUrl, freshStore, randomName, redisUrl } from '../support/servers.js'

const hashOf = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`
const headOf = (number: number) => ({ number, hash: hashOf(number), parentHash: hashOf(number - 1), time: 1_700_000_000 + number })

describe('a conductor', function () {
  this.timeout(60_000)
  /** One of Ethereum on a made node that fails as `node` says, and waits `silentMs` before it tells. */
  const conducting = async (store: Store, node: { fails: boolean; top: number }, ledger: Partial<Ledger> = {}, silentMs = 300, log = pino({ level: 'silent' })) => {
    const redis = askerConnection(await redisUrl()), wish: { pipeline: PipelineState; pausedStages: ReadonlySet<StageName> } = { pipeline: 'running', pausedStages: new Set() }
    await readyWithin(redis, 5_000)
    const config = parseConfig({ QUEUE_PREFIX: randomName('q') }), queues = openQueues(redis, config.QUEUE_PREFIX, () => undefined), chain = findChain('ETH')
    assert.ok(chain !== undefined)
    const source = {
      head: async () => { if (node.fails) throw new Error('the node is silent'); return { ...headOf(node.top), finalized: 0, endpoint: 'made' } },
      header: async (number: number) => headOf(number),
    }
    const module = { chain, source, normalize: [], finality: 16, pollMs: 20, maxBatch: 8, startBlock: 1 } as unknown as ChainModule
    const stop = conduct({
      config, store, ledger: { ...openLedger(store), ...ledger }, queues, redis, redisStart: { isBefore: () => false }, controls: { current: () => ({ ...wish, halted: new Map() }) },
      chains: new Map([['ETH', module]]), log, bounds: usualBounds, underWay: openUnderWay(), checkpoint: async () => undefined,
    } as never, module, { silentMs, sweepMs: 100, slowMs: 200 })
    return { wish, queues, redis, alive: `${config.QUEUE_PREFIX}:alive:ETH`, stop: async () => { await stop(); await Promise.all(Object.values(queues).map((queue) => queue.close())); redis.disconnect() } }
  }
  const open = async (store: Store): Promise<string[]> => (await store.query('SELECT kind, detail FROM incidents FINAL WHERE closed_at IS NULL ORDER BY kind', {}, z.object({ kind: z.string(), detail: z.string() }))).map(({ kind, detail }) => `${kind}: ${detail}`)
  const planned = async (store: Store): Promise<number> => (await store.query('SELECT count() AS n FROM live_batches', {}, z.object({ n: z.coerce.number() })))[0]?.n ?? 0
  const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => { setTimeout(resolve, milliseconds) })

  it('tells that a node is silent when it has been so long enough, and that it is over', async () => {
    const { store } = await freshStore(), node = { fails: true, top: 3 }, { stop } = await conducting(store, node)
    try {
      await until(async () => (await open(store)).includes('no_head: the node is silent'), 'nothing was told')
      node.fails = false
      await until(async () => (await open(store)).length === 0, 'it was not told as over')
    } finally { await stop() }
  })

  it('takes a pause for no silence: after it the time begins anew', async () => {
    const { store } = await freshStore(), node = { fails: true, top: 3 }, { wish, stop } = await conducting(store, node, {}, 4_000)
    try {
      await wait(1_000)
      wish.pipeline = 'paused'
      await wait(4_500)
      wish.pipeline = 'running'
      await wait(1_500)
      assert.deepEqual(await open(store), [])
      await until(async () => (await open(store)).length === 1, 'nothing was told')
    } finally { await stop() }
  })

  it('gives the jobs of a stage that was paused at once when it goes on, though nobody else has them', async () => {
    const { store } = await freshStore(), { wish, queues, redis, alive, stop } = await conducting(store, { fails: false, top: 3 })
    try {
      await until(async () => await planned(store) === 3, 'nothing was planned')
      await store.execute("INSERT INTO batches (chain, stage, from_block, to_block, hash, generation) SELECT chain, 'ingest', from_block, to_block, hash, generation FROM live_batches", {})
      wish.pausedStages = new Set(['normalize'])
      // As at the loss of Redis.
      await redis.del(alive)
      await until(async () => await redis.exists(alive) > 0, 'it was not seen')
      assert.equal(await queues.normalize.getJobCountByTypes('wait', 'prioritized'), 0)
      wish.pausedStages = new Set()
      await until(async () => await queues.normalize.getJobCountByTypes('wait', 'prioritized') === 3, 'they were not given', 15)
    } finally { await stop() }
  })

  it('follows the head while rollbacks cannot be looked after, and tells of that by its own name', async () => {
    const { store } = await freshStore(), node = { fails: false, top: 3 }
    let away = true
    const ledger = openLedger(store)
    const { stop } = await conducting(store, node, { unapplied: async (chain, seconds) => { if (away && seconds > 0) throw new Error('no rollbacks now'); return ledger.unapplied(chain, seconds) } })
    try {
      await until(async () => await planned(store) === 3, 'nothing was planned')
      await until(async () => (await open(store)).includes('audit_fails: no rollbacks now'), 'nothing was told')
      assert.deepEqual(await open(store), ['audit_fails: no rollbacks now'])
      away = false
      await until(async () => (await open(store)).length === 0, 'it was not told as over')
    } finally { await stop() }
  })

  it('tells of a plan that cannot be read by its own name: the node is not silent', async () => {
    const { store } = await freshStore(), node = { fails: false, top: 3 }
    const { stop } = await conducting(store, node, { position: async () => { throw new Error('no plan now') } })
    try {
      await until(async () => (await open(store)).length > 0, 'nothing was told')
      assert.deepEqual(await open(store), ['planner_fails: no plan now'])
    } finally { await stop() }
  })

  it('says that ClickHouse is silent while it waits for it, as those who watch the controls do', async () => {
    const { store, database } = await freshStore(), door = await openDoor(await clickhouseUrl()), behind = openStore(door.url, database), lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => { const { msg, reason } = JSON.parse(line) as { msg: string; reason: string }; lines.push(`${msg}: ${reason}`) } })
    const { queues, stop } = await conducting(behind, { fails: false, top: 3 }, {}, 300, log)
    const controls = watchControls(behind, queues, log, 2_000)
    try {
      await until(async () => await planned(store) === 3 && controls.current().pipeline === 'running', 'nothing was planned')
      await wait(1_000)
      assert.deepEqual(lines, [])
      door.hold()
      await until(async () => new Set(lines).size === 2, 'nothing was said')
      assert.deepEqual([...new Set(lines)].sort(), ['the controls cannot be read: the last wish stands: ClickHouse does not answer (The user aborted a request.)', 'the planner waits: ClickHouse does not answer'])
    } finally { controls.stop(); door.close(); await stop(); await behind.close() }
  })
})
