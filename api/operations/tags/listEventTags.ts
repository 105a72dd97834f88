import { z } from 'zod'
import { emptyBecause } from '../../empty.js'
import { cursorField, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { pageFields } from '../../pages.js'
import { eventIdField, mostTags, ownWords, Tag, tagPage } from './tag.js'

export default operation({
  name: 'list_event_tags', route: 'GET /v1/tags/event/{event_id}', auth: 'key', lane: 'system', tool: true, sources: ['tags'], rows: 'tags', foreign: ownWords,
  summary: 'Your own tags on one event, newest first. list_address_labels has those on addresses.',
  input: z.object({ event_id: eventIdField, limit: limitField(mostTags, 100), cursor: cursorField }), output: z.object({ event_id: z.string(), count: z.number().int(), tags: z.array(Tag), ...pageFields }),
  empty: () => emptyBecause('no_signal'),
  run: async ({ event_id: event, ...wanted }, ask) => {
    const { page, more } = await tagPage(ask, 'list_event_tags', event, wanted)
    return { event_id: event, count: page.length, tags: page, ...more }
  },
})
