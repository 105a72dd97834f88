/** Streaming fetched answers into raw_payloads: RowBinary rows made of the bytes as they came. */
import { Readable } from 'node:stream'
import { loadSql } from '../../../schemas/sql.js'
import type { Store } from '../../../schemas/clickhouse.js'
import type { BatchRef } from '../../../schemas/primitives.js'
import type { Body } from './endpoint.js'
import type { Answers } from './fetchBlock.js'

const landSql = loadSql(import.meta.url, 'land.sql')

/** Length prefix of a RowBinary string: unsigned LEB128. */
const varint = (value: number): Buffer => {
  const bytes: number[] = []
  for (let rest = value; ;) {
    if (rest < 0x80) { bytes.push(rest); return Buffer.from(bytes) }
    bytes.push((rest % 0x80) | 0x80)
    rest = Math.floor(rest / 0x80)
  }
}

const text = (value: string): Buffer[] => [varint(Buffer.byteLength(value)), Buffer.from(value)]
const bytes = (body: Body): Buffer[] => [varint(body.size), ...body.chunks]

const uint64 = (value: number): Buffer => {
  const buffer = Buffer.alloc(8)
  buffer.writeBigUInt64LE(BigInt(value))
  return buffer
}

const encode = (answers: Answers): Buffer[] => [
  uint64(answers.number), ...text(answers.endpoint), ...bytes(answers.block), ...bytes(answers.receipts), ...bytes(answers.traces), ...text(answers.tracesKind),
]

async function* rows(source: AsyncIterable<Answers>): AsyncGenerator<Buffer> {
  for await (const answers of source) yield* encode(answers)
}

/** Lands what `source` yields; `attempt` makes the insert's token this attempt's own (an extra copy of an answer is harmless). */
export const land = (store: Store, batch: BatchRef, source: AsyncIterable<Answers>, attempt: string): Promise<void> =>
  store.insertStream(landSql.text, Readable.from(rows(source), { objectMode: false, highWaterMark: 1 << 20 }), { chain: batch.chain, generation: batch.generation }, `raw|${attempt}`)
