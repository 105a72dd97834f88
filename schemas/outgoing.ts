/**
 * Bytes on their way to the store. What lies in slots goes out from where it lies: copies would be memory that V8 counts, and for every 64 MB of it
 * V8 looks through its whole heap, which with blocks of a megabyte was several times a second.
 */
import { Readable } from 'node:stream'
import type { Slot } from './slots.js'

/** Bytes, or those of a slot, which is released when they are written. */
export type Piece = Uint8Array | Slot

/** Bytes handed on at once, and those from which the stream asks for no more. */
const most = 1 << 20, water = 1 << 16
/**
 * When the next bytes are asked for, those so far behind have left for the system: the stream holds less than `water`, and a request takes nothing more
 * until all it has is written, so it has one part of `most`, and less than its own mark (64 kB) before that.
 */
const behind = 2 * most

/** The event of a stream that Store.feed emits when the server has acknowledged what came out of it: nobody reads its bytes any more. */
export const stored = 'stored'

/** A stream of `source`, paced by who reads it, for Store.feed and what stands on it. Slots of one that failed are left to the garbage collector, as somebody may still be sending them. */
export const outgoing = (source: AsyncIterable<Piece>): Readable => {
  const under: { readonly slot: Slot; readonly end: number }[] = []
  let sent = 0, ended = false
  const release = (end: number): void => { while (under[0] !== undefined && under[0].end <= end) under.shift()?.slot.release() }
  async function* parts(): AsyncGenerator<Uint8Array> {
    for await (const piece of source) {
      const bytes = 'release' in piece ? piece.bytes : piece
      for (let at = 0; at < bytes.length; at += most) {
        const part = bytes.subarray(at, at + most)
        yield part
        sent += part.length
        release(sent - behind)
      }
      if ('release' in piece) under.push({ slot: piece, end: sent })
    }
    ended = true
  }
  return Readable.from(parts(), { objectMode: false, highWaterMark: water }).once(stored, () => { if (ended) release(sent) })
}
