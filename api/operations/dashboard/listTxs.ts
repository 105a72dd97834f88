import { z } from 'zod'
import { Address, Amount, EvmAddress, Hash, Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { endsOf, pageByTime, positionsOf } from '../../byTime.js'
import { CoverageStatus } from '../../coverage.js'
import { storedField, chainOf, cursorField, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { lastPlace, newestHeight, pageFields, Place } from '../../pages.js'
import { emptyUnlessStored, indexedChains, storedChains } from '../../span.js'

const listTxs = loadSql(import.meta.url, 'listTxs.sql')
const listBtcTxs = loadSql(import.meta.url, 'listBtcTxs.sql')
const Transaction = z.object({
  chain: z.string(), hash: Hash, block_number: z.number().int(), tx_index: z.number().int(), timestamp: Instant, from_address: Address.nullable().describe('null on Bitcoin: newly mined, a CoinJoin, or an input is unresolved'), from_label: z.string(),
  to_address: Address.nullable().describe('null: it creates a contract; on Bitcoin: it pays nobody but its sender'), to_label: z.string(), contract_address: EvmAddress.nullable(),
  value: Amount.nullable().describe('Wei; on Bitcoin satoshis paid to others than the sender, null while an input is unresolved'), value_usd: z.number().nullable(), tx_type: z.number().int().nullable(), selector: z.string().nullable().describe('First four bytes of its input'),
  gas_used: Amount.nullable().describe('null: the chain has no gas'), gas_price: Amount.nullable().describe('Wei paid per gas'), fee: Amount.nullable().describe('Wei, blobs included; on Bitcoin satoshis, null while an input is unresolved'), status: z.enum(['success', 'failed']).nullable(),
})

export default operation({
  name: 'list_txs', aliases: ['recent_transactions', 'list_transactions', 'get_transactions'], route: 'GET /v1/dashboard/txs', auth: 'key', lane: 'blocks', tool: true, cacheSeconds: 5, sources: ['transactions', 'transfers', 'labels'], rows: 'txs',
  summary: 'The newest transactions of a chain. Use list_intents for what they were for.',
  input: z.object({ limit: limitField(500, 50), chain: storedField.default('ETH'), cursor: cursorField }),
  output: z.object({ chain: z.string(), count: z.number().int(), txs: z.array(Transaction), ...pageFields, coverage_status: CoverageStatus }),
  empty: emptyUnlessStored,
  run: async (input, ask) => {
    const chain = chainOf(input.chain)
    const { cursors, coverage } = ask.services
    const inputs = { chain: chain.id }
    const asked = storedChains(chain).length > 1 ? await indexedChains(chain, ask) : storedChains(chain)
    const read = input.cursor === undefined ? {} : cursors.read('list_txs', inputs, input.cursor, positionsOf(Place))
    const view = await coverage.view()
    const [status, ...lists] = await Promise.all([coverage.status(chain.id), ...asked.map(async (id) => {
      const [block, index] = read[id] ?? [newestHeight, lastPlace]
      return (await ask.store.query(id === 'BTC' ? listBtcTxs : listTxs, { chain: id, block, index, limit: input.limit + 1 }, Transaction.omit({ chain: true }))).map((row) => ({ chain: id, ...row }))
    })])
    const { page, more } = pageByTime(lists, input.limit, read, (row) => [row.block_number, row.tx_index] as [number, number], (next) => cursors.write('list_txs', inputs, next), (row) => [row.block_number + 1, 0] as [number, number], endsOf(chain, view, (height) => [height, 0] as [number, number]))
    return { chain: chain.id, count: page.length, txs: page, ...more, coverage_status: status }
  },
})
