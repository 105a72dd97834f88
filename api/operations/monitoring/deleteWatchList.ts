import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { operation } from '../../operation.js'
import { listIdField, listOf, ownerOf } from './lists.js'

const [deleteList, removeWatched] = [loadSql(import.meta.url, 'deleteList.sql'), loadSql(import.meta.url, 'removeWatched.sql')]

export default operation({
  name: 'delete_watch_list', route: 'DELETE /v1/monitoring/lists/{list_id}', auth: 'key', lane: 'compliance', tool: false, writes: true, status: 204,
  summary: 'Takes a watch list of yours away. What was told of it stays in the feed.',
  input: z.object({ list_id: listIdField }), output: z.null(),
  run: async ({ list_id: id }, ask) => {
    await listOf(ask, id)
    await ask.writer.execute(deleteList, { owner: ownerOf(ask), list: id })
    await ask.writer.execute(removeWatched, { owner: ownerOf(ask), list: id, keys: [] })
    return null
  },
})
