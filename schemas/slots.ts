/**
 * Memory for bytes on their way through, used again and again. It is shared between threads, so it changes hands without being copied; and V8
 * does not count it: of other memory it lets 64 MB be taken between two looks at its whole heap, which with blocks of a megabyte were several a second.
 */

/** `bytes`: as many as were asked for, with whatever was there before. After `release` others write there: whoever calls it has read all of it. One that is dropped instead is left to the garbage collector. */
export interface Slot { readonly bytes: Buffer; release(): void }

/** Bytes of the smallest piece, and of all that are kept for later at most. */
const least = 1 << 16, most = 96 << 20

const free: SharedArrayBuffer[] = []
let held = 0

const keep = (memory: SharedArrayBuffer): void => {
  if (held + memory.byteLength > most) return
  held += memory.byteLength
  free.push(memory)
}

/** Room for `size` bytes: the smallest free piece that has it without being four times as large, else a new one. */
export const takeSlot = (size: number): Slot => {
  const wanted = Math.max(least, 2 ** Math.ceil(Math.log2(Math.max(1, size))))
  let found: SharedArrayBuffer | undefined
  for (const one of free) if (one.byteLength >= size && one.byteLength <= wanted * 2 && (found === undefined || one.byteLength < found.byteLength)) found = one
  if (found !== undefined) { free.splice(free.indexOf(found), 1); held -= found.byteLength }
  return slotOf(found ?? new SharedArrayBuffer(wanted), size)
}

/** The first `size` bytes of memory, which another thread may have written. */
export const slotOf = (memory: SharedArrayBuffer, size: number): Slot => {
  let released = false
  return { bytes: Buffer.from(memory, 0, size), release: () => { if (released) return; released = true; keep(memory) } }
}

/** The same bytes where other threads can read them: copied only where they are not there yet. */
export const inShared = (slot: Slot): Slot => {
  if (slot.bytes.buffer instanceof SharedArrayBuffer) return slot
  const shared = takeSlot(slot.bytes.length)
  slot.bytes.copy(shared.bytes)
  slot.release()
  return shared
}

/** Chunks put together as they come, so that each is free again at once. `whole`: all of them; few bytes stay in memory of their own. */
export const openGather = (declared: number) => {
  let first: Buffer[] = [], slot: Slot | undefined, size = 0
  return {
    add: (chunk: Buffer): void => {
      const at = size
      size += chunk.length
      if (slot === undefined && size <= least / 2) { first.push(chunk); return }
      if (slot === undefined || size > slot.bytes.length) {
        const larger = takeSlot(Math.max(declared, size * 2))
        if (slot === undefined) Buffer.concat(first).copy(larger.bytes)
        else slot.bytes.copy(larger.bytes, 0, 0, at)
        first = []
        slot?.release()
        slot = larger
      }
      chunk.copy(slot.bytes, at)
    },
    size: () => size,
    whole: (): Slot => (slot === undefined ? plain(Buffer.concat(first)) : { bytes: slot.bytes.subarray(0, size), release: slot.release }),
  }
}

/** Bytes in memory of their own. */
export const plain = (bytes: Buffer): Slot => ({ bytes, release: () => undefined })

/** Bytes of one copy. */
const copied = 1 << 18

/** The bytes of a slot as copies, each made when it is asked for; the slot is released after the last. Copies die young: a stream may hold them for as long as it writes them. */
export function* spend({ bytes, release }: Slot): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += copied) {
    const count = Math.min(copied, bytes.length - at), copy = Buffer.allocUnsafeSlow(count)
    bytes.copy(copy, 0, at, at + count)
    yield copy
  }
  release()
}
