/**
 * Memory for bytes on their way through, used again and again. It is shared between threads, so it changes hands without being copied; and V8
 * does not count it: of other memory it lets 64 MB be taken between two looks at its whole heap, which with blocks of a megabyte were several a second.
 */

/** `bytes`: as many as were asked for, with whatever was there before. After `release` others write there: whoever calls it has read all of it. `drop`: it is of no more use, but somebody may still read it, so it is left to the garbage collector. */
export interface Slot { readonly bytes: Buffer; release(): void; drop(): void }

/** Bytes of the smallest and the largest piece: what is larger is rare, and lies in memory that V8 counts. */
const least = 1 << 16, most = 16 << 20
/** Milliseconds a piece is kept that nobody takes. */
const keptMs = 30_000

/** Pieces nobody uses, the one released longest ago first: as many as were in use at once lately, never more. */
const free: { readonly memory: SharedArrayBuffer; readonly since: number }[] = []
const trim = (): void => { while (free[0] !== undefined && free[0].since < performance.now() - keptMs) free.shift() }
let trimming: NodeJS.Timeout | undefined

const keep = (memory: SharedArrayBuffer): void => {
  if (memory.byteLength > most) return
  free.push({ memory, since: performance.now() })
  trim()
  trimming ??= setInterval(() => { trim(); if (free.length === 0) { clearInterval(trimming); trimming = undefined } }, keptMs / 3).unref()
}

/** Room for `size` bytes: of the smallest free pieces that have it without being four times as large the one released last, else a new one. */
export const takeSlot = (size: number): Slot => {
  if (size > most) return plain(Buffer.allocUnsafeSlow(size))
  const wanted = Math.max(least, 2 ** Math.ceil(Math.log2(Math.max(1, size))))
  let found = -1
  for (const [at, { memory: { byteLength } }] of free.entries()) if (byteLength >= size && byteLength <= wanted * 2 && byteLength <= (free[found]?.memory.byteLength ?? byteLength)) found = at
  return slotOf(free.splice(found, found < 0 ? 0 : 1)[0]?.memory ?? new SharedArrayBuffer(wanted), size)
}

/** The first `size` bytes of memory, which another thread may have written. */
export const slotOf = (memory: SharedArrayBuffer, size: number): Slot => {
  let released = false
  return { bytes: Buffer.from(memory, 0, size), release: () => { if (released) return; released = true; keep(memory) }, drop: () => { released = true } }
}

/** The same bytes where other threads can write them: copied only where they are not there yet. */
export const inShared = (slot: Slot): Slot => {
  if (slot.bytes.buffer instanceof SharedArrayBuffer) return slot
  const shared = slotOf(new SharedArrayBuffer(slot.bytes.length), slot.bytes.length)
  slot.bytes.copy(shared.bytes)
  slot.release()
  return shared
}

/** Chunks put together as they come, so that each is free again at once. `whole`: all of them, few in memory of their own; `drop`: they are not wanted. */
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
    drop: (): void => { slot?.release() },
    whole: (): Slot => (slot === undefined ? plain(Buffer.concat(first)) : { ...slot, bytes: slot.bytes.subarray(0, size) }),
  }
}

/** The same bytes for two who read them beside each other: they are free when both have released them, and left to the garbage collector when one of them drops them. */
export const forTwo = ({ bytes, release, drop }: Slot): readonly [Slot, Slot] => {
  let readers = 2, dropped = false
  const one = (): Slot => {
    let over = false
    const end = (drops: boolean): void => {
      if (over) return
      over = true
      readers -= 1
      dropped ||= drops
      if (readers === 0) (dropped ? drop : release)()
    }
    return { bytes, release: () => { end(false) }, drop: () => { end(true) } }
  }
  return [one(), one()]
}

/** Bytes in memory of their own. */
export const plain = (bytes: Buffer): Slot => ({ bytes, release: () => undefined, drop: () => undefined })
