/** A node's file as it grows: whole lines, from where reading it stopped. */
import type { FileHandle } from 'node:fs/promises'
import { afterTorn, cut, longest, type Place, type Read } from './lines.js'

export async function* readPlain (handle: FileHandle, size: number, from: Place): AsyncGenerator<Read, void> {
  let place = from
  const move = (bytes: number, payloads: readonly Buffer[], lost: readonly string[], torn: boolean): Read => {
    const read = { payloads, lost, from: place, to: { at: place.at + bytes, skip: 0, torn } }
    place = read.to
    return read
  }
  while (place.at < size) {
    // A few payloads at a time: an hour's file may be larger than memory.
    const buffer = Buffer.allocUnsafe(Math.min(size - place.at, longest))
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, place.at)
    const bytes = buffer.subarray(0, bytesRead)
    const { pieces, used } = cut(bytes)
    if (used === 0 && bytesRead < longest) return
    if (used === 0) yield move(bytesRead, [], place.torn ? [] : [`a line longer than ${longest} bytes`], true)
    else yield move(used, place.torn ? cut(afterTorn(bytes.subarray(0, used))).pieces : pieces, [], false)
  }
}
