import { z } from 'zod'
import { emptyBecause } from '../../empty.js'
import { operation } from '../../operation.js'
import { readLists, tellList, WatchList } from './lists.js'

export default operation({
  name: 'list_watch_lists', route: 'GET /v1/monitoring/lists', auth: 'key', lane: 'compliance', tool: false, sources: ['watch_lists'], rows: 'lists',
  summary: 'Your watch lists, the oldest first.',
  input: z.object({}), output: z.object({ count: z.number().int(), lists: z.array(WatchList) }),
  empty: () => emptyBecause('no_signal'),
  run: async (_, ask) => {
    const lists = (await readLists(ask)).map(tellList)
    return { count: lists.length, lists }
  },
})
