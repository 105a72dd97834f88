/** LZ4 frames, as a node's archives are packed: frames one after the other, blocks that may look back at the blocks before them. */
import { AppError } from '../../../schemas/errors.js'

const magic = 0x184d2204
const garbled = (why: string): AppError => new AppError('FILE_GARBLED', `This is not a whole LZ4 file: ${why}`, { retry: 'attempt' })

/** Room for what is unpacked; it grows. */
class Output {
  bytes = Buffer.allocUnsafe(1 << 20)
  size = 0
  reserve(more: number): void {
    if (this.size + more <= this.bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.size + more))
    this.bytes.copy(larger, 0, 0, this.size)
    this.bytes = larger
  }
}

const unpackBlock = (input: Buffer, out: Output, frameStart: number): void => {
  let at = 0
  const byte = (): number => { const value = input[at]; if (value === undefined) throw garbled('a block ends early'); at += 1; return value }
  const length = (first: number): number => { let sum = first; if (first === 15) for (let more = 255; more === 255;) { more = byte(); sum += more } return sum }
  while (at < input.length) {
    const token = byte()
    const literals = length(token >> 4)
    if (at + literals > input.length) throw garbled('a block ends early')
    out.reserve(literals)
    input.copy(out.bytes, out.size, at, at + literals)
    at += literals
    out.size += literals
    if (at === input.length) return
    const distance = byte() | (byte() << 8)
    const match = length(token & 15) + 4
    if (distance === 0 || out.size - distance < frameStart) throw garbled('a match points before the beginning')
    out.reserve(match)
    // A match may overlap what it writes.
    if (distance >= match) out.bytes.copyWithin(out.size, out.size - distance, out.size - distance + match)
    else for (let index = 0; index < match; index += 1) out.bytes[out.size + index] = out.bytes[out.size + index - distance] ?? 0
    out.size += match
  }
}

/** The content of an LZ4 file; throws FILE_GARBLED where it is cut off or no such file. Checksums are skipped. */
export const unpackLz4 = (file: Buffer): Buffer => {
  const out = new Output()
  let at = 0
  const need = (bytes: number): void => { if (at + bytes > file.length) throw garbled('it ends early') }
  while (at < file.length) {
    need(7)
    const word = file.readUInt32LE(at)
    if (word >>> 4 === 0x184d2a5) { need(8); need(8 + file.readUInt32LE(at + 4)); at += 8 + file.readUInt32LE(at + 4); continue }
    if (word !== magic) throw garbled('no frame begins where one should')
    const flags = file[at + 4] ?? 0
    if (flags >> 6 !== 1 || (flags & 1) !== 0) throw garbled('a frame of another version, or with a dictionary')
    at += 6 + ((flags & 8) === 0 ? 0 : 8) + 1
    const start = out.size
    for (;;) {
      need(4)
      const word = file.readUInt32LE(at)
      at += 4
      if (word === 0) break
      const size = word & 0x7fffffff
      need(size)
      const block = file.subarray(at, at + size)
      if (word >>> 31 === 1) { out.reserve(size); block.copy(out.bytes, out.size); out.size += size } else unpackBlock(block, out, start)
      at += size + ((flags & 16) === 0 ? 0 : 4)
    }
    if ((flags & 4) !== 0) { need(4); at += 4 }
  }
  return out.bytes.subarray(0, out.size)
}
