import { z } from 'zod'
import { chains } from '../../../schemas/chains.js'
import { stageNames } from '../../../schemas/primitives.js'
import { AppError } from '../../../schemas/errors.js'
import { loadSql } from '../../../schemas/sql.js'
import { within } from '../../deadline.js'
import { operation, type Ask } from '../../operation.js'
import { startedAt } from '../../version.js'

const getTotals = loadSql(import.meta.url, 'getTotals.sql')
const Totals = z.object({ blocks: z.number(), chunks: z.number(), whales: z.number(), done: z.number(), died: z.number() })

const ChainHealth = z.object({
  chain: z.string(), status: z.enum(['live', 'stale', 'node-only', 'perps-only', 'unknown']), block_number: z.number().int().nullable(), head_block: z.number().int().nullable(),
  lag: z.number().int().nullable(), rpc_health: z.enum(['ok', 'silent', 'unknown']).describe('silent: no new head for ten times the age at which data count as stale'),
})
export const StageHealth = z.object({
  stage: z.enum(stageNames), status: z.enum(['running', 'paused', 'stopped']).describe('What was ordered last; a stage that nobody runs has uptime null'), processed: z.number().describe('Batches in the last hour'), errors: z.number().describe('Batches that were given up and wait for a redrive (dead letters)'),
  queue_depth: z.number().describe('Batches that have passed the stages before and not this one, in hand or waiting, by the ledger; without those that gave up'), throughput: z.number().nullable().describe('Blocks per second over the last minute'), latency_ms: z.number().nullable(),
  backpressure: z.boolean().describe('queue_depth is above 100'),
  uptime: z.number().nullable().describe('Seconds since the longest-running worker of it started; null: none was heard of within a minute, or Redis is away'),
})
const Depth = z.number().nullable()
export const Writable = z.boolean().nullable().describe('false: ClickHouse cannot write (disk full, over quota or read-only, files at their limit): a worker was refused within a minute, or lately and wrote nothing since; null: Redis is away')
export const Queues = z.object({ head_to_ingest: Depth, ingest_to_normalize: Depth, normalize_to_enrich: Depth, enrich_to_index: Depth, index_to_alert: Depth })
  .describe('Batches between two stages: queue_depth of the later; null while ClickHouse is away')

export const Health = z.object({
  status: z.enum(['running', 'paused', 'stopped']),
  health_score: z.number().int().min(0).max(100).describe('40 for fresh data of a chain with blocks, 20 for no failed stage, 20 for Redis, 20 for a pipeline that is ordered to run, whose stages workers run and whose writes find room (as far as Redis says)'),
  chains: z.array(ChainHealth), pipeline: z.object({ stages: z.array(StageHealth) }), queues: Queues,
  system: z.object({
    uptime_seconds: z.number(), total_blocks_processed: z.number().nullable().describe('null, as the other totals: ClickHouse is away'), total_chunks_indexed: z.number().nullable(), total_whale_txs: z.number().nullable().describe('Narrative events about movements of 100,000 USD and more in all of the index; what had no price is not among them'),
    error_rate_1m: z.number().nullable().describe('Share of batches that gave up in the last minute; null when none ran, or ClickHouse is away'), db_pool_size: z.number(), redis_connected: z.boolean(), clickhouse_connected: z.boolean().describe('false: of the chains nothing is known'), clickhouse_writable: Writable,
  }),
})

/** Batches above which a stage is said to be behind. */
const pressed = 100

/** Stages as the control reports them; [] while it cannot. */
export const stageHealth = async (ask: Ask): Promise<z.infer<typeof StageHealth>[]> => (await ask.services.pipeline.stages().catch(() => [])).map((stage) => ({
  stage: stage.stage, status: stage.status, processed: stage.processed, errors: stage.errors, queue_depth: stage.pending, throughput: stage.throughput,
  latency_ms: stage.latencyMs, backpressure: stage.pending > pressed, uptime: stage.uptimeSeconds,
}))

/** Waiting batches by the gap they wait in. */
export const queuesOf = (stages: readonly z.infer<typeof StageHealth>[]): z.infer<typeof Queues> => {
  const depth = (name: string): number | null => stages.find(({ stage }) => stage === name)?.queue_depth ?? null
  return { head_to_ingest: depth('ingest'), ingest_to_normalize: depth('normalize'), normalize_to_enrich: depth('enrich'), enrich_to_index: depth('index'), index_to_alert: depth('alert') }
}

const shown = chains.filter(({ status }) => status !== 'aggregate' && status !== 'unbacked')
const unseen: readonly z.infer<typeof ChainHealth>[] = shown.map(({ id }) => ({ chain: id, status: 'unknown', block_number: null, head_block: null, lag: null, rpc_health: 'unknown' }))

const chainHealth = async (ask: Ask): Promise<z.infer<typeof ChainHealth>[]> => {
  const view = await ask.services.coverage.view()
  return Promise.all(shown.map(async (chain) => {
    const { tier } = await ask.services.coverage.status(chain.id)
    const head = view.heads.get(chain.id)
    // The number of a venue's segment is ours and no height.
    const height = chain.hasBlocks ? head?.number ?? null : null
    const newest = view.bounds.get(chain.id)?.newest ?? null
    const quiet = head !== undefined && Date.now() - Date.parse(head.observedAt) > chain.staleAfterSeconds * 10_000
    return { chain: chain.id, status: tier, block_number: newest, head_block: height, lag: height === null || newest === null ? null : Math.max(0, height - newest), rpc_health: head === undefined ? 'unknown' as const : quiet ? 'silent' as const : 'ok' as const }
  }))
}

/** Whoever asks for health waits no longer for a store that is silent. */
const patienceMs = 2_000
/** That ClickHouse is away, cannot read its files, has lost its tables or does not let us in: none of them is of the question. */
const cannotTell = (thrown: unknown): boolean => thrown instanceof AppError && (thrown.status === 503 || thrown.code === 'STORE_EMPTY' || thrown.code === 'STORE_DENIED')
/** What `read` gives; null while ClickHouse cannot tell. */
const whileThere = <Value>(ask: Ask, read: (signal: AbortSignal) => Promise<Value>): Promise<Value | null> =>
  within(ask.signal, read, patienceMs).catch((thrown: unknown) => { if (cannotTell(thrown)) return null; throw thrown })

export const health = async (_input: object, ask: Ask): Promise<z.infer<typeof Health>> => {
  const order = whileThere(ask, () => ask.services.pipeline.state()).catch(() => null), staged = whileThere(ask, () => stageHealth(ask)).catch(() => null)
  const [state, stages, known, counted, writable] = await Promise.all([
    order.then((told) => told ?? 'stopped' as const), order.then(async (told) => (told === null ? [] : await staged ?? [])),
    whileThere(ask, () => chainHealth(ask)), whileThere(ask, (signal) => ask.store.query(getTotals, {}, Totals, {}, signal)),
    ask.services.pipeline.writable(),
  ])
  const [seen, totals] = [known ?? unseen, counted?.[0]]
  const fresh = seen.some(({ status }) => status === 'live')
  const redis = ask.services.pipeline.redisConnected()
  return {
    status: state, health_score: (fresh ? 40 : 0) + (stages.length > 0 && stages.every(({ errors }) => errors === 0) ? 20 : 0) + (redis ? 20 : 0) + (state === 'running' && writable !== false && stages.length > 0 && stages.every(({ uptime }) => uptime !== null || !redis) ? 20 : 0),
    chains: [...seen], pipeline: { stages }, queues: queuesOf(stages),
    system: {
      uptime_seconds: Math.floor((Date.now() - startedAt) / 1_000), total_blocks_processed: totals?.blocks ?? null, total_chunks_indexed: totals?.chunks ?? null, total_whale_txs: totals?.whales ?? null,
      error_rate_1m: totals === undefined || totals.done + totals.died === 0 ? null : totals.died / (totals.done + totals.died), db_pool_size: 16, redis_connected: redis, clickhouse_connected: known !== null && counted !== null, clickhouse_writable: writable,
    },
  }
}

export default operation({
  name: 'get_health', aliases: ['health', 'service_status', 'get_status'], route: 'GET /health', auth: 'public', lane: 'system', tool: true, cacheSeconds: 1, alone: true,
  summary: 'How the service is: chains and their lag, stages, queues, totals. Use get_chains for more about one chain.',
  settled: ({ system }) => system.clickhouse_connected, input: z.object({}), output: Health, run: health,
})
