/** Rows for ClickHouse in RowBinary, made of bytes as they are. */
import type { Readable } from 'node:stream'
import { outgoing, type Piece } from '../../schemas/outgoing.js'
import type { Slot } from '../../schemas/slots.js'

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
/** Bytes that are released when they are written. */
export const bytes = (slot: Slot): Piece[] => [varint(slot.bytes.length), slot]

export const uint64 = (value: number): Buffer => {
  const buffer = Buffer.alloc(8)
  buffer.writeBigUInt64LE(BigInt(value))
  return buffer
}

/** Bytes from which a piece is worth a write of its own. */
const worthwhile = 64 << 10

/** `pieces` as few buffers: small ones together, large ones as they are. */
export function* packed(pieces: Iterable<Buffer>): Generator<Buffer> {
  let small: Buffer[] = [], size = 0
  for (const piece of pieces) {
    if (piece.length < worthwhile) { small.push(piece); size += piece.length }
    if (size >= worthwhile || (piece.length >= worthwhile && size > 0)) { yield Buffer.concat(small, size); small = []; size = 0 }
    if (piece.length >= worthwhile) yield piece
  }
  if (size > 0) yield Buffer.concat(small, size)
}

/** A stream of what `encode` makes of each item, paced by who reads it. */
export const rowsOf = <Item>(source: AsyncIterable<Item>, encode: (item: Item) => readonly Piece[]): Readable => {
  async function* rows(): AsyncGenerator<Piece> { for await (const item of source) yield* encode(item) }
  return outgoing(rows())
}
