/** Streaming checked blocks into raw_payloads. */
import { loadSql } from '../../../schemas/sql.js'
import type { Store } from '../../../schemas/clickhouse.js'
import type { BatchRef } from '../../../schemas/primitives.js'
import { bytes, rowsOf, text, uint64, type Piece } from '../rows.js'
import type { Answers } from '../source.js'

const landSql = loadSql(import.meta.url, 'land.sql')

/** A checked block; hash and parent as people write them. `receipts` holds the spent outputs, `traces` the hashes of a raw block's transactions: normalize need not work them out again. */
export interface Landing extends Answers { readonly hash: string; readonly parent: string; readonly tracesKind: 'btc_raw' | 'btc_json' }

const encode = (block: Landing): Piece[] => [
  uint64(block.number), ...text(block.hash), ...text(block.parent), ...text(block.endpoint), ...bytes(block.block), ...bytes(block.receipts), ...bytes(block.traces), ...text(block.tracesKind),
]

/** Lands what `source` yields; `attempt` makes the insert's token this attempt's own (an extra copy of a block is harmless). */
export const land = (store: Store, batch: BatchRef, source: AsyncIterable<Landing>, attempt: string): Promise<void> =>
  store.insertStream(landSql.text, rowsOf(source, encode), { chain: batch.chain, generation: batch.generation }, `raw|${attempt}`)
