import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { blockChainOf, chainField, heightField } from '../../fields.js'
import { operation, type Ask } from '../../operation.js'
import { BlockDetail } from './block.js'

const getBlock = loadSql(import.meta.url, 'getBlock.sql')
export const newest = '18446744073709551615'

/** One block by height (or `newest`); null where it is not in the store or the chain has no pipeline. */
export const readBlock = async (chain: { readonly id: string; readonly status: string }, at: number | string, ask: Ask): Promise<z.infer<typeof BlockDetail> | null> =>
  chain.status === 'live' ? (await ask.store.query(getBlock, { chain: chain.id, at }, BlockDetail))[0] ?? null : null

export default operation({
  name: 'get_block', route: 'GET /v1/blocks/{chain}/{block_number}', auth: 'key', lane: 'blocks', tool: true, cacheSeconds: 60, sources: ['blocks', 'transactions'], rows: 'block',
  summary: 'One block in full, with a summary of its transactions. block is null where it is not indexed; coverage_status says why. Use get_feed_block for what happened in it.',
  input: z.object({ chain: chainField, block_number: heightField }),
  output: z.object({ chain: z.string(), block_number: z.number().int(), block: BlockDetail.nullable(), coverage_status: CoverageStatus }),
  run: async (input, ask) => {
    const chain = blockChainOf(input.chain)
    const [block, status] = await Promise.all([readBlock(chain, input.block_number, ask), ask.services.coverage.status(chain.id)])
    return { chain: chain.id, block_number: input.block_number, block, coverage_status: status }
  },
})
