import { z } from 'zod'
import { CoverageStatus } from '../../coverage.js'
import { accountsField, chainOf, cursorField, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { accountChain, emptyUnlessAccounts } from '../../span.js'
import { agentPage, agentPageFields } from './readAgents.js'

export default operation({
  name: 'list_agents', aliases: ['get_agents'], route: 'GET /v1/agents/list', auth: 'public', lane: 'agents', tool: true, cacheSeconds: 10, sources: ['agent_events', 'agent_files'], rows: 'agents', hours: Infinity,
  summary: 'Agents of the ERC-8004 identity registry in the blocks indexed here, newest first. get_agent_identity has one of them.',
  input: z.object({ chain: accountsField.default('ETH'), limit: limitField(200, 50), cursor: cursorField }),
  output: z.object({ chain: z.string(), ...agentPageFields, coverage_status: CoverageStatus }),
  empty: emptyUnlessAccounts,
  run: async (input, ask) => {
    const chain = chainOf(input.chain)
    const query = { chain: accountChain(chain) ?? chain.id, limit: input.limit, cursor: input.cursor }
    const [page, status] = await Promise.all([agentPage('list_agents', { chain: chain.id }, query, ask), ask.services.coverage.status(chain.id)])
    return { chain: chain.id, ...page, coverage_status: status }
  },
})
