import { z } from 'zod'
import { CoverageStatus } from '../../coverage.js'
import { cursorField, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { registryOf } from './agent.js'
import { agentPage, agentPageFields, type AgentQuery } from './readAgents.js'

const most = 20

/** What a word means: a token id, bare or after the registry; an address of an owner or a wallet; or a name. */
const meant = (word: string): NonNullable<AgentQuery['by']> => {
  const bare = word.toLowerCase().startsWith(`${registryOf}:`) ? word.slice(registryOf.length + 1) : word
  if (/^\d{1,78}$/.test(bare) && BigInt(bare) < 2n ** 256n) return { id: bare }
  return /^0x[0-9a-f]{40}$/i.test(word) ? { address: word.slice(2).toLowerCase() } : { name: word.toLowerCase() }
}

export default operation({
  name: 'get_agent_identity', aliases: ['agent_identity'], route: 'GET /v1/agent-identity/{name}', auth: 'public', lane: 'agents', tool: true, cacheSeconds: 10, sources: ['agent_events', 'agent_files'], rows: 'agents', hours: Infinity,
  summary: 'Who an agent is: by id, by owner or wallet address, or by name. Names are not unique: newest first.',
  input: z.object({ name: z.string().min(1).max(160).describe('Agent id, eip155:1:<registry>:<id>, 0x address, or the name in its file'), limit: limitField(most, most), cursor: cursorField }),
  output: z.object({ name: z.string().describe('As asked'), chain: z.string(), matched_by: z.enum(['id', 'address', 'name']), ...agentPageFields, coverage_status: CoverageStatus }),
  run: async ({ name, limit, cursor }, ask) => {
    const by = meant(name)
    const [page, status] = await Promise.all([agentPage('get_agent_identity', by, { chain: 'ETH', limit, cursor, by }, ask), ask.services.coverage.status('ETH')])
    return { name, chain: 'ETH', matched_by: Object.keys(by)[0] as 'id' | 'address' | 'name', ...page, coverage_status: status }
  },
})
