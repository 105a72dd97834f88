import { z } from 'zod'
import { operation } from '../../operation.js'
import { EmergingInput, EmergingToken, readEmerging } from './emerging.js'

export default operation({
  name: 'list_emerging_tokens', aliases: ['emerging_tokens', 'get_emerging_tokens', 'tokens_emerging', 'intelligence_emerging'], route: 'GET /v1/feed/emerging-tokens', auth: 'public', lane: 'signals', tool: true,
  cacheSeconds: 60, sources: ['swaps', 'transfers', 'prices', 'labels'], chain: 'ETH', hours: 6,
  summary: 'New Ethereum tokens by momentum (0 to 1) with its parts; fakes, wash trades and few buyers are gated.',
  input: EmergingInput, output: z.array(EmergingToken), run: readEmerging('list_emerging_tokens'),
})
