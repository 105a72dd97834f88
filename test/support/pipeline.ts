/** A whole pipeline in this process against a node: database and queues of its own. */
import { pino } from 'pino'
import { z } from 'zod'
import { openStore, type Store } from '../../schemas/clickhouse.js'
import { parseConfig, type Config } from '../../schemas/config.js'
import { stageNames } from '../../schemas/primitives.js'
import type { Parts } from '../../workers/runner.js'
import { startWorkers, type Running } from '../../workers/start.js'
import { clickhouseUrl, freshDatabase, randomName, redisUrl } from './servers.js'

const Left = z.object({ alerts: z.coerce.number(), blocks: z.coerce.number() }), Count = z.object({ count: z.coerce.number() })
/** Milliseconds from one look at how far a pipeline is to the next: a look costs tens of milliseconds of the processors it runs on. */
const lookMs = 200

export interface Pipeline { readonly config: Config; readonly store: Store; readonly running: Running; stop(): Promise<void> }

/** Environment of a pipeline with a fresh database and prefix. */
export const pipelineEnvironment = async (extra: Record<string, string>): Promise<Record<string, string>> => ({
  CLICKHOUSE_URL: await clickhouseUrl(), REDIS_URL: await redisUrl(), CLICKHOUSE_DATABASE: await freshDatabase(), QUEUE_PREFIX: randomName('q'),
  ETH_POLL_MS: '50', JOB_LOCK_MS: '2000', LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent', ...extra,
})

export const startPipeline = async (environment: Record<string, string>, checkpoint?: Parts['checkpoint'], bounds?: Parts['bounds']): Promise<Pipeline> => {
  const config = parseConfig(environment)
  const url = config.CLICKHOUSE_URL ?? ''
  const store = openStore(url, config.CLICKHOUSE_DATABASE)
  const running = await startWorkers(config, stageNames, pino({ level: config.LOG_LEVEL }), checkpoint, bounds).catch(async (thrown: unknown) => { await store.close(); throw thrown })
  return { config, store, running, stop: async () => { await running.drain(); await store.close() } }
}

/** Resolves when every block of `heights` (inclusive) on the given hashes' chain has passed all five stages; rejects after `seconds`. */
export const settled = async (store: Store, chain: string, tip: { number: number; hash: string }, from: number, seconds = 60): Promise<void> => {
  for (const deadline = Date.now() + seconds * 1_000; ;) {
    const over = Date.now() > deadline
    // Whether the tip is through tells most looks that not all is, at a sixth of what it costs to ask for all.
    const [last] = await store.query(`SELECT count() AS count FROM batches WHERE chain = {chain:String} AND to_block >= {number:UInt64} AND stage = 'alert'`, { chain, number: tip.number }, Count)
    const [row] = last?.count === 0 && !over ? [] : await store.query(
      `SELECT (SELECT sum(to_block - from_block + 1) FROM live_batches WHERE chain = {chain:String} AND from_block >= {from:UInt64}
           AND (from_block, to_block, hash, generation) IN (SELECT from_block, to_block, hash, generation FROM batches WHERE chain = {chain:String} AND stage = 'alert')) AS alerts,
         (SELECT count() FROM blocks WHERE chain = {chain:String} AND block_number = {number:UInt64} AND block_hash = unhex({hash:String})) AS blocks`,
      { chain, from, number: tip.number, hash: tip.hash.slice(2) }, Left)
    if (row?.alerts === tip.number - from + 1 && row.blocks === 1) return
    if (over) throw new Error(`not settled after ${seconds} s: ${row?.alerts ?? 0} of ${tip.number - from + 1} blocks through all stages, tip ${row?.blocks === 1 ? 'there' : 'missing'}`)
    await new Promise((resolve) => setTimeout(resolve, lookMs))
  }
}

/** Resolves when `done` says so; rejects with `what` after `seconds`. */
export const until = async (done: () => Promise<boolean>, what: string, seconds = 40): Promise<void> => {
  for (const deadline = Date.now() + seconds * 1_000; !(await done());) {
    if (Date.now() > deadline) throw new Error(`${what} (after ${seconds} s)`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
