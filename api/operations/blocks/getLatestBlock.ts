import { z } from 'zod'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause } from '../../empty.js'
import { blockChainOf, blocksField } from '../../fields.js'
import { operation } from '../../operation.js'
import { BlockDetail } from './block.js'
import { readBlock } from './getBlock.js'

export default operation({
  name: 'get_latest_block', aliases: ['latest_block', 'get_block_number'], route: 'GET /v1/blocks/latest', auth: 'key', lane: 'blocks', tool: true, cacheSeconds: 5, sources: ['blocks', 'transactions', 'heads'], rows: 'block',
  summary: 'The newest indexed block of a chain and the head its node reports. Use list_recent_blocks for more.',
  input: z.object({ chain: blocksField }),
  output: z.object({ chain: z.string(), block: BlockDetail.nullable(), head_block: z.number().int().nullable().describe('Height the node last reported; null while unknown'), coverage_status: CoverageStatus }),
  // Of a chain with blocks the newest is on its way: no chain has none.
  empty: async ({ chain }, ask) => ((await ask.services.coverage.view()).bounds.has(chain) ? emptyBecause('data_gap') : null),
  run: async (input, ask) => {
    const chain = blockChainOf(input.chain)
    const [block, status, view] = await Promise.all([readBlock(chain, 'newest', ask), ask.services.coverage.status(chain.id), ask.services.coverage.view()])
    return { chain: chain.id, block, head_block: view.heads.get(chain.id)?.number ?? null, coverage_status: status }
  },
})
