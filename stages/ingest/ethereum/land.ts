/** Streaming fetched answers into raw_payloads: RowBinary rows made of the bytes as they came. */
import type { Piece } from '../../../schemas/outgoing.js'
import { loadSql } from '../../../schemas/sql.js'
import type { Store } from '../../../schemas/clickhouse.js'
import type { BatchRef } from '../../../schemas/primitives.js'
import { insertAsItComes } from '../insertAsItComes.js'
import { bytes, text, uint64 } from '../rows.js'
import type { Answers } from './fetchBlock.js'

const landSql = loadSql(import.meta.url, 'land.sql')

const encode = (answers: Answers): Piece[] => [
  uint64(answers.number), ...text(answers.endpoint), ...bytes(answers.block), ...bytes(answers.receipts), ...bytes(answers.traces), ...text(answers.tracesKind),
]

/** Lands what `source` yields; `attempt` makes the insert's token this attempt's own (an extra copy of an answer is harmless). */
export const land = async (store: Store, batch: BatchRef, source: AsyncIterable<Answers>, attempt: string, checkpoint: () => Promise<void>): Promise<null> => {
  await insertAsItComes(store, source, { sql: landSql.text, params: { chain: batch.chain, generation: batch.generation }, token: `raw|${attempt}`, encode, checkpoint })
  return null
}
