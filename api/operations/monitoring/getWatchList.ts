import { z } from 'zod'
import { emptyBecause } from '../../empty.js'
import { cursorField, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { pageFields, pageOf } from '../../pages.js'
import { listIdField, listOf, readWatched, tellList, Watched, WatchList } from './lists.js'

export default operation({
  name: 'get_watch_list', route: 'GET /v1/monitoring/lists/{list_id}', auth: 'key', lane: 'compliance', tool: false, sources: ['watch_lists'], rows: 'watched',
  summary: 'One of your watch lists with its addresses.',
  input: z.object({ list_id: listIdField, limit: limitField(1_000, 100), cursor: cursorField }), output: WatchList.extend({ watched: z.array(Watched), ...pageFields }),
  empty: () => emptyBecause('no_signal'),
  run: async (input, ask) => {
    const { cursors } = ask.services
    const inputs = { list_id: input.list_id }
    const after = input.cursor === undefined ? '' : cursors.read('get_watch_list', inputs, input.cursor, z.string())
    const list = await listOf(ask, input.list_id)
    const { page, more } = pageOf(await readWatched(ask, input.list_id, { after, limit: input.limit + 1 }), input.limit, ({ key }) => cursors.write('get_watch_list', inputs, key))
    return { ...more, ...tellList(list), watched: page.map(({ key: _, ...one }) => one) }
  },
})
