import { z } from 'zod'
import { Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { operation } from '../../operation.js'

const getIndexStats = loadSql(import.meta.url, 'getIndexStats.sql')
const Topic = z.object({ chain: z.string(), topic: z.string(), chunks: z.number().int(), first_block: z.number().int(), last_block: z.number().int(), oldest: Instant, newest: Instant })

export default operation({
  name: 'get_index_stats', aliases: ['rag_stats'], route: 'GET /v1/rag/stats', auth: 'key', lane: 'rag', tool: true, cacheSeconds: 30, sources: ['chunks'], rows: 'topics',
  summary: 'How many chunks of text are indexed, by chain and topic, and how many of them are embedded. Use list_chunks to read them.',
  input: z.object({}),
  output: z.object({
    total_chunks: z.number().int(), topics: z.array(Topic), embedded_chunks: z.number().int(), embedding_model: z.string().nullable().describe('null: chunks are found by chain and topic only'), embedding_dim: z.number().int().nullable(),
    coverage_status: CoverageStatus,
  }),
  run: async (_input, { store, services }) => {
    const [topics, status] = await Promise.all([store.query(getIndexStats, {}, Topic), services.coverage.status('ALL')])
    return { total_chunks: topics.reduce((sum, { chunks }) => sum + chunks, 0), topics, embedded_chunks: 0, embedding_model: null, embedding_dim: null, coverage_status: status }
  },
})
