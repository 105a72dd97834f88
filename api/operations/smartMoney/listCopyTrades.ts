import { z } from 'zod'
import { Amount, EvmAddress, Hash, Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause } from '../../empty.js'
import { chainField, chainOf, cursorField, limitField, usdField } from '../../fields.js'
import { operation } from '../../operation.js'
import { newestHeight, pageFields, pageOf } from '../../pages.js'
import { emptyUnlessAccounts, accountChain } from '../../span.js'
import { unalerted, withUnalerted } from '../../unalerted.js'
import { untrusted } from '../../untrusted.js'

const listCopyTrades = loadSql(import.meta.url, 'listCopyTrades.sql'), leading = loadSql(import.meta.url, 'leading.sql')
const Opened = z.object({
  id: z.string(), block_number: z.number().int(), timestamp: Instant, tx_hash: Hash, position: z.number().int(), leader: EvmAddress, token: EvmAddress, token_symbol: z.string(), token_decimals: z.number().int().nullable(), amount: Amount, value_usd: z.number().nullable(),
})
const Row = Opened.extend({ token_symbol: z.string().transform((text) => untrusted(text)) })
const runs = 'SELECT toFloat64(count()) AS count FROM leader_runs WHERE chain = {chain:String}'

export default operation({
  name: 'list_copy_trades', route: 'GET /v1/smart-money/alerts', auth: 'key', lane: 'behavioral', tool: false, cacheSeconds: 5, sources: ['alerts', 'wallet_trades'], rows: 'alerts',
  summary: 'Positions that leaders opened (bought a token while holding none), newest first; what a reorg undid is gone. Use list_leaders for who leads.',
  input: z.object({ chain: chainField.default('ETH'), min_usd: usdField(0), limit: limitField(100, 20), cursor: cursorField }),
  output: z.object({ chain: z.string(), runs: z.number().int().describe('Leaderboards computed so far'), count: z.number().int(), alerts: z.array(Opened), ...pageFields, coverage_status: CoverageStatus }),
  // While nobody leads, and where the stage that looks has not, silence says nothing.
  empty: async (output, ask) => {
    const none = emptyUnlessAccounts(output), chain = accountChain(chainOf(output.chain))
    if (none !== null || chain === null) return none
    const newest = (await ask.services.coverage.view()).bounds.get(chain)?.newest
    const [led] = newest === undefined ? [] : await ask.store.query(leading, { chain, newest }, z.object({ led: z.coerce.boolean() }), {}, ask.signal)
    if (led?.led !== true) return emptyBecause('data_gap')
    const reason = await unalerted(chain, ask)
    return reason === null ? null : emptyBecause(await ask.services.coverage.silence(output.chain, 'behavioral') ?? reason)
  },
  run: async (input, ask) => {
    const chain = chainOf(input.chain)
    const { cursors, coverage } = ask.services
    const inputs = { chain: chain.id, min_usd: input.min_usd }
    const [height, id] = input.cursor === undefined ? [newestHeight, '~'] as const : cursors.read('list_copy_trades', inputs, input.cursor, z.tuple([z.number().int().min(0), z.string().regex(/^[0-9a-f]{64}$/)]))
    const stored = accountChain(chain)
    const [status, view, [computed], rows] = await Promise.all([
      coverage.status(chain.id), coverage.view(), stored === null ? [] : ask.store.query(runs, { chain: stored }, z.object({ count: z.number() })),
      stored === null ? [] : ask.store.query(listCopyTrades, { chain: stored, height, id, min_usd: input.min_usd, limit: input.limit + 1 }, Row),
    ])
    const { page, more } = pageOf(rows, input.limit, (last) => cursors.write('list_copy_trades', inputs, [last.block_number, last.id]))
    return { chain: chain.id, runs: computed?.count ?? 0, count: page.length, alerts: page, ...more, coverage_status: withUnalerted(status, view, chain.id) }
  },
})
