/** Walking through bytes and writing RowBinary, without an object per field: a block has some hundred thousand of them. */

/** What ends before its content does, or says what no block may say. */
export class Misshapen extends Error {}

/** A place in `bytes`; every step throws Misshapen past the end. */
export class Cursor {
  at = 0
  constructor(readonly bytes: Buffer) {}
  /** Steps over `count` bytes; resolves to where they begin. */
  take(count: number): number {
    const from = this.at
    if (count > this.bytes.length - from) throw new Misshapen(`truncated: ${count} bytes announced at ${from} of ${this.bytes.length}`)
    this.at = from + count
    return from
  }
  uint32(): number { return this.bytes.readUInt32LE(this.take(4)) }
  /** A count as Bitcoin writes it, in the shortest form or not. */
  compact(): number {
    const first = this.bytes[this.take(1)] as number
    if (first < 0xfd) return first
    if (first === 0xfd) return this.bytes.readUInt16LE(this.take(2))
    if (first === 0xfe) return this.bytes.readUInt32LE(this.take(4))
    throw new Misshapen(`a count beyond 32 bits at ${this.at - 1}`)
  }
}

/** A count below 2^32 as Bitcoin writes it, in the shortest form. */
export const compact = (count: number): Buffer => {
  if (count < 0xfd) return Buffer.from([count])
  const bytes = Buffer.allocUnsafe(count < 0x10000 ? 3 : 5)
  bytes[0] = count < 0x10000 ? 0xfd : 0xfe
  if (count < 0x10000) bytes.writeUInt16LE(count, 1)
  else bytes.writeUInt32LE(count, 1)
  return bytes
}

/** RowBinary, written into `room`; where that is too small it grows in memory of its own. */
export class Sink {
  bytes: Buffer
  at = 0
  constructor(room: Buffer) { this.bytes = room }
  /** Makes room for `count` bytes; resolves to where they go. */
  private room(count: number): number {
    const at = this.at
    if (at + count > this.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, at + count))
      this.bytes.copy(larger, 0, 0, at)
      this.bytes = larger
    }
    this.at = at + count
    return at
  }
  uint8(value: number): void { const at = this.room(1); this.bytes[at] = value }
  uint32(value: number): void { const at = this.room(4); this.bytes.writeUInt32LE(value >>> 0, at) }
  uint64(value: number): void {
    const at = this.room(8)
    this.bytes.writeUInt32LE(value % 0x100000000, at)
    this.bytes.writeUInt32LE(Math.floor(value / 0x100000000), at + 4)
  }
  /** Length of a string or an array: unsigned LEB128. */
  length(value: number): void {
    let rest = value
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.uint8((rest % 0x80) | 0x80)
    this.uint8(rest)
  }
  copy(from: Buffer, start: number, count: number): void {
    const at = this.room(count), into = this.bytes
    if (count > 96) { from.copy(into, at, start, start + count); return }
    for (let index = 0; index < count; index += 1) into[at + index] = from[start + index] as number
  }
  /** 32 bytes the other way round: hashes are written so by people. */
  reversed(from: Buffer, start: number): void {
    const at = this.room(32), into = this.bytes
    for (let index = 0; index < 32; index += 1) into[at + index] = from[start + 31 - index] as number
  }
  zeros(count: number): void { const at = this.room(count); this.bytes.fill(0, at, at + count) }
  string(from: Buffer, start: number, count: number): void { this.length(count); this.copy(from, start, count) }
}
