import { z } from 'zod'
import { Address, Amount, EvmAddress, Hash, Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { riskyClasses } from '../../../schemas/riskyClasses.js'
import { pageByTime, positionsOf } from '../../byTime.js'
import { CoverageStatus } from '../../coverage.js'
import { chainField, chainOf, cursorField, endOfTime, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { pageFields } from '../../pages.js'
import { emptyUnlessStored, indexedChains, storedChains } from '../../span.js'
import { emptyIfUnpriced, unpricedWithin, withUnpriced } from '../../unpriced.js'
import { untrusted } from '../../untrusted.js'
import { markedAmong } from '../perps/made.js'
import { newestPosition, readPerpsWhales } from '../whales/readWhales.js'
import { aboveOf, endsOfWhales, PerpsPosition, Position, type PerpsWhaleRow } from '../whales/whale.js'

const listWhaleTxs = loadSql(import.meta.url, 'listWhaleTxs.sql')
const whaleUsd = 100_000
const WhaleTx = z.object({
  id: z.string(), chain: z.string(), type: z.enum(['transfer', 'exchange_inflow', 'exchange_outflow', 'mixer', 'mint', 'burn', 'withdrawal', 'unknown', 'perp_trade', 'perp_liquidation']).describe('unknown: an input of a Bitcoin transaction is not known, so it may be change, or any who took part in a CoinJoin may have sent it'), hash: Hash.nullable().describe('null: a withdrawal of the beacon chain'),
  from: Address, fromLabel: z.string(), to: Address, toLabel: z.string(), tokenAmount: z.string().nullable().describe('Whole tokens, exact'), tokenSymbol: z.string().describe('Untrusted text'), token: EvmAddress,
  nativeSymbol: z.string().describe('Symbol of the chain\'s own coin'), usdValue: z.number(), gasPrice: Amount.nullable().describe('Wei'), blockNumber: z.number().int(), status: z.enum(['success', 'failed']).nullable(),
  timestamp: Instant, description: z.string(), riskFlag: z.string().nullable().describe('The class of a risky side'),
})
const { nativeSymbol: _, ...stored } = WhaleTx.shape
const Row = z.object({ ...stored, tokenSymbol: z.string().transform((text) => untrusted(text)), description: z.string().transform((text) => untrusted(text, 500)), at: Position })

/** Of which kind depends on the chain it is kept under. */
const Positions = positionsOf(z.union([Position, PerpsPosition]))
type Positions = z.infer<typeof Positions>
const dollars = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
/** A trade of the perps venue as one of these. */
const ofPerps = ({ at, tx_hash: hash, kind, size, value_usd: usd, ...row }: z.infer<typeof PerpsWhaleRow>) => ({
  id: `${hash.slice(2)}:${kind}:${at[2]}:${at[3]}`, chain: row.chain, type: kind === 'perp_liquidation' ? kind : 'perp_trade' as const, hash, from: row.from_address, fromLabel: '', to: row.to_address, toLabel: '', tokenAmount: size, tokenSymbol: row.token_symbol, token: row.token,
  usdValue: usd, gasPrice: null, blockNumber: row.block_number, status: 'success' as const, timestamp: row.timestamp, description: `Perp: ${size} ${row.token_symbol} ($${dollars.format(usd)}) ${kind === 'perp_liquidation' ? 'closed by force, ' : ''}sold by ${row.from_address}, bought by ${row.to_address}`, riskFlag: null, at,
})

export default operation({
  name: 'list_whale_txs', aliases: ['whale_transactions', 'get_whale_transactions'], route: 'GET /v1/dashboard/whale-txs', auth: 'key', lane: 'whales', tool: true, cacheSeconds: 5, sources: ['transfers', 'transactions', 'btc_coinjoins', 'labels', 'prices', 'hl_trades', 'hl_liquidations'], rows: 'items', perps: true,
  summary: `The newest movements of ${whaleUsd} USD and more, each in a sentence. list_whales has filters.`,
  input: z.object({ limit: limitField(500, 50), chain: chainField.default('ALL'), cursor: cursorField }),
  output: z.object({ chain: z.string(), count: z.number().int(), items: z.array(WhaleTx), ...pageFields, coverage_status: CoverageStatus }),
  empty: (output) => (output.chain === 'HL' ? null : emptyUnlessStored(output) ?? emptyIfUnpriced(output)),
  run: async (input, ask) => {
    const chain = chainOf(input.chain)
    const at = storedChains(chain).length > 1 ? await indexedChains(chain, ask) : storedChains(chain)
    const { cursors, coverage } = ask.services
    const inputs = { chain: chain.id }
    const read: Positions = input.cursor === undefined ? {} : cursors.read('list_whale_txs', inputs, input.cursor, Positions)
    const view = await coverage.view()
    const [status, ...lists] = await Promise.all([
      coverage.status(chain.id, 'perps'), ...at.map((id) => {
        const [block, kind, position, sub] = Position.optional().parse(read[id]) ?? newestPosition
        return ask.store.query(listWhaleTxs, { chain: id, block, kind, position, sub, limit: input.limit + 1, min_usd: whaleUsd, risky: riskyClasses }, Row)
      }),
      ...(chain.id === 'HL' || chain.status === 'aggregate' ? [readPerpsWhales({ minUsd: whaleUsd, limit: input.limit + 1, below: PerpsPosition.optional().parse(read['HL']) }, ask).then((rows) => rows.map(ofPerps))] : []),
    ])
    const { page, more } = pageByTime<(typeof lists)[number][number], Positions[string]>(lists, input.limit, read, ({ at: place }) => place, (next) => cursors.write('list_whale_txs', inputs, next), ({ at: place }) => aboveOf(place), endsOfWhales(chain, view))
    const unpriced = await Promise.all(at.map((id) => unpricedWithin(id, more.has_more ? Date.parse(page.at(-1)?.timestamp ?? '') : 0, endOfTime, ask, Position.optional().parse(read[id])?.[0])))
    return { chain: chain.id, count: page.length, items: page.map(({ at: _, ...row }) => ({ ...row, nativeSymbol: row.chain === 'HL' ? 'HYPE' : row.chain })), ...more, coverage_status: markedAmong(withUnpriced(status, unpriced), page) }
  },
})
