/** Bitcoin through all five stages, full blocks from the node to indexed rows, beside the bare limit of the same run; then its tip. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { openKeys } from '../../../api/keys.js'
import { adminScopes } from '../../../api/tiers.js'
import { openPipelineControl } from '../../../workers/control.js'
import { freePort } from '../../embedded/ports.js'
import { openPassing } from '../passing.js'
import { untilQuiet, usageOf, watchOthers } from '../processes.js'
import { database, startService } from '../service.js'
import { openStack } from '../stack.js'
import { benchTip, type TipResult } from '../tip.js'

export interface BitcoinResult {
  readonly blocks: number; readonly seconds: number; /** Whether nothing was going on before each part. */ readonly quiet: boolean; /** Blocks a second before and after the pipeline. */ readonly limits: readonly [number, number]; readonly limitSeconds: number; readonly limitRows: number; readonly megabytes: number; readonly workerPeak: number
  readonly rows: Readonly<Record<string, number>>; readonly cpu: Readonly<Record<string, number>>; readonly othersShare: number; readonly tip: TipResult; readonly clickhouse: string
  readonly stages: readonly { readonly stage: string; readonly batches: number; readonly milliseconds: number }[]
}

const Count = z.object({ count: z.coerce.number() })
const StageRow = z.object({ stage: z.string(), batches: z.coerce.number(), milliseconds: z.coerce.number() })
const tables = ['btc_blocks', 'btc_transactions', 'btc_outputs', 'btc_inputs', 'transfers', 'address_transfers', 'alerts'] as const

/** `blocks` as a backfill, then `tipBlocks` one by one. The copies are not mined: work alone is not checked, every hash is. */
export const benchBitcoin = async (blocks: number, tipBlocks: number, say: (text: string) => void): Promise<BitcoinResult> => {
  const from = 800_000, finality = 6, head = from + blocks - 1 + finality
  say(`bitcoin: linking ${blocks + finality + tipBlocks} full blocks …`)
  const zmq = `tcp://127.0.0.1:${await freePort()}`
  const stack = await openStack(from, blocks + finality + tipBlocks, ['--chain', 'BTC', '--head', String(head), '--zmq', zmq])
  try {
    // The follower starts where the backfill ends: what is measured first is a backfill, as an operator orders one, of what lies below.
    const settings = { BTC_START_BLOCK: String(from + blocks), BTC_FINALITY: String(finality), BTC_ZMQ_URL: zmq, BTC_CHECK_WORK: 'false', PUBLIC_RATE: '1000000' }
    const service = await startService(stack, settings, 'BTC_RPC_URL')
    const { store, worker, api } = service, opened: (() => Promise<unknown>)[] = [service.stop]
    try {
      const control = openPipelineControl(store, stack.redis.url, 'bench')
      opened.push(() => control.close())
      const passing = await openPassing(store, stack.redis.url, 'bench', 'BTC')
      opened.push(() => passing.close())
      await passing.until(from + blocks, head)
      let quiet = true
      const bareLimit = async (): Promise<{ seconds: number; rows: number }> => {
        say(`bare limit: ${blocks} blocks …`)
        const limit = JSON.parse(execFileSync(process.execPath, ['--import', 'tsx/esm', fileURLToPath(new URL('limit.ts', import.meta.url)), stack.nodeUrl, stack.clickhouse.url, database, String(from), String(blocks)], { encoding: 'utf8' })) as { seconds: number; rows: number }
        say(`bare limit: ${(blocks / limit.seconds).toFixed(1)} blocks/s`)
        // Its rows are of no use, and merging them would be counted as the pipeline's.
        await store.execute('DROP TABLE limit_outputs SYNC')
        quiet &&= await untilQuiet(3)
        return limit
      }
      const first = await bareLimit()
      const before = { clickhouse: usageOf(stack.clickhouse.process.pid).cpu, redis: usageOf(stack.redis.process.pid).cpu, worker: worker.cpu(), node: stack.node.cpu(), api: api.cpu() }
      const others = watchOthers(), started = performance.now()
      await control.backfill({ chain: 'BTC', from, to: from + blocks - 1, dryRun: false, requestedBy: 'bench' })
      await passing.until(from, from + blocks - 1, say)
      const seconds = (performance.now() - started) / 1_000, othersShare = others()
      const cpu = {
        clickhouse: usageOf(stack.clickhouse.process.pid).cpu - before.clickhouse, redis: usageOf(stack.redis.process.pid).cpu - before.redis, worker: worker.cpu() - before.worker, node: stack.node.cpu() - before.node, api: api.cpu() - before.api,
      }
      const rows: Record<string, number> = {}
      for (const table of tables) rows[table] = (await store.query(`SELECT count() AS count FROM {table:Identifier} WHERE chain = 'BTC' AND block_number < {above:UInt64}`, { table, above: from + blocks }, Count))[0]?.count ?? 0
      const [bytes] = await store.query(`SELECT sum(bytes) AS count FROM batches WHERE chain = 'BTC' AND stage = 'ingest' AND to_block < {above:UInt64}`, { above: from + blocks }, Count)
      const stages = await store.query(`SELECT stage, count() AS batches, avg(milliseconds) AS milliseconds FROM batches WHERE chain = 'BTC' AND to_block < {above:UInt64} GROUP BY stage ORDER BY indexOf(['ingest', 'normalize', 'enrich', 'index', 'alert'], stage)`, { above: from + blocks }, StageRow)
      const [version] = await store.query('SELECT version() AS version', {}, z.object({ version: z.string() }))
      const { key } = await openKeys(store, store).issue({ name: 'bench', role: 'admin', tier: 'enterprise', rate_limit: 1_000_000_000, daily_cap: 0, scopes: [...adminScopes], source_ip: '' })
      // Merges and clusters of what the backfill left go on for a while.
      quiet &&= await untilQuiet(10)
      // A machine is not equally fast from minute to minute: the limit is measured on both sides of what is held against it.
      const second = await bareLimit(), limitSeconds = (first.seconds + second.seconds) / 2
      say(`tip: ${tipBlocks} blocks …`)
      const tip = await benchTip(stack, service, key, head + 1, tipBlocks, 'BTC')
      return { blocks, seconds, quiet, limitSeconds, limits: [blocks / first.seconds, blocks / second.seconds], limitRows: first.rows, megabytes: (bytes?.count ?? 0) / 1e6, workerPeak: worker.peak(), rows, cpu, othersShare, stages, tip, clickhouse: version?.version ?? '' }
    } finally {
      for (const close of opened.reverse()) await close()
    }
  } finally {
    await stack.stop()
  }
}
