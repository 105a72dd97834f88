import { z } from 'zod'
import { fits } from '../../addresses.js'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause } from '../../empty.js'
import { operation } from '../../operation.js'
import { pageFields } from '../../pages.js'
import { emptyUnlessStored } from '../../span.js'
import { answerTrail, trailFields } from './trail/answer.js'
import { Edge, graphOf, Node } from './trail/graph.js'

export default operation({
  name: 'get_trail_graph', route: 'GET /v1/wallets/trail/{address}/graph', auth: 'key', lane: 'forensic', tool: false, cacheSeconds: 30, sources: ['transfers', 'swaps', 'prices', 'labels', 'label_changes'], rows: 'edges', hours: Infinity,
  summary: 'The trail of trace_funds as a graph: addresses as nodes, what moved as edges in the direction of value.',
  input: z.object(trailFields),
  output: z.object({
    chain: z.string(), address: z.string(), direction: z.enum(['source', 'destination']), as_of_block: z.number().int().nullable(), count: z.number().int(), nodes: z.array(Node), edges: z.array(Edge), too_busy: z.boolean(),
    deeper_cursor: z.string().nullable().describe('Send as cursor, all else the same: the hops after these'), ...pageFields, coverage_status: CoverageStatus,
  }),
  empty: (output, ask) => emptyUnlessStored(output) ?? (!fits(output.address, output.chain === 'ALL' ? 'ETH' : output.chain, ask) ? emptyBecause('unsupported_input') : output.too_busy ? emptyBecause('data_gap') : null),
  run: async (input, ask) => {
    const { chain, address, root, bounds, trail, place, status, next, deeper } = await answerTrail('get_trail_graph', input, ask)
    const { nodes, edges } = graphOf(root, trail?.steps ?? [], input.direction === 'source', place)
    return {
      chain: chain.id, address, direction: input.direction, as_of_block: bounds?.upto ?? null, count: edges.length, nodes: [...nodes], edges: [...edges], too_busy: bounds !== null && trail === null,
      deeper_cursor: deeper, next_cursor: next, has_more: next !== null, coverage_status: status,
    }
  },
})
