/** ClickHouse's RowBinary, as far as clusters need it: reading rows out of chunks as they come, writing rows into one growing buffer. */

/** Lengths of arrays and strings: seven bits a byte, lowest first. */
const lengthBytes = (value: number): number => (value < 128 ? 1 : 1 + lengthBytes(Math.floor(value / 128)))

export interface RowWriter {
  readonly bytes: number
  u8(value: number): void
  u16(value: number): void
  u32(value: number): void
  u64(value: number): void
  length(value: number): void
  text(value: string): void
  /** Room for `count` bytes; `fill` writes them to the buffer from the offset on. */
  fixed(count: number, fill: (buffer: Buffer, offset: number) => void): void
  /** What was written since the last time; the writer is empty after it. */
  take(): Buffer
}

export const openRowWriter = (room = 65_536): RowWriter => {
  let buffer = Buffer.allocUnsafe(room)
  let used = 0
  const need = (count: number): number => {
    if (used + count > buffer.length) {
      const wider = Buffer.allocUnsafe(Math.max(used + count, buffer.length * 2))
      buffer.copy(wider, 0, 0, used)
      buffer = wider
    }
    used += count
    return used - count
  }
  const length = (value: number): void => {
    let at = need(lengthBytes(value))
    for (; value >= 128; value = Math.floor(value / 128)) buffer[at++] = (value % 128) + 128
    buffer[at] = value
  }
  return {
    get bytes() { return used },
    u8: (value) => { const at = need(1); buffer[at] = value },
    u16: (value) => { const at = need(2); buffer.writeUInt16LE(value, at) },
    u32: (value) => { const at = need(4); buffer.writeUInt32LE(value, at) },
    u64: (value) => { const at = need(8); buffer.writeUInt32LE(value % 2 ** 32, at); buffer.writeUInt32LE(Math.floor(value / 2 ** 32), at + 4) },
    length,
    text: (value) => { const bytes = Buffer.byteLength(value); length(bytes); const at = need(bytes); buffer.write(value, at) },
    fixed: (count, fill) => { const at = need(count); fill(buffer, at) },
    take: () => { const taken = buffer.subarray(0, used); buffer = Buffer.allocUnsafe(room); used = 0; return taken },
  }
}

/** Thrown by a cursor at the end of what has come; the row is read again when there is more. */
const short = new Error('the row has not come whole')

export interface RowCursor { u8(): number; u32(): number; u64(): number; length(): number; text(): string; /** Passes over `count` bytes; resolves to where they begin in `buffer`. */ fixed(count: number): number; readonly buffer: Buffer }

/** Reads a stream of rows; `row` reads one from the cursor and may be called again for a row that had not come whole, so it must do nothing before its last read. */
export const readRows = async (chunks: AsyncIterable<Buffer>, row: (cursor: RowCursor) => void): Promise<number> => {
  let buffer: Buffer = Buffer.alloc(0)
  let at = 0, rows = 0
  const take = (count: number): number => { if (at + count > buffer.length) throw short; at += count; return at - count }
  const length = (): number => {
    let value = 0
    for (let unit = 1; ; unit *= 128) {
      const byte = buffer[take(1)] as number
      value += (byte % 128) * unit
      if (byte < 128) return value
    }
  }
  const cursor: RowCursor = {
    get buffer() { return buffer },
    u8: () => buffer[take(1)] as number, u32: () => buffer.readUInt32LE(take(4)),
    u64: () => { const from = take(8); return buffer.readUInt32LE(from) + buffer.readUInt32LE(from + 4) * 2 ** 32 },
    length, fixed: take, text: () => { const bytes = length(); const from = take(bytes); return buffer.toString('utf8', from, from + bytes) },
  }
  for await (const chunk of chunks) {
    buffer = at === buffer.length ? chunk : Buffer.concat([buffer.subarray(at), chunk])
    at = 0
    for (let begun = 0; at < buffer.length; rows += 1) {
      begun = at
      try { row(cursor) } catch (thrown) {
        if (thrown !== short) throw thrown
        at = begun
        break
      }
    }
  }
  if (at < buffer.length) throw new Error('RowBinary ended inside a row')
  return rows
}
