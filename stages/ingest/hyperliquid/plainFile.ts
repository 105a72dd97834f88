/** A node's file as it grows: whole lines, from where reading it stopped. */
import type { FileHandle } from 'node:fs/promises'
import { afterTorn, cut, isWhole, longest, newline, type Place, type Read } from './lines.js'

/** Whether a line can go on or begin at `place`: where none can, another file stands there than was read. */
export const goesOn = async (handle: FileHandle, { at, torn }: Place): Promise<boolean> => {
  if (at === 0 || torn) return true
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, at - 1)
  // Behind a last line that had no end when it was read, its end comes first.
  return buffer[0] === newline || bytesRead < 2 || buffer[1] === newline
}

/** `over`: nothing more is waited for. */
export async function* readPlain (handle: FileHandle, size: number, from: Place, over: boolean): AsyncGenerator<Read, void> {
  let place = from
  const move = (payloads: readonly Buffer[], lost: readonly string[], to: Partial<Place>): Read => {
    const read = { payloads, lost, from: place, to: { at: place.at, skip: 0, torn: false, told: false, ...to } }
    place = read.to
    return read
  }
  while (place.at < size) {
    // A few payloads at a time: an hour's file may be larger than memory.
    const buffer = Buffer.allocUnsafe(Math.min(size - place.at, longest))
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, place.at)
    const bytes = buffer.subarray(0, bytesRead)
    const { pieces, used } = cut(bytes)
    if (used > 0) yield move(place.torn ? cut(afterTorn(bytes.subarray(0, used))).pieces : pieces, [], { at: place.at + used })
    else if (bytesRead === longest) yield move([], place.torn ? [] : [`a line longer than ${longest} bytes`], { at: place.at + bytesRead, torn: true })
    else {
      // Of a line that is lost anyway, no rest is.
      if (place.torn || bytesRead === 0) return
      if (isWhole(bytes)) yield move([bytes], [], { at: place.at + bytesRead })
      // The place stays: should the line be ended after all, it is read.
      else if (over && !place.told) yield move([], [`bytes ${place.at} to ${size}: the last line has no end`], { told: true })
      return
    }
  }
}
