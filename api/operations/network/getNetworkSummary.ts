import { z } from 'zod'
import { CoverageStatus } from '../../coverage.js'
import { chainField, chainOf } from '../../fields.js'
import { operation } from '../../operation.js'
import { isTraced, tracedField } from '../../traced.js'
import { withUnalerted } from '../../unalerted.js'
import { health } from '../health/getHealth.js'
import { Network, readNetwork } from './readNetwork.js'

export default operation({
  name: 'get_network_summary', aliases: ['network_status', 'network_summary', 'get_network_status', 'chain_status'], route: 'GET /v1/network/summary', auth: 'key', lane: 'system', tool: true, cacheSeconds: 5,
  sources: ['blocks', 'transfers', 'swaps', 'alerts', 'batches', 'hl_trades', 'hl_liquidations', 'hl_alerts'], rows: 'hourly', perps: true,
  summary: 'One chain at a glance: newest block, the last hour in numbers, whales, health. Use list_whales or get_feed_block for what they were.',
  input: z.object({ chain: chainField.default('ETH') }),
  output: z.object({
    chain: z.string(), health_score: z.number().int().min(0).max(100).describe('Of the service, as get_health has it'), ...Network.shape,
    head_block: z.number().int().nullable().describe('Height the node last reported; null: none, an aggregate or a venue'), internal_complete: tracedField, coverage_status: CoverageStatus,
  }),
  run: async (input, ask) => {
    const chain = chainOf(input.chain)
    const { coverage } = ask.services
    const [{ network, warnings }, { health_score: score }, status, view] = await Promise.all([readNetwork(chain, ask), health({}, ask), coverage.status(chain.id, 'perps'), coverage.view()])
    return {
      chain: chain.id, health_score: score, ...network, head_block: chain.hasBlocks ? view.heads.get(chain.id)?.number ?? null : null,
      internal_complete: isTraced(view, chain.status === 'aggregate' ? [...view.bounds.keys()] : [chain.id]), coverage_status: withUnalerted({ ...status, warnings: [...status.warnings, ...warnings] }, view, chain.id, { venues: true }),
    }
  },
})
