/** node → queryable, enriched, indexed rows through all five stages, beside the bare limit on the same blocks in the same run. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { openStore } from '../../schemas/clickhouse.js'
import { migrate } from '../../schemas/migrations.js'
import { loadRegisters } from '../../stages/enrich/registers/loadRegisters.js'
import { openPipelineControl } from '../../workers/control.js'
import { freePort } from '../embedded/ports.js'
import { openPassing } from './passing.js'
import type { Prepared } from './peers/prepare.js'
import { benchPeers, oursFor, type PeersResult } from './peers/run.js'
import { startMeasured, usageOf, watchOthers } from './processes.js'
import { openStack } from './stack.js'

export interface BackfillResult {
  readonly blocks: number; readonly seconds: number; readonly limitSeconds: number; readonly limitRows: number; readonly megabytes: number
  readonly rows: Readonly<Record<string, number>>; readonly workerPeak: number; readonly apiPeak: number; readonly cpu: Readonly<Record<string, number>>
  readonly clickhouse: string
  /** Share of the machine's CPU, 0 to 1, that went to processes not of the bench meanwhile. */
  readonly othersShare: number
  /** What the peers did with the same node after ours had ended. */
  readonly peers?: PeersResult
  readonly stages: readonly { readonly stage: string; readonly batches: number; readonly milliseconds: number }[]
}

const Count = z.object({ count: z.coerce.number() })
const StageRow = z.object({ stage: z.string(), batches: z.coerce.number(), milliseconds: z.coerce.number() })
const tables = ['blocks', 'transactions', 'logs', 'movements', 'transfers', 'swaps', 'address_transfers', 'chunks', 'alerts'] as const

export const benchBackfill = async (blocks: number, say: (text: string) => void, prepared?: readonly Prepared[]): Promise<BackfillResult> => {
  const from = 20_000_000, database = 'bench'
  // The follower starts at the head, far above: what is measured is a backfill, as an operator orders one.
  // One block below the first, for who looks at its parent.
  const stack = await openStack(from - 1, blocks + 66)
  try {
    const url = stack.clickhouse.url
    await migrate(url, database)
    const store = openStore(url, database)
    await loadRegisters(store)
    say(`bare limit: ${blocks} blocks …`)
    const limit = JSON.parse(execFileSync(process.execPath, ['--import', 'tsx/esm', fileURLToPath(new URL('limit.ts', import.meta.url)), stack.nodeUrl, url, database, String(from), String(blocks)], { encoding: 'utf8' })) as { seconds: number; rows: number }
    say(`bare limit: ${(blocks / limit.seconds).toFixed(0)} blocks/s; pipeline …`)
    const environment = {
      CLICKHOUSE_URL: url, REDIS_URL: stack.redis.url, CLICKHOUSE_DATABASE: database, QUEUE_PREFIX: 'bench', ETH_RPC_URL: stack.nodeUrl, ETH_START_BLOCK: String(from + blocks + 64), LOG_LEVEL: process.env['BENCH_LOG'] ?? 'warn', LOG_TO_STORE: 'false',
    }
    const api = startMeasured(new URL('../../api/main.ts', import.meta.url), [], { ...environment, PORT: String(await freePort()) })
    const worker = startMeasured(new URL('../../workers/main.ts', import.meta.url), [], environment)
    const control = openPipelineControl(store, stack.redis.url, 'bench'), passing = await openPassing(store, stack.redis.url, 'bench', 'ETH')
    await passing.until(from + blocks + 64, from + blocks + 64)
    const before = { clickhouse: usageOf(stack.clickhouse.process.pid).cpu, redis: usageOf(stack.redis.process.pid).cpu, worker: worker.cpu(), node: stack.node.cpu() }
    const others = watchOthers(), started = performance.now()
    await control.backfill({ chain: 'ETH', from, to: from + blocks - 1, dryRun: false, requestedBy: 'bench' })
    await passing.until(from, from + blocks - 1, say)
    const seconds = (performance.now() - started) / 1_000, othersShare = others()
    const cpu = {
      clickhouse: usageOf(stack.clickhouse.process.pid).cpu - before.clickhouse, redis: usageOf(stack.redis.process.pid).cpu - before.redis,
      worker: worker.cpu() - before.worker, node: stack.node.cpu() - before.node,
    }
    const rows: Record<string, number> = {}
    for (const table of tables) rows[table] = (await store.query('SELECT count() AS count FROM {table:Identifier}', { table }, Count))[0]?.count ?? 0
    const [bytes] = await store.query(`SELECT sum(bytes) AS count FROM batches WHERE stage = 'ingest'`, {}, Count)
    const stages = await store.query(`SELECT stage, count() AS batches, avg(milliseconds) AS milliseconds FROM batches WHERE to_block < {top:UInt64} GROUP BY stage ORDER BY indexOf(['ingest', 'normalize', 'enrich', 'index', 'alert'], stage)`, { top: from + blocks }, StageRow)
    const [version] = await store.query('SELECT version() AS version', {}, z.object({ version: z.string() }))
    const ours = prepared === undefined ? undefined : await oursFor(store, prepared, from, blocks)
    const result = { clickhouse: version?.version ?? '', blocks, seconds, othersShare, limitSeconds: limit.seconds, limitRows: limit.rows, megabytes: (bytes?.count ?? 0) / 1e6, rows, workerPeak: worker.peak(), apiPeak: api.peak(), cpu, stages }
    await Promise.all([control.close(), passing.close()])
    await Promise.all([worker.stop(), api.stop()])
    await store.close()
    if (prepared === undefined || ours === undefined) return result
    await stack.stopStores()
    return { ...result, peers: await benchPeers(prepared, stack, from, blocks, ours, say) }
  } finally {
    await stack.stop()
  }
}
