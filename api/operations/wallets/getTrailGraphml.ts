import { z } from 'zod'
import { inBitcoinsWords } from '../../bitcoinTexts.js'
import { operation } from '../../operation.js'
import { answerTrail, trailFields } from './trail/answer.js'
import { graphOf } from './trail/graph.js'
import { graphmlOf } from './trail/graphml.js'

export default operation({
  name: 'get_trail_graphml', route: 'GET /v1/wallets/trail/{address}/graphml', auth: 'key', lane: 'forensic', tool: false, media: 'application/xml',
  summary: 'The graph of get_trail_graph as GraphML, for programs that draw graphs. Its next_cursor and deeper_cursor go on, with edges of other ids.',
  input: z.object(trailFields), output: z.string(),
  run: async (input, ask) => {
    const { chain, address, root, bounds, trail, place, next, deeper, status } = await answerTrail('get_trail_graphml', input, ask)
    const text = graphmlOf(graphOf(root, trail?.steps ?? [], input.direction === 'source', place), {
      address, chain: chain.id, direction: input.direction, as_of_block: String(bounds?.upto ?? ''), more: String(next !== null || deeper !== null), next_cursor: next ?? '', deeper_cursor: deeper ?? '', warnings: status.warnings.join(' '),
    })
    return chain.id === 'BTC' ? String(await inBitcoinsWords(text, chain.id, ask.store, { signal: ask.signal })) : text
  },
})
