/** One simulated run: a history with reorgs under faults, then the same final chain without any; their digests must be equal. */
import { z } from 'zod'
import { openStore, type Store } from '../../schemas/clickhouse.js'
import { migrate } from '../../schemas/migrations.js'
import { openLedger } from '../../stages/ledger/ledger.js'
import { stateDigest, type Digest } from '../../stages/digest/digest.js'
import { loadRegisters } from '../../stages/enrich/registers/loadRegisters.js'
import { openStarted, type Started } from '../started.js'
import { startAnvil } from './anvil.js'
import { makeHistory, type History } from './history.js'
import { noFaults, startShownNode, type ShownNode } from './node.js'
import { seeded, type Random } from './random.js'
import { openWorkers, openWorld, type World, type Workers } from './world.js'

export interface Result { readonly seed: number; readonly equal: boolean; readonly faulty: Digest; readonly clean: Digest; readonly blocks: number; readonly steps: number; readonly reorgs: number; /** Of them, those the pipeline saw and carried out. */ readonly rollbacks: number; readonly deaths: number; readonly faults: number; readonly disasters: readonly string[] }

/** What the names of a run's directories begin with. */
export const runPrefix = 'hydrophone-simulate-'

const Left = z.object({ done: z.coerce.number(), tip: z.coerce.number(), due: z.coerce.number() })

/** What has not passed every stage, and which jobs gave up, in words. */
const standing = async (store: Store): Promise<string> => {
  const ledger = openLedger(store)
  const unfinished = await ledger.unfinished('ETH', 20)
  const letters = await store.query("SELECT id, cause FROM dead_letters FINAL WHERE chain = 'ETH' AND state = 'dead' ORDER BY id", {}, z.object({ id: z.string(), cause: z.string() }))
  return `${unfinished.map(({ batch, stages }) => `${batch.from} g${batch.generation} has ${[...stages].sort().join('+') || 'nothing'}`).join(', ')}; given up: ${letters.map(({ id, cause }) => `${id} (${cause})`).join(', ') || 'none'}`
}

/** Waits until the final chain has passed every stage and every rollback is carried out; rejects when nothing more comes through for `seconds`. */
const settle = async (store: Store, history: History, seconds: number): Promise<void> => {
  const final = history.steps.at(-1) ?? []
  const number = final.length - 1
  let [deadline, before] = [Date.now() + seconds * 1_000, '']
  for (;;) {
    const [row] = await store.query(
      `SELECT (SELECT sum(to_block - from_block + 1) FROM live_batches WHERE chain = 'ETH' AND (from_block, to_block, hash, generation) IN (
           SELECT from_block, to_block, hash, generation FROM batches WHERE chain = 'ETH' AND stage = 'alert')) AS done,
         (SELECT count() FROM live_batches WHERE chain = 'ETH' AND to_block = {number:UInt64} AND hash = {hash:String}) AS tip,
         (SELECT count() FROM plans WHERE chain = 'ETH' AND kind = 'rollback' AND seq NOT IN (SELECT seq FROM rollbacks_applied WHERE chain = 'ETH' AND step = 'done')) AS due`,
      { number, hash: final[number] ?? '' }, Left).catch(() => [])
    if (row !== undefined && row.done === number && row.tip === 1 && row.due === 0) return
    const now = JSON.stringify(row)
    if (row !== undefined && now !== before) [deadline, before] = [Date.now() + seconds * 1_000, now]
    if (Date.now() > deadline) throw new Error(`nothing came through for ${seconds} s: ${row?.done ?? '?'} of ${number} blocks through all stages, tip ${row?.tip === 1 ? 'there' : 'missing'}, ${row?.due ?? '?'} rollbacks to carry out; ${await standing(store)}`)
    // To look costs tens of milliseconds of the processors that those who are looked at run on.
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

/** Waits until the node was asked `more` times from now on: what it shows has then been seen. Rejects when nobody asks. */
const asked = async (counts: ShownNode['counts'], more: number, seconds: number): Promise<void> => {
  const enough = counts.requests + more
  for (const deadline = Date.now() + seconds * 1_000; counts.requests < enough;) {
    if (Date.now() > deadline) throw new Error(`nobody asked the node for ${seconds} s`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Requests for which the node shows a step at least: workers that start, or wait for a store, see it all the same. */
const looks = 12

const prepare = async (world: World, database: string, nodeUrl: string): Promise<{ store: Store; environment: Record<string, string> }> => {
  await migrate(world.clickhouseUrl, database)
  const store = openStore(world.clickhouseUrl, database)
  await loadRegisters(store)
  const environment = {
    CLICKHOUSE_URL: world.clickhouseUrl, REDIS_URL: world.redisUrl, CLICKHOUSE_DATABASE: database, QUEUE_PREFIX: database, ETH_RPC_URL: nodeUrl, ETH_START_BLOCK: '1',
    ETH_FINALITY: '16', ETH_POLL_MS: '50', JOB_LOCK_MS: '1500', LOG_LEVEL: process.env['SIMULATE_LOG'] ?? 'silent', LOG_TO_STORE: 'false',
  }
  return { store, environment }
}

const disaster = async (random: Random, world: World, workers: Workers, told: string[]): Promise<void> => {
  const kind = random.pick(['flush', 'redis', 'clickhouse', 'workers'] as const)
  told.push(kind)
  if (kind === 'flush') await world.flush()
  else if (kind === 'redis') await world.killRedis()
  else if (kind === 'clickhouse') await world.killClickHouse()
  else await workers.restart(0.004)
}

/** Runs `seed`; `length` is about how many blocks the chain ends with. Rejects when the pipeline does not settle. What it starts it ends; `running` knows of it meanwhile. */
export const simulate = async (seed: number, length: number, running: Started = openStarted(runPrefix)): Promise<Result> => {
  const random = seeded(seed)
  const directory = running.directory()
  const anvil = await startAnvil(['--timestamp', '1700000000'], running.spawned)
  const history = await makeHistory(anvil, random, length).finally(() => anvil.stop())
  const world = await openWorld(directory, running.spawned)
  // Draws of its own: how often it is asked hangs on the machine, and what befalls the others must not.
  const node = await startShownNode(history, seeded(seed + 1_000_000))
  const disasters: string[] = []
  const started: Workers[] = []
  const start = async (environment: Record<string, string>, count: number, kill: number): Promise<Workers> => {
    const workers = await openWorkers(environment, count, seed, kill)
    started.push(workers)
    running.ending(() => workers.stop())
    return workers
  }
  try {
    const faulty = await prepare(world, 'faulty', node.url)
    node.misbehave({ error: 0.03, http: 0.02, truncate: 0.02, nullResult: 0.02, foreignReceipts: 0.02, missingReceipt: 0.02, delay: 0.2 })
    const workers = await start(faulty.environment, 2, 0.004)
    for (let step = 0; step < history.steps.length; step += 1) {
      node.show(step)
      await new Promise((resolve) => setTimeout(resolve, random.int(50, 600)))
      await asked(node.counts, looks, 60)
      if (random.chance(0.25)) await disaster(random, world, workers, disasters)
    }
    node.misbehave(noFaults)
    await settle(faulty.store, history, 120)
    // Late writers are swept by the auditor within its period: the state is compared after it has passed once more.
    await new Promise((resolve) => setTimeout(resolve, 12_000))
    const deaths = workers.deaths()
    await workers.stop()
    const height = (history.steps.at(-1)?.length ?? 1) - 1
    const [carried] = await faulty.store.query('SELECT count() AS count FROM plans WHERE chain = \'ETH\' AND kind = \'rollback\'', {}, z.object({ count: z.coerce.number() }))
    const faultyDigest = await stateDigest(faulty.store, 'ETH', height)
    await faulty.store.close()

    const clean = await prepare(world, 'clean', node.url)
    const calm = await start(clean.environment, 1, 0)
    await settle(clean.store, history, 120)
    await calm.stop()
    const cleanDigest = await stateDigest(clean.store, 'ETH', height)
    await clean.store.close()
    return {
      seed, equal: faultyDigest.digest === cleanDigest.digest, faulty: faultyDigest, clean: cleanDigest, blocks: height, steps: history.steps.length, reorgs: history.reorgs,
      rollbacks: carried?.count ?? 0, deaths, faults: node.counts.faults, disasters,
    }
  } finally {
    await Promise.all(started.map((workers) => workers.stop()))
    await node.close()
    await world.stop()
    running.remove(directory)
  }
}
