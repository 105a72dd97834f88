import { z } from 'zod'
import { emptyBecause } from '../../empty.js'
import { cursorField, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { pageFields, pageOf } from '../../pages.js'
import { backfillState, BackfillState } from './backfills.js'

/** Sort position: when it was asked for, target. */
const Position = z.tuple([z.string(), z.string()])

export default operation({
  name: 'list_backfills', route: 'GET /v1/pipeline/backfill', auth: 'key', role: 'operator', lane: 'system', tool: false, sources: ['targets', 'plans', 'batches', 'dead_letters'], rows: 'backfills',
  summary: 'Backfills that were asked for, newest first, and how far each is.',
  input: z.object({ limit: limitField(100, 20), cursor: cursorField }),
  output: z.object({ count: z.number().int(), backfills: z.array(BackfillState), ...pageFields }),
  empty: () => emptyBecause('no_signal'),
  run: async ({ limit, cursor }, { services: { cursors, pipeline } }) => {
    const rows = await pipeline.backfills(limit + 1, cursor === undefined ? undefined : cursors.read('list_backfills', {}, cursor, Position))
    const { page, more } = pageOf(rows, limit, (last) => cursors.write('list_backfills', {}, [last.requestedAt, last.target]))
    return { count: page.length, backfills: page.map(backfillState), ...more }
  },
})
