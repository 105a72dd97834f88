import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { blockChainOf, ethField } from '../../fields.js'
import { operation } from '../../operation.js'
import { emptyUnlessAccounts } from '../../span.js'
import { Find, Leg } from './find.js'
import { readMev } from './readMev.js'

const listLegs = loadSql(import.meta.url, 'listLegs.sql')
/** A transaction is in few finds. */
const most = 20

export default operation({
  name: 'get_mev', route: 'GET /v1/mev/finds/{id}', auth: 'public', lane: 'behavioral', tool: false, cacheSeconds: 10, sources: ['mev', 'prices'], rows: 'finds', hours: Infinity, empty: emptyUnlessAccounts,
  summary: 'One find of list_mev, or all a transaction is part of, with every leg: role, log, amounts, and what each victim lost.',
  input: z.object({ id: z.string().regex(/^0x[0-9a-f]{64}$/i).describe('Id of a find, or hash of a transaction'), chain: ethField.default('ETH') }),
  output: z.object({ chain: z.string(), id: z.string(), finds: z.array(Find.omit({ legs: true }).extend({ legs: z.array(Leg) })), has_more: z.boolean().describe(`true: the transaction is part of more than these ${most}`), coverage_status: CoverageStatus }),
  run: async (input, ask) => {
    const chain = blockChainOf(input.chain).id
    const [status, found] = await Promise.all([ask.services.coverage.status(chain), readMev({ chain, event: input.id, limit: most + 1 }, ask)])
    const finds = found.slice(0, most)
    const legs = finds.length === 0 ? [] : await ask.store.query(listLegs, { chain, blocks: [...new Set(finds.map((find) => find.block_number))], ids: finds.map((find) => find.id.slice(2)) }, Leg.extend({ id: z.string() }))
    return { chain, id: input.id.toLowerCase(), finds: finds.map((find) => ({ ...find, legs: legs.filter((leg) => leg.id === find.id).map(({ id: _, ...leg }) => leg) })), has_more: found.length > most, coverage_status: status }
  },
})
