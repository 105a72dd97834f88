/** LZ4 frames of a file that grows, one after the other: a frame is read when all of it is there, block by block, whatever its length. */
import type { FileHandle } from 'node:fs/promises'
import { garbled, headerMost, headerOf, magic, openBlocks, type Header } from './lz4.js'
import { openSum, sumOf } from './xxh32.js'

/** Byte positions in the file. */
export interface Frame { readonly start: number; readonly end: number; readonly header: Header }
/** How far the blocks of a frame that is not all there were followed, so that they are not followed again. */
export interface Followed { start: number; at: number }

const bytesAt = async (handle: FileHandle, at: number, length: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, at)
  return buffer.subarray(0, bytesRead)
}

/** The frame at `start`; null: it is not all there yet, of a file of `size` bytes. Rejects with FILE_GARBLED where there is none. */
export const frameAt = async (handle: FileHandle, start: number, size: number, followed: Followed): Promise<Frame | null> => {
  const header = headerOf(await bytesAt(handle, start, Math.min(headerMost, size - start)))
  if (header === null) return null
  const whole = (end: number): Frame | null => (end > size ? null : { start, end, header })
  if (header.skip !== undefined) return whole(start + header.size + header.skip)
  let at = followed.start === start ? Math.max(followed.at, start + header.size) : start + header.size
  for (;;) {
    followed.start = start
    followed.at = at
    if (at + 4 > size) return null
    const length = (await bytesAt(handle, at, 4)).readUInt32LE(0) & 0x7fffffff
    if (length > header.most) throw garbled('a block is longer than it may be')
    if (length === 0) return whole(at + 4 + (header.sum ? 4 : 0))
    at += 4 + length + (header.sums ? 4 : 0)
  }
}

/** What a frame holds, block by block; each piece stands until the next is asked for. Rejects with FILE_GARBLED where it does not add up. */
export async function* contentOf (handle: FileHandle, { start, end, header }: Frame): AsyncGenerator<Buffer, void> {
  if (header.skip !== undefined) return
  const unpack = openBlocks(header), sum = openSum()
  for (let at = start + header.size; ;) {
    const word = (await bytesAt(handle, at, 4)).readUInt32LE(0), length = word & 0x7fffffff
    if (length === 0) break
    const block = await bytesAt(handle, at + 4, length + (header.sums ? 4 : 0))
    const packed = block.subarray(0, length)
    if (header.sums && sumOf(packed) !== block.readUInt32LE(length)) throw garbled('a block has another checksum')
    const bytes = unpack(packed, word >>> 31 === 1)
    if (header.sum) sum.update(bytes)
    yield bytes
    at += 4 + block.length
  }
  if (header.sum && (await bytesAt(handle, end - 4, 4)).readUInt32LE(0) !== sum.digest()) throw garbled('its content has another checksum')
}

/** Unpacks a frame for nothing but to know that it can be: of what cannot be unpacked to its end, nothing is taken. */
export const checkFrame = async (handle: FileHandle, frame: Frame): Promise<void> => { for await (const _ of contentOf(handle, frame)) void _ }

const sought = Buffer.alloc(4)
sought.writeUInt32LE(magic)
/** Bytes looked through at once. */
const window = 1 << 20

/** Where from `from` on the next header stands; where there is none, from where on one may yet come. */
export const nextFrame = async (handle: FileHandle, from: number, size: number): Promise<{ at: number; found: boolean }> => {
  for (let at = from; at < size; at += window) {
    const bytes = await bytesAt(handle, at, Math.min(window + headerMost, size - at))
    for (let near = bytes.indexOf(sought); near >= 0 && near < window; near = bytes.indexOf(sought, near + 1)) {
      try { if (headerOf(bytes.subarray(near, near + headerMost)) !== null) return { at: at + near, found: true } } catch { /* These four bytes are by chance the same. */ }
    }
  }
  return { at: Math.max(from, size - headerMost), found: false }
}
