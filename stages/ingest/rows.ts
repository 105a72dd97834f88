/** Rows for ClickHouse in RowBinary, made of bytes as they are. */
import { Readable } from 'node:stream'
import type { Body } from './endpoint.js'

/** Length prefix of a RowBinary string: unsigned LEB128. */
export const varint = (value: number): Buffer => {
  const bytes: number[] = []
  for (let rest = value; ;) {
    if (rest < 0x80) { bytes.push(rest); return Buffer.from(bytes) }
    bytes.push((rest % 0x80) | 0x80)
    rest = Math.floor(rest / 0x80)
  }
}

export const text = (value: string): Buffer[] => [varint(Buffer.byteLength(value)), Buffer.from(value)]
export const bytes = (body: Body): Buffer[] => [varint(body.size), ...body.chunks]

export const uint64 = (value: number): Buffer => {
  const buffer = Buffer.alloc(8)
  buffer.writeBigUInt64LE(BigInt(value))
  return buffer
}

/** A stream of what `encode` makes of each item, paced by who reads it. */
export const rowsOf = <Item>(source: AsyncIterable<Item>, encode: (item: Item) => readonly Buffer[]): Readable => {
  async function* rows(): AsyncGenerator<Buffer> { for await (const item of source) yield* encode(item) }
  return Readable.from(rows(), { objectMode: false, highWaterMark: 1 << 20 })
}
