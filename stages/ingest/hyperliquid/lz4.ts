/** LZ4: a frame's header, and its blocks, which may look back at the 64 KiB before them. */
import { AppError } from '../../../schemas/errors.js'
import { sumOf } from './xxh32.js'

export const magic = 0x184d2204
/** Bytes of a header at most. */
export const headerMost = 19
/** How far a match may point back. */
const reach = 1 << 16
export const garbled = (why: string): AppError => new AppError('FILE_GARBLED', `This is no whole LZ4 frame: ${why}`, { retry: 'attempt' })

/** size: bytes of the header. most: bytes of a block at most. skip: bytes after it that are nothing to unpack. */
export interface Header { readonly size: number; readonly most: number; readonly alone: boolean; readonly sums: boolean; readonly sum: boolean; readonly skip: number | undefined }

/** The header that `bytes` begin with; null: they end before it does. Throws FILE_GARBLED where there is none. */
export const headerOf = (bytes: Buffer): Header | null => {
  if (bytes.length < 4) return null
  const word = bytes.readUInt32LE(0)
  if (word >>> 4 === 0x184d2a5) return bytes.length < 8 ? null : { size: 8, most: 0, alone: true, sums: false, sum: false, skip: bytes.readUInt32LE(4) }
  if (word !== magic) throw garbled('none begins where one should')
  if (bytes.length < 7) return null
  const flags = bytes[4] ?? 0, code = ((bytes[5] ?? 0) >> 4) & 7
  if (flags >> 6 !== 1 || (flags & 1) !== 0 || code < 4) throw garbled('it is of another version, or needs a dictionary')
  const size = 7 + ((flags & 8) === 0 ? 0 : 8)
  if (bytes.length < size) return null
  if (((sumOf(bytes.subarray(4, size - 1)) >>> 8) & 255) !== bytes[size - 1]) throw garbled('its header has another checksum')
  return { size, most: 1 << (8 + 2 * code), alone: (flags & 32) !== 0, sums: (flags & 16) !== 0, sum: (flags & 4) !== 0, skip: undefined }
}

/** Room for one block after what the next may look back at: all that unpacking a frame of any length takes. */
export const openBlocks = ({ most, alone }: Header): ((input: Buffer, plain: boolean) => Buffer) => {
  const out = Buffer.allocUnsafe(reach + most)
  let size = 0
  const unpack = (input: Buffer): void => {
    let at = 0
    const byte = (): number => { const value = input[at]; if (value === undefined) throw garbled('a block ends early'); at += 1; return value }
    const length = (first: number): number => { let sum = first; if (first === 15) for (let more = 255; more === 255;) { more = byte(); sum += more } return sum }
    const first = alone ? size : 0, last = size + most
    while (at < input.length) {
      const token = byte()
      const literals = length(token >> 4)
      if (at + literals > input.length) throw garbled('a block ends early')
      if (size + literals > last) throw garbled('a block is longer than it may be')
      input.copy(out, size, at, at + literals)
      at += literals
      size += literals
      if (at === input.length) return
      const distance = byte() | (byte() << 8)
      const match = length(token & 15) + 4
      if (distance === 0 || size - distance < first) throw garbled('a match points before the beginning')
      if (size + match > last) throw garbled('a block is longer than it may be')
      // A match may overlap what it writes.
      if (distance >= match) out.copyWithin(size, size - distance, size - distance + match)
      else for (let index = 0; index < match; index += 1) out[size + index] = out[size + index - distance] ?? 0
      size += match
    }
  }
  /** What a block unpacks to, as it stands until the next is unpacked. */
  return (input, plain) => {
    if (size > reach) { out.copyWithin(0, size - reach, size); size = reach }
    const start = size
    if (plain) { input.copy(out, size); size += input.length } else unpack(input)
    return out.subarray(start, size)
  }
}
