import { z } from 'zod'
import { blocksField, cursorField, limitField, offsetField, sinceField, untilField } from '../../fields.js'
import { operation } from '../../operation.js'
import { BlockPage, blockPage, emptyOfBlocks } from './page.js'

export default operation({
  name: 'list_blocks', aliases: ['get_blocks'], route: 'GET /v1/blocks/{chain}', auth: 'key', lane: 'blocks', tool: true, cacheSeconds: 5, sources: ['blocks'], rows: 'blocks',
  summary: 'Blocks of one chain, newest first, within a time if given.',
  input: z.object({ chain: blocksField, limit: limitField(200, 50), offset: offsetField, since: sinceField, until: untilField, cursor: cursorField }),
  output: BlockPage, empty: emptyOfBlocks, run: (input, ask) => blockPage('list_blocks', input, ask),
})
