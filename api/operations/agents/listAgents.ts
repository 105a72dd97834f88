import { z } from 'zod'
import { CoverageStatus } from '../../coverage.js'
import { chainField, chainOf, cursorField, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { accountChain, emptyUnlessAccounts } from '../../span.js'
import { Agent, Position } from './agent.js'
import { readAgents } from './readAgents.js'

export default operation({
  name: 'list_agents', aliases: ['get_agents'], route: 'GET /v1/agents/list', auth: 'public', lane: 'agents', tool: true, cacheSeconds: 10, sources: ['agent_events', 'agent_files'], rows: 'agents',
  summary: 'Agents of the ERC-8004 identity registry in the blocks indexed here, newest first. get_agent_identity has one of them.',
  input: z.object({ chain: chainField.default('ETH'), limit: limitField(200, 50), cursor: cursorField }),
  output: z.object({ chain: z.string(), count: z.number().int(), agents: z.array(Agent), next_cursor: z.string().nullable(), has_more: z.boolean(), coverage_status: CoverageStatus }),
  empty: emptyUnlessAccounts,
  run: async (input, ask) => {
    const chain = chainOf(input.chain)
    const { cursors, coverage } = ask.services
    const inputs = { chain: chain.id }
    const below = input.cursor === undefined ? undefined : cursors.read('list_agents', inputs, input.cursor, Position)
    const [rows, status] = await Promise.all([readAgents({ chain: accountChain(chain) ?? chain.id, limit: input.limit + 1, below }, ask), coverage.status(chain.id)])
    const page = rows.slice(0, input.limit)
    const more = rows.length > input.limit
    return { chain: chain.id, count: page.length, agents: page.map(({ agent }) => agent), next_cursor: more ? cursors.write('list_agents', inputs, page.at(-1)?.at) : null, has_more: more, coverage_status: status }
  },
})
