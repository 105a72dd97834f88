import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { notFound } from '../../faults.js'
import { addressField } from '../../fields.js'
import { operation } from '../../operation.js'
import { listIdField, listOf, memberOf, ownerOf, readWatched } from './lists.js'

const removeWatched = loadSql(import.meta.url, 'removeWatched.sql')

export default operation({
  name: 'remove_watched_address', route: 'DELETE /v1/monitoring/lists/{list_id}/addresses/{address}', auth: 'key', lane: 'compliance', tool: false, writes: true, status: 204, personal: ['address'],
  summary: 'Takes an address off a watch list of yours. What was told of it stays in the feed.',
  input: z.object({ list_id: listIdField, address: addressField }), output: z.null(),
  run: async ({ list_id: id, address }, ask) => {
    await listOf(ask, id)
    const { key } = memberOf(address, ask)
    const [there] = await readWatched(ask, id, { keys: [key], limit: 1 })
    if (there === undefined) throw notFound('Watched address')
    await ask.writer.execute(removeWatched, { owner: ownerOf(ask), list: id, keys: [key] })
    return null
  },
})
