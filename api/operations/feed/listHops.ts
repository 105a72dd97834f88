import { z } from 'zod'
import { Hash } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { cut, firstOf } from '../../cut.js'
import { emptyBecause } from '../../empty.js'
import { blockChainOf, ethField, skipField } from '../../fields.js'
import { operation } from '../../operation.js'
import { passedOver, remainderAfter } from '../../remainder.js'
import { emptyUnlessAccounts } from '../../span.js'
import { hasPassed } from './hasPassed.js'
import { Hop, HopRow } from './hop.js'

const listHops = loadSql(import.meta.url, 'listHops.sql')
/** Swaps in one answer: a contract may write thousands of events that pass for them. */
const most = 1_000
const findTransaction = loadSql(import.meta.url, 'findTransaction.sql')

export default operation({
  name: 'list_hops', aliases: ['get_swap_hops', 'swap_hops'], route: 'GET /v1/feed/action/{tx_hash}/hops', auth: 'key', lane: 'market', tool: true, cacheSeconds: 60, sources: ['swaps', 'transactions'], rows: 'hops',
  summary: 'The swaps inside one transaction, in the order of its logs.',
  input: z.object({ tx_hash: z.string().regex(/^(0x)?[0-9a-fA-F]{64}$/).describe('Transaction hash'), chain: ethField.default('ETH'), offset: skipField }),
  remainder: (args, { hops }, given) => remainderAfter(args, hops.length, given),
  output: z.object({ chain: z.string(), tx_hash: Hash, block_number: z.number().int().nullable().describe('null: the transaction is not indexed'), count: z.number().int(), hops: z.array(Hop), has_more: cut('skip these'), coverage_status: CoverageStatus }),
  // A transaction that is not in the store was not looked into; one that is, and has no swap once its block is worked out, swapped nothing, whatever the chain does.
  empty: async (output, ask) => emptyUnlessAccounts(output) ?? emptyBecause(output.block_number === null ? 'data_gap' : (await hasPassed(output.chain, output.block_number, ask)).enrich ? 'no_signal' : 'stale_pipeline'),
  run: async (input, ask) => {
    const chain = blockChainOf(input.chain)
    const tx = input.tx_hash.toLowerCase().replace(/^0x/, '')
    const params = { chain: chain.id, tx }
    const [[found], status] = await Promise.all([ask.store.query(findTransaction, params, z.object({ block_number: z.number().int() })), ask.services.coverage.status(chain.id)])
    // Where its block is known, what other blocks may hold is not looked through.
    const rows = await ask.store.query(listHops, { ...params, from: found?.block_number ?? 0, to: found?.block_number ?? '18446744073709551615', offset: input.offset, limit: most + 1 }, HopRow)
    if (rows.length === 0 && input.offset > 0) throw passedOver()
    const { rows: hops, count, has_more } = firstOf(rows, most)
    return { chain: chain.id, tx_hash: `0x${tx}`, block_number: found?.block_number ?? rows[0]?.block_number ?? null, count, hops: hops.map(({ block_number: _, ...hop }) => hop), has_more, coverage_status: status }
  },
})
