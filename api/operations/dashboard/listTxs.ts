import { z } from 'zod'
import { Amount, EvmAddress, Hash, Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { chainField, chainOf, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { emptyUnlessStored, storedChain } from '../../span.js'

const listTxs = loadSql(import.meta.url, 'listTxs.sql')
const Transaction = z.object({
  hash: Hash, block_number: z.number().int(), tx_index: z.number().int(), timestamp: Instant, from_address: EvmAddress, from_label: z.string(),
  to_address: EvmAddress.nullable().describe('null: it creates a contract'), to_label: z.string(), contract_address: EvmAddress.nullable(),
  value: Amount.describe('Wei'), value_usd: z.number().nullable(), tx_type: z.number().int(), selector: z.string().nullable().describe('First four bytes of its input'),
  gas_used: Amount, gas_price: Amount.describe('Wei paid per gas'), fee: Amount.describe('Wei, blobs included'), status: z.enum(['success', 'failed']).nullable(),
})

export default operation({
  name: 'list_txs', aliases: ['recent_transactions', 'list_transactions', 'get_transactions'], route: 'GET /v1/dashboard/txs', auth: 'key', lane: 'blocks', tool: true, cacheSeconds: 5, sources: ['transactions', 'transfers', 'labels'], rows: 'txs',
  summary: 'The newest transactions of a chain. Use list_intents for what they were for, list_hops for the swaps in one.',
  input: z.object({ limit: limitField(500, 50), chain: chainField.default('ETH') }),
  output: z.object({ chain: z.string(), count: z.number().int(), txs: z.array(Transaction), coverage_status: CoverageStatus }),
  empty: emptyUnlessStored,
  run: async (input, ask) => {
    const chain = chainOf(input.chain)
    const stored = storedChain(chain)
    const [status, txs] = await Promise.all([ask.services.coverage.status(chain.id), stored === null ? [] : ask.store.query(listTxs, { chain: stored, limit: input.limit }, Transaction)])
    return { chain: chain.id, count: txs.length, txs, coverage_status: status }
  },
})
