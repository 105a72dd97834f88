import { z } from 'zod'
import { Address, Hash, Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { endsOf, pageByTime, positionsOf } from '../../byTime.js'
import { CoverageStatus } from '../../coverage.js'
import { storedField, chainOf, cursorField, limitField } from '../../fields.js'
import { workedUpTo } from '../../ledgerView.js'
import { operation } from '../../operation.js'
import { lastPlace, newestHeight, pageFields, Place } from '../../pages.js'
import { emptyUnlessStored, indexedChains, storedChains } from '../../span.js'

const sql = (name: string) => loadSql(import.meta.url, `${name}.sql`)
const statements = { ETH: { newest: sql('listNewestTxs'), intents: sql('listIntents') }, BTC: { newest: sql('listNewestBtcTxs'), intents: sql('listBtcIntents') } } as const
const Found = z.object({ block: z.number(), hash: z.string() })
const intents = ['transfer', 'swap', 'bridge', 'mint', 'mixer', 'approval', 'contract_creation', 'wrap', 'payment', 'batch_payout', 'consolidation', 'internal', 'coinjoin', 'coinbase', 'token_transfer', 'data', 'other'] as const
const Intent = z.object({
  chain: z.string(), hash: Hash, block_number: z.number().int(), timestamp: Instant, from_address: Address.nullable().describe('On Bitcoin the largest input; null: newly mined, or not known, as in a CoinJoin'), to_address: Address.nullable(), to_label: z.string(), selector: z.string().nullable(),
  status: z.enum(['success', 'failed']).nullable(), intent: z.enum(intents), rule: z.string().describe('The rule that decided'), value_usd: z.number().nullable().describe('Of the largest movement in it; on Bitcoin of what it pays to others'),
})
const Row = Intent.omit({ chain: true }).extend({ tx_index: z.number().int() })

export default operation({
  name: 'list_intents', aliases: ['recent_intents'], route: 'GET /v1/dashboard/intents', auth: 'key', lane: 'behavioral', tool: true, cacheSeconds: 5, sources: ['transactions', 'transfers', 'swaps', 'labels'], rows: 'intents',
  summary: 'What the newest transactions were for, and the rule that says so. Use list_hops for the swaps in one.',
  input: z.object({ limit: limitField(200, 50), chain: storedField.default('ETH'), cursor: cursorField }),
  output: z.object({ chain: z.string(), count: z.number().int(), intents: z.array(Intent), ...pageFields, coverage_status: CoverageStatus }),
  empty: emptyUnlessStored,
  run: async ({ limit, cursor, chain: received }, ask) => {
    const { cursors, coverage } = ask.services
    const chain = chainOf(received)
    const inputs = chain.id === 'ETH' ? {} : { chain: chain.id }
    const read = cursor === undefined ? {} : cursors.read('list_intents', inputs, cursor, positionsOf(Place))
    const asked = storedChains(chain).length > 1 ? await indexedChains(chain, ask) : storedChains(chain)
    const view = await coverage.view()
    const [status, ...lists] = await Promise.all([coverage.status(chain.id), ...asked.map(async (id) => {
      // What a transaction was for is told by what enrich makes of its block.
      const worked = workedUpTo(view.bounds.get(id))
      const [block, index] = read[id] ?? [worked === Infinity ? newestHeight : worked, lastPlace]
      const found = await ask.store.query(statements[id].newest, { chain: id, block, index, limit: limit + 1 }, Found)
      const wanted = { chain: id, blocks: [...new Set(found.map((one) => one.block))], hashes: found.map(({ hash }) => hash) }
      return found.length === 0 ? [] : (await ask.store.query(statements[id].intents, wanted, Row)).map((row) => ({ chain: id, ...row }))
    })])
    const { page, more } = pageByTime(lists, limit, read, (row) => [row.block_number, row.tx_index] as [number, number], (next) => cursors.write('list_intents', inputs, next), (row) => [row.block_number + 1, 0] as [number, number], endsOf(chain, view, (height) => [height, 0] as [number, number]))
    return { chain: chain.id, count: page.length, intents: page.map(({ tx_index: _, ...intent }) => intent), ...more, coverage_status: status }
  },
})
