import { z } from 'zod'
import { emptyBecause } from '../../empty.js'
import { operation } from '../../operation.js'
import { eventIdField, readTags, Tag, tagView } from './tag.js'

export default operation({
  name: 'list_event_tags', route: 'GET /v1/tags/event/{event_id}', auth: 'key', lane: 'system', tool: true, sources: ['tags'], rows: 'tags',
  summary: 'Your own tags on one event, newest first. list_address_labels has those on addresses.',
  input: z.object({ event_id: eventIdField }), output: z.object({ event_id: z.string(), count: z.number().int(), tags: z.array(Tag) }),
  empty: () => emptyBecause('no_signal'),
  run: async ({ event_id: event }, ask) => {
    const tags = (await readTags(ask, { event })).filter(({ deleted }) => !deleted).map(tagView)
    return { event_id: event, count: tags.length, tags }
  },
})
