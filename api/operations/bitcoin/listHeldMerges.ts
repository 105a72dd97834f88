import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { cursorField, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { lastPlace, newestHeight, pageFields, pageOf, Place } from '../../pages.js'
import { clusterHeight, emptyUnlessClustered, HeldMerge, HeldRow, ofHeld, readHeight } from './clusters.js'

const listHeldMerges = loadSql(import.meta.url, 'listHeldMerges.sql')

export default operation({
  name: 'list_held_merges', route: 'GET /v1/btc/held-merges', auth: 'key', role: 'operator', lane: 'system', tool: false, sources: ['btc_cluster_quarantine'], rows: 'held_back', chain: 'BTC',
  summary: 'Merges of Bitcoin clusters that were not made because two names would have met, newest first. Labels put right are followed at the next run.',
  input: z.object({ limit: limitField(200, 50), cursor: cursorField }),
  output: z.object({ chain: z.string(), count: z.number().int(), held_back: z.array(HeldMerge), as_of_height: clusterHeight, ...pageFields }),
  empty: emptyUnlessClustered,
  run: async ({ limit, cursor }, ask) => {
    const { cursors } = ask.services
    const [block, index] = cursor === undefined ? [newestHeight, lastPlace] as const : cursors.read('list_held_merges', {}, cursor, Place)
    const [rows, height] = await Promise.all([ask.store.query(listHeldMerges, { cluster: '', block, index, limit: limit + 1 }, HeldRow, {}, ask.signal), readHeight(ask)])
    const { page, more } = pageOf(rows, limit, (last) => cursors.write('list_held_merges', {}, [last.block_number, last.tx_index]))
    return { chain: 'BTC', count: page.length, held_back: page.map(ofHeld), as_of_height: height, ...more }
  },
})
