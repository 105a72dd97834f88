import { z } from 'zod'
import { blocksField, cursorField, limitField, offsetField, sinceField, untilField } from '../../fields.js'
import { operation } from '../../operation.js'
import { BlockPage, blockPage, emptyOfBlocks } from './page.js'

export default operation({
  name: 'list_recent_blocks', aliases: ['recent_blocks', 'get_recent_blocks'], route: 'GET /v1/blocks/recent', auth: 'key', lane: 'blocks', tool: true, cacheSeconds: 5, sources: ['blocks'], rows: 'blocks',
  summary: 'The newest blocks of one chain, newest first.',
  input: z.object({ chain: blocksField, limit: limitField(200, 20), offset: offsetField, since: sinceField, until: untilField, cursor: cursorField }),
  output: BlockPage, empty: emptyOfBlocks, run: (input, ask) => blockPage('list_recent_blocks', input, ask),
})
