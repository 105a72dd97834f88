/** LZ4 frames as a packer writes them, for tests. */
import { sumOf } from '../../stages/ingest/hyperliquid/xxh32.js'

const word = (value: number): Buffer => { const bytes = Buffer.alloc(4); bytes.writeUInt32LE(value >>> 0); return bytes }
export const block = (bytes: Buffer, plain = false, sums = false): Buffer => Buffer.concat([word(bytes.length | (plain ? 0x80000000 : 0)), bytes, ...(sums ? [word(sumOf(bytes))] : [])])
/** A frame of blocks; flags: 0x40, and 0x20 blocks that stand alone, 0x10 their checksums, 4 a checksum of `content`. */
export const frame = (blocks: readonly Buffer[], flags = 0x40, content: Buffer = Buffer.alloc(0)): Buffer => {
  const told = Buffer.from([flags, 0x40])
  return Buffer.concat([word(0x184d2204), told, Buffer.from([(sumOf(told) >>> 8) & 255]), ...blocks, word(0), ...((flags & 4) === 0 ? [] : [word(sumOf(content))])])
}
/** Bytes as they are, in blocks of 64 KiB, with a checksum. */
export const stored = (bytes: Buffer): Buffer => frame(Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, nth) => block(bytes.subarray(nth * 65_536, (nth + 1) * 65_536), true)), 0x44, bytes)
export const skippable = (bytes: Buffer): Buffer => Buffer.concat([word(0x184d2a53), word(bytes.length), bytes])

/** A text as one frame. */
export const packed = (text: string): Buffer => stored(Buffer.from(text))
