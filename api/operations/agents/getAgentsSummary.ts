import { z } from 'zod'
import { Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { operation } from '../../operation.js'
import { registryOf } from './agent.js'

const getAgentsSummary = loadSql(import.meta.url, 'getAgentsSummary.sql')
const Row = z.object({
  agents: z.number().int(), owners: z.number().int(), with_wallet: z.number().int(), with_uri: z.number().int(), files_read: z.number().int().describe('Registration files that could be read'),
  registered_24h: z.number().int().describe('Within a day of the newest indexed block'), registered_7d: z.number().int(), feedback: z.number().int(), feedback_revoked: z.number().int(),
  first_registered_at: Instant.nullable(), last_registered_at: Instant.nullable(),
})
const none: z.infer<typeof Row> = { agents: 0, owners: 0, with_wallet: 0, with_uri: 0, files_read: 0, registered_24h: 0, registered_7d: 0, feedback: 0, feedback_revoked: 0, first_registered_at: null, last_registered_at: null }

export default operation({
  name: 'get_agents_summary', aliases: ['agents_summary'], route: 'GET /v1/agents/summary', auth: 'public', lane: 'agents', tool: true, cacheSeconds: 30, sources: ['agent_events', 'agent_files'], counts: 'agents', hours: Infinity,
  summary: 'How many agents the ERC-8004 registries know in the blocks indexed here, with feedback. list_agents has them.',
  input: z.object({}), output: Row.extend({ chain: z.string(), registry: z.string(), blocks_from: z.number().int().nullable().describe('Agents registered below this block are missing'), coverage_status: CoverageStatus }),
  run: async (_input, { store, services, signal }) => {
    const [[row], view, status] = await Promise.all([store.query(getAgentsSummary, { chain: 'ETH' }, Row, {}, signal), services.coverage.view(), services.coverage.status('ETH')])
    return { ...(row ?? none), chain: 'ETH', registry: registryOf, blocks_from: view.bounds.get('ETH')?.oldest ?? null, coverage_status: status }
  },
})
