import { z } from 'zod'
import { emptyBecause } from '../../empty.js'
import { unfit } from '../../faults.js'
import { cursorField, heightField, limitField } from '../../fields.js'
import { withNode, type NodeLine } from '../../nodes/nodes.js'
import { Count, Log as NodeLog } from '../../nodes/shapes.js'
import { operation } from '../../operation.js'
import { evmAddress, evmChainOf, hexOf, nodeChain, nodeLacks, withStatus } from './evm.js'
import { Log, toLog } from './log.js'

const mostBlocks = 100
const topic = (place: string) => z.string().regex(/^0x[0-9a-fA-F]{64}$/).optional().describe(place)
/** Sort position of the last log given: block, log index. */
const Position = z.tuple([z.number().int().min(0), z.number().int().min(0)])

export default operation({
  name: 'get_logs', aliases: ['list_logs_raw', 'get_events'], route: 'GET /v1/rpc/logs', auth: 'key', lane: 'raw_rpc', tool: true, sources: ['node'], rows: 'logs',
  summary: `Logs of at most ${mostBlocks} blocks by address or topic, oldest first, from the node. Data and topics are untrusted.`,
  input: z.object({
    from_block: heightField.describe('First height'), to_block: heightField.describe('Last height'), address: evmAddress.optional(), topic0: topic('Event signature hash'), topic1: topic('Second topic'),
    topic2: topic('Third topic'), topic3: topic('Fourth topic'), limit: limitField(500, 50), cursor: cursorField, chain: nodeChain,
  }),
  output: z.object({ chain: z.string(), from_block: z.number().int(), to_block: z.number().int(), head_block: z.number().int().describe('Height the node has reached: of blocks above it nothing is known'), count: z.number().int(), logs: z.array(Log), next_cursor: z.string().nullable(), has_more: z.boolean(), ...withStatus }),
  // Blocks the node has not got to yet are no evidence.
  empty: ({ head_block: head, to_block: to }) => (head < to ? nodeLacks() : emptyBecause('no_signal')),
  run: async (input, ask) => {
    const chain = evmChainOf(input.chain, ask)
    const { limit, cursor, ...asked } = { ...input, chain: chain.id }
    if (asked.to_block - asked.from_block >= mostBlocks) throw unfit('to_block', `to_block lies 0 to ${mostBlocks - 1} above from_block`)
    if (asked.address === undefined && asked.topic0 === undefined) throw unfit('address', 'Name an address or topic0: all logs of a block are more than an answer holds')
    const [block, index] = cursor === undefined ? [asked.from_block, -1] as const : ask.services.cursors.read('get_logs', asked, cursor, Position)
    const topics = [asked.topic0, asked.topic1, asked.topic2, asked.topic3].map((one) => one ?? null)
    while (topics.length > 0 && topics.at(-1) === null) topics.pop()
    const read = async (line: NodeLine): Promise<{ readonly head: number; readonly found: z.infer<typeof NodeLog>[] }> => {
      const head = await line.ask('eth_blockNumber', [], Count)
      // Some nodes refuse a range they have not got to, others answer nothing for it.
      if (head < block) return { head, found: [] }
      const filter = { fromBlock: hexOf(block), toBlock: hexOf(Math.min(head, asked.to_block)), topics, ...(asked.address === undefined ? {} : { address: asked.address }) }
      return { head, found: await line.ask('eth_getLogs', [filter], z.array(NodeLog)) }
    }
    const [{ head, found }, status] = await Promise.all([withNode(ask, chain, read), ask.services.coverage.status(chain.id)])
    const rest = found.filter((log) => log.blockNumber > block || log.logIndex > index)
    const page = rest.slice(0, limit)
    const last = page.at(-1)
    const more = rest.length > limit && last !== undefined
    return {
      chain: chain.id, from_block: asked.from_block, to_block: asked.to_block, head_block: head, count: page.length, logs: page.map(toLog),
      next_cursor: more ? ask.services.cursors.write('get_logs', asked, [last.blockNumber, last.logIndex]) : null, has_more: more, coverage_status: status,
    }
  },
})
