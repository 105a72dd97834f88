import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { operation } from '../../operation.js'
import { listIdField, listOf, ownerOf } from './lists.js'

const removeAll = loadSql(import.meta.url, 'removeAll.sql')

export default operation({
  name: 'delete_watch_list', route: 'DELETE /v1/monitoring/lists/{list_id}', auth: 'key', lane: 'compliance', tool: false, writes: true, status: 204,
  summary: 'Takes a watch list of yours away. What was told of it stays in the feed.',
  input: z.object({ list_id: listIdField }), output: z.null(),
  run: async ({ list_id: id }, ask) => {
    const { addresses: _, ...list } = await listOf(ask, id)
    const version = Date.now()
    await ask.writer.insert('watch_lists', [{ owner: ownerOf(ask), ...list, deleted: true, version }])
    await ask.writer.execute(removeAll, { owner: ownerOf(ask), list: id, version })
    return null
  },
})
