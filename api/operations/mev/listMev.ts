import { z } from 'zod'
import { CoverageStatus } from '../../coverage.js'
import { blockChainOf, ethField, cursorField, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { pageFields, pageOf } from '../../pages.js'
import { emptyUnlessAccounts } from '../../span.js'
import { Find, mevKinds, Position } from './find.js'
import { readMev } from './readMev.js'

const hex = (bytes: string) => z.string().regex(new RegExp(`^0x${bytes}$`, 'i')).optional()
const height = z.number().int().min(0).optional()

export default operation({
  name: 'list_mev', aliases: ['mev', 'get_mev_events', 'sandwiches'], route: 'GET /v1/mev', auth: 'public', lane: 'behavioral', tool: true, cacheSeconds: 10, sources: ['mev', 'prices'], rows: 'mev', hours: Infinity, empty: emptyUnlessAccounts,
  summary: 'Sandwiches, atomic arbitrage, liquidations and just-in-time liquidity, newest first, with profit and costs. Use list_mev_searchers for the board.',
  input: z.object({
    chain: ethField.default('ETH'), kind: z.enum(mevKinds).optional().describe('Only these'), searcher: hex('[0-9a-f]{40}').describe('Contract or account'), pool: hex('([0-9a-f]{40}|[0-9a-f]{64})').describe('Pool address or V4 id'),
    from_block: height.describe('Lowest block'), to_block: height.describe('Highest block'), limit: limitField(100, 20), cursor: cursorField,
  }),
  output: z.object({ chain: z.string(), count: z.number().int(), mev: z.array(Find), ...pageFields, coverage_status: CoverageStatus }),
  run: async ({ limit, cursor, ...input }, ask) => {
    const chain = blockChainOf(input.chain).id
    const { cursors, coverage } = ask.services
    const inputs = { ...input, chain }
    const below = cursor === undefined ? undefined : cursors.read('list_mev', inputs, cursor, Position)
    const [status, rows] = await Promise.all([coverage.status(chain), readMev({ ...input, chain, from: input.from_block, to: input.to_block, below, limit: limit + 1 }, ask)])
    const { page, more } = pageOf(rows, limit, (last) => cursors.write('list_mev', inputs, [last.block_number, last.id]))
    return { chain, count: page.length, mev: page, ...more, coverage_status: status }
  },
})
