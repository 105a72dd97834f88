/**
 * A node's packed file as frames are appended to it: whole lines out of whole frames, however lines lie across them. A place is the start of a frame, and
 * how much of what is packed from there on was read: where the line that no frame has ended yet begins.
 */
import type { FileHandle } from 'node:fs/promises'
import { AppError } from '../../../schemas/errors.js'
import { checkFrame, contentOf, frameAt, nextFrame, type Frame, type Followed } from './frames.js'
import { afterTorn, cut, isWhole, longest, most, newline, type Place, type Read } from './lines.js'

/** What is remembered of a file from one look to the next. astray: no frame begins where one should, which was told. sought: up to where a frame was looked for behind one that has no end. */
export interface Memory extends Followed { astray: boolean; sought: number }
const empty = Buffer.alloc(0)

/** The frame at `at`, all of it and sound; null: it has no end yet; else why it is none, and from where on the next is to be looked for. */
const wholeAt = async (handle: FileHandle, at: number, size: number, memory: Memory): Promise<Frame | { why: string; next: number; found: boolean } | null> => {
  try {
    const frame = await frameAt(handle, at, size, memory)
    if (frame !== null) { await checkFrame(handle, frame); return frame }
    // One that its writer never ended is no longer waited for when there is another behind it.
    const { at: next, found } = await nextFrame(handle, Math.max(at + 1, memory.sought), size)
    memory.sought = next
    return found ? { why: 'it ends where another begins', next, found } : null
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code !== 'FILE_GARBLED') throw thrown
    const { at: next, found } = await nextFrame(handle, at + 1, size)
    return { why: thrown.message, next, found }
  }
}

/** `over`: nothing more is waited for. */
export async function* readPacked (handle: FileHandle, size: number, from: Place, memory: Memory, over: boolean): AsyncGenerator<Read, void> {
  let { at, skip, torn } = from, begins = from, since = from
  let ready: Buffer[] = [], bytes = 0, tail: Buffer = empty, lost: string[] = []
  const take = (): Read => {
    const all = Buffer.concat(ready), { pieces, used } = cut(all)
    const read = { payloads: used < all.length ? [...pieces, all.subarray(used)] : pieces, lost, from: since, to: begins }
    ready = []
    lost = []
    bytes = 0
    since = begins
    return read
  }
  const rip = (): void => { tail = empty; torn = true }
  /** Adds what a frame goes on with; `seen`: its unpacked bytes up to there. */
  const add = (frame: Frame, more: Buffer, seen: number): void => {
    const last = more.lastIndexOf(newline)
    if (last < 0) tail = Buffer.concat([tail, more])
    else {
      const whole = Buffer.concat([tail, more.subarray(0, last + 1)]), lines = torn ? afterTorn(whole) : whole
      ready.push(lines)
      bytes += lines.length
      tail = Buffer.from(more.subarray(last + 1))
      torn = false
      begins = { at: frame.start, skip: seen - tail.length, torn, told: false }
    }
    if (tail.length <= longest) return
    if (!torn) lost.push(`a line longer than ${longest} bytes`)
    rip()
  }
  while (at < size) {
    const frame = await wholeAt(handle, at, size, memory)
    if (frame === null) break
    if ('why' in frame) {
      if (!memory.astray && !begins.told) lost.push(`bytes ${at} to ${frame.next}: ${frame.why}`)
      memory.astray = true
      rip()
      at = frame.next
      skip = 0
      begins = { at, skip, torn, told: !frame.found }
      yield take()
      if (frame.found) continue
      return
    }
    memory.astray = false
    let seen = 0
    for await (const piece of contentOf(handle, frame)) {
      seen += piece.length
      const passed = Math.min(skip, piece.length)
      skip -= passed
      if (passed < piece.length) add(frame, piece.subarray(passed), seen)
      if (bytes >= most) yield take()
    }
    at = frame.end
    if (tail.length === 0 && skip === 0) begins = { at, skip, torn, told: false }
  }
  // The last line of a file that was packed when it was over may have no end.
  if (tail.length > 0 && !torn && isWhole(tail)) { ready.push(tail); tail = empty; begins = { at, skip: 0, torn, told: false } }
  // The place stays: should the rest come after all, it is read. Of a line that is lost anyway, no rest is.
  if (over && !begins.told && (at < size || (tail.length > 0 && !torn))) {
    lost.push(at < size ? `bytes ${at} to ${size}: the file ends before its frame` : 'the last line has no end')
    begins = { ...begins, told: true }
  }
  if (ready.length > 0 || lost.length > 0) yield take()
}
