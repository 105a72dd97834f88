import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { operation } from '../../operation.js'

const countWaitlist = loadSql(import.meta.url, 'countWaitlist.sql')

export default operation({
  name: 'count_waitlist', route: 'GET /v1/waitlist/count', auth: 'public', lane: 'system', tool: true,
  summary: 'How many addresses are on the waiting list.',
  input: z.object({}), output: z.object({ count: z.number().int() }),
  run: async (_input, { store, signal }) => (await store.query(countWaitlist, {}, z.object({ count: z.number().int() }), {}, signal))[0] ?? { count: 0 },
})
