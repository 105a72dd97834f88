import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause } from '../../empty.js'
import { blockChainOf, chainField, heightField } from '../../fields.js'
import { operation, type Ask } from '../../operation.js'
import { BlockDetail } from './block.js'

const getBlock = loadSql(import.meta.url, 'getBlock.sql')
const getBtcBlock = loadSql(import.meta.url, 'getBtcBlock.sql'), hasBtcBlock = loadSql(import.meta.url, 'hasBtcBlock.sql')
const newestBlock = loadSql(import.meta.url, 'newestBlock.sql')
const Newest = z.object({ number: z.number() }), Has = z.object({ number: z.coerce.number() })

/** One block by height, or the newest; null where it is not (wholly) in the store or the chain has no pipeline. */
export const readBlock = async (chain: { readonly id: string; readonly status: string }, height: number | 'newest', ask: Ask): Promise<z.infer<typeof BlockDetail> | null> => {
  if (chain.status !== 'live') return null
  const has = async (at: number): Promise<boolean> => chain.id !== 'BTC' || (await ask.store.query(hasBtcBlock, { chain: chain.id, at }, Has)).length > 0
  const read = async (at: number) => (await has(at) ? (await ask.store.query(chain.id === 'BTC' ? getBtcBlock : getBlock, { chain: chain.id, at }, BlockDetail))[0] ?? null : null)
  if (height !== 'newest') return read(height)
  const top = (await ask.store.query(newestBlock, { chain: chain.id }, Newest))[0]?.number
  // The newest may still be on its way into the tables.
  return top === undefined ? null : await read(top) ?? (top > 0 ? read(top - 1) : null)
}

export default operation({
  name: 'get_block', aliases: ['get_block_by_number'], route: 'GET /v1/blocks/{chain}/{block_number}', auth: 'key', lane: 'blocks', tool: true, cacheSeconds: 60, sources: ['blocks', 'transactions'], rows: 'block',
  summary: 'One block with a summary of its transactions; null where it is not indexed. Use get_feed_block for what happened in it.',
  input: z.object({ chain: chainField, block_number: heightField }),
  output: z.object({ chain: z.string(), block_number: z.number().int(), block: BlockDetail.nullable(), coverage_status: CoverageStatus }),
  // That the chain is followed says nothing about a height that is not in the store.
  empty: ({ coverage_status: { tier } }) => (tier === 'live' ? emptyBecause('data_gap') : null),
  run: async (input, ask) => {
    const chain = blockChainOf(input.chain)
    const [block, status] = await Promise.all([readBlock(chain, input.block_number, ask), ask.services.coverage.status(chain.id)])
    return { chain: chain.id, block_number: input.block_number, block, coverage_status: status }
  },
})
