import { z } from 'zod'
import { emptyBecause } from '../../empty.js'
import { cursorField, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { pageFields } from '../../pages.js'
import { mostTags, ownWords, Tag, tagPage } from './tag.js'

const Label = Tag.extend({ chain: z.string(), address: z.string() })

export default operation({
  name: 'list_address_labels', route: 'GET /v1/tags/labels', auth: 'key', lane: 'system', tool: true, sources: ['tags'], rows: 'labels', foreign: ownWords,
  summary: 'The labels your key wrote on addresses, newest first: your words, not the registers\'.',
  input: z.object({ limit: limitField(mostTags, 100), cursor: cursorField }), output: z.object({ count: z.number().int(), labels: z.array(Label), ...pageFields }),
  empty: () => emptyBecause('no_signal'),
  run: async (wanted, ask) => {
    const { page, more } = await tagPage(ask, 'list_address_labels', '', wanted)
    return { count: page.length, labels: page.map((tag) => Label.parse(tag)), ...more }
  },
})
