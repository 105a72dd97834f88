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
 * When the next bytes are asked for, those so far behind have left for the system: the stream holds less than `water` besides what it is just handing over,
 * and a request that has its own mark (16 kB) to write takes nothing more until all of it is written. So less than `most` and those two are not.
 */
const behind = 2 * most

/** The event that Store.feed emits on a stream when it is done with it. true: the server has acknowledged what came out of it, so nobody reads those bytes any more; false: it failed. */
export const over = 'over'

/** A stream of `source`, paced by who reads it, for Store.feed and what stands on it. Slots of one that failed are dropped, as somebody may still be sending them. */
export const outgoing = (source: AsyncIterable<Piece>): Readable => {
  const under: { readonly slot: Slot; readonly end: number }[] = []
  let sent = 0, ended = false, lost = false
  const release = (end: number): void => { while (under[0] !== undefined && under[0].end <= end) under.shift()?.slot.release() }
  const drop = (): void => { for (const { slot } of under.splice(0)) slot.drop() }
  async function* parts(): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of source) {
        const bytes = 'release' in piece ? piece.bytes : piece
        if ('release' in piece) under.push({ slot: piece, end: sent + bytes.length })
        if (lost) drop()
        for (let at = 0; at < bytes.length; at += most) {
          const part = bytes.subarray(at, at + most)
          yield part
          sent += part.length
          release(sent - behind)
        }
      }
      ended = true
    } finally { if (!ended) drop() }
  }
  return Readable.from(parts(), { objectMode: false, highWaterMark: water }).once(over, (stands: boolean) => { if (stands && ended) release(sent); else { lost = true; drop() } })
}
