import { z } from 'zod'
import { EvmAddress, Hash, Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { cursorField, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { lastPlace, newestHeight, pageFields, pageOf, Place } from '../../pages.js'

const listIntents = loadSql(import.meta.url, 'listIntents.sql')
const listNewestTxs = loadSql(import.meta.url, 'listNewestTxs.sql')
const Found = z.object({ block: z.number(), hash: z.string() })
const Intent = z.object({
  hash: Hash, block_number: z.number().int(), timestamp: Instant, from_address: EvmAddress, to_address: EvmAddress.nullable(), to_label: z.string(), selector: z.string().nullable(),
  status: z.enum(['success', 'failed']).nullable(), intent: z.enum(['transfer', 'swap', 'bridge', 'mint', 'mixer', 'approval', 'contract_creation', 'wrap', 'other']),
  rule: z.string().describe('The rule that decided'), value_usd: z.number().nullable().describe('Of the largest movement in it'),
})

export default operation({
  name: 'list_intents', aliases: ['recent_intents'], route: 'GET /v1/dashboard/intents', auth: 'key', lane: 'behavioral', tool: true, cacheSeconds: 5, sources: ['transactions', 'transfers', 'swaps', 'labels'], rows: 'intents',
  summary: 'What the newest Ethereum transactions were for, and the rule that says so. Use list_hops for the swaps in one.',
  input: z.object({ limit: limitField(200, 50), cursor: cursorField }),
  output: z.object({ chain: z.string(), count: z.number().int(), intents: z.array(Intent), ...pageFields, coverage_status: CoverageStatus }),
  run: async ({ limit, cursor }, ask) => {
    const { cursors, coverage } = ask.services
    const [block, index] = cursor === undefined ? [newestHeight, lastPlace] as const : cursors.read('list_intents', {}, cursor, Place)
    const [status, found] = await Promise.all([coverage.status('ETH'), ask.store.query(listNewestTxs, { chain: 'ETH', block, index, limit: limit + 1 }, Found)])
    const asked = { chain: 'ETH', blocks: [...new Set(found.map((one) => one.block))], hashes: found.map(({ hash }) => hash) }
    const rows = found.length === 0 ? [] : await ask.store.query(listIntents, asked, Intent.extend({ tx_index: z.number().int() }))
    const { page, more } = pageOf(rows, limit, (last) => cursors.write('list_intents', {}, [last.block_number, last.tx_index]))
    return { chain: 'ETH', count: page.length, intents: page.map(({ tx_index: _, ...intent }) => intent), ...more, coverage_status: status }
  },
})
