import { z } from 'zod'
import { operation } from '../../operation.js'
import { EmergingInput, EmergingToken, readEmerging } from './emerging.js'

export default operation({
  name: 'list_tokens_emerging', route: 'GET /v1/tokens/emerging', auth: 'public', lane: 'signals', tool: false, cacheSeconds: 60, sources: ['swaps', 'transfers', 'prices', 'labels'], chain: 'ETH', hours: 6,
  summary: 'The same as GET /v1/feed/emerging-tokens.', input: EmergingInput, output: z.array(EmergingToken), run: readEmerging('list_tokens_emerging'),
})
