import { z } from 'zod'
import { chains } from '../../../schemas/chains.js'
import { Amount, Hash, Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { operation } from '../../operation.js'

const getChains = loadSql(import.meta.url, 'getChains.sql'), listLags = loadSql(import.meta.url, 'listLags.sql')
const Row = z.object({
  chain: z.string(), number: z.number(), hash: Hash, block_time: z.string(), tx_count: z.number(), gas_used: Amount.nullable(), gas_limit: Amount.nullable(), base_fee: Amount.nullable(), stage: z.string().nullable(),
  latency: z.number().nullable(), p99: z.number().nullable(), last_chunk_at: z.string().nullable(), error_rate: z.number().nullable(),
})
const Lags = z.object({ history: z.array(z.number()) })
const Item = z.object({
  chain: z.string(), number: z.number().int().nullable(), headBlock: z.number().int().nullable(), lag: z.number().int().nullable(),
  lagHistory: z.array(z.number()).describe('Blocks behind at the last heads seen, oldest first, within an hour'), hash: Hash.nullable(), txCount: z.number().int().nullable(),
  gasUsed: Amount.nullable().describe('null: the chain has no gas'), gasLimit: Amount.nullable(), baseFee: Amount.nullable().describe('Wei'), stage: z.string().nullable().describe('The furthest stage the newest batch of the last hour has passed'),
  latency: z.number().nullable().describe('Median milliseconds of a batch in the last hour'), status: z.enum(['live', 'stale', 'node-only', 'perps-only', 'unknown']), blockTime: Instant.nullable(),
  lastChunkAt: Instant.nullable(), chunkFreshness: z.number().nullable().describe('Seconds since lastChunkAt'), rpcHealth: z.enum(['ok', 'silent', 'unknown']),
  errorRate1m: z.number().nullable(), p99Latency: z.number().nullable(),
})

export default operation({
  name: 'get_chains', aliases: ['list_chains'], route: 'GET /v1/dashboard/chains', auth: 'key', lane: 'system', tool: true, cacheSeconds: 2, sources: ['blocks', 'batches', 'heads', 'chunks'],
  summary: 'Each chain at a glance: newest block, lag and how it went, stage, latency, freshness.',
  input: z.object({}), output: z.object({ count: z.number().int(), chains: z.array(Item), coverage_status: CoverageStatus }),
  run: async (_input, ask) => {
    const { coverage } = ask.services
    const shown = chains.filter(({ status }) => status !== 'aggregate' && status !== 'unbacked')
    const [view, all, rows, lags] = await Promise.all([
      coverage.view(), coverage.status('ALL'), ask.store.query(getChains, {}, Row),
      Promise.all(shown.filter(({ hasBlocks }) => hasBlocks).map(async ({ id }) => [id, (await ask.store.query(listLags, { chain: id }, Lags))[0]?.history ?? []] as const)),
    ])
    const histories = new Map(lags)
    const items = await Promise.all(shown.map(async (chain) => {
      const row = rows.find((one) => one.chain === chain.id)
      const head = view.heads.get(chain.id)
      // The number of a venue's segment is ours and no height.
      const height = chain.hasBlocks ? head?.number ?? null : null
      const { tier } = await coverage.status(chain.id)
      const quiet = head !== undefined && Date.now() - Date.parse(head.observedAt) > chain.staleAfterSeconds * 10_000
      return {
        chain: chain.id, number: row?.number ?? null, headBlock: height, lag: height === null || row === undefined ? null : Math.max(0, height - row.number), lagHistory: row === undefined ? [] : histories.get(chain.id) ?? [],
        hash: row?.hash ?? null, txCount: row?.tx_count ?? null, gasUsed: row?.gas_used ?? null, gasLimit: row?.gas_limit ?? null, baseFee: row?.base_fee ?? null, stage: row?.stage ?? null,
        latency: row?.latency ?? null, status: tier, blockTime: row?.block_time ?? null, lastChunkAt: row?.last_chunk_at ?? null,
        chunkFreshness: row?.last_chunk_at == null ? null : Math.max(0, Math.round((Date.now() - Date.parse(row.last_chunk_at)) / 1_000)),
        rpcHealth: head === undefined ? 'unknown' as const : quiet ? 'silent' as const : 'ok' as const, errorRate1m: row?.error_rate ?? null, p99Latency: row?.p99 ?? null,
      }
    }))
    return { count: items.length, chains: items, coverage_status: all }
  },
})
