/** Streaming checked blocks into raw_payloads. */
import type { Network } from '../../../schemas/bitcoinNetworks.js'
import type { Store } from '../../../schemas/clickhouse.js'
import { batchKey, type BatchRef } from '../../../schemas/primitives.js'
import type { Piece } from '../../../schemas/outgoing.js'
import { forTwo } from '../../../schemas/slots.js'
import { loadSql } from '../../../schemas/sql.js'
import { handingOf } from '../../normalize/bitcoin/handed.js'
import { insertAsItComes } from '../insertAsItComes.js'
import { bytes, text, uint64 } from '../rows.js'
import type { Answers, Landed } from '../source.js'

type Basket = ReturnType<ReturnType<typeof handingOf>['basket']>

const landSql = loadSql(import.meta.url, 'land.sql')

/** A checked block; hash and parent as people write them. `receipts` holds the spent outputs, `traces` the hashes of a raw block's transactions: normalize need not work them out again. */
export interface Landing extends Answers { readonly hash: string; readonly parent: string; readonly tracesKind: 'btc_raw' | 'btc_json' }

const encode = (block: Landing): Piece[] => [
  uint64(block.number), ...text(block.hash), ...text(block.parent), ...text(block.endpoint), ...bytes(block.block), ...bytes(block.receipts), ...bytes(block.traces), ...text(block.tracesKind),
]

/** `blocks` as they come; of raw ones the basket gets the bytes too, for as long as it takes any. */
async function* into(basket: Basket, blocks: AsyncIterable<Landing>): AsyncGenerator<Landing> {
  for await (const one of blocks) {
    if (!basket.isOpen() || one.tracesKind !== 'btc_raw') { basket.close(); yield one; continue }
    const [block, kept] = forTwo(one.block), [receipts, spent] = forTwo(one.receipts), [traces, txids] = forTwo(one.traces)
    basket.put({ number: one.number, hash: one.hash, bytes: { block: kept, spent, txids } })
    yield { ...one, block, receipts, traces }
  }
}

/** Lands what `source` yields; `token` makes the insert this attempt's own (an extra copy of a block is harmless). Resolves to what gives it on to the normalize of this process, or lets it go. */
export const land = async (store: Store, batch: BatchRef, source: AsyncIterable<Landing>, token: string, network: Network, checkpoint: () => Promise<void>): Promise<Landed> => {
  const basket = handingOf(store).basket(batchKey(batch), batch.to - batch.from + 1, network)
  try {
    await insertAsItComes(store, into(basket, source), { sql: landSql.text, params: { chain: batch.chain, generation: batch.generation, attempt: basket.attempt }, token: `raw|${token}`, encode, checkpoint })
  } catch (thrown) { basket.close(); throw thrown }
  return { right: basket.give, wrong: basket.close }
}
