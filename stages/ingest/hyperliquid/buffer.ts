/** What was heard, until it is stored: segments in the order of hearing, and a gap for what had no room. */
import { messageOf } from '../../../schemas/errors.js'
import type { Heard, Journal } from './journal.js'
import type { Silence } from './socket.js'

/** Bytes that wait for the store, at most: what comes when there is no more room is lost, and a gap says so. */
const room = 256 << 20
/** Bytes at which a segment is closed before its time, and that it has at most unless one payload alone has more. */
const full = 8 << 20

/** A stretch of a channel that nobody heard, as a payload of its own; coin: a coin or an account, empty: all. state: waits: it has yet to be asked for; over: all of it was. */
export const gap = ({ from, to, reason }: Silence, channel: string, coin: string, state?: 'waits' | 'over'): Heard =>
  ({ kind: 'gap', request: '{}', payload: Buffer.from(JSON.stringify({ channel, coin, from, to, reason, state })), endpoint: 'listener', at: Date.now() })

/** A buffer that becomes a segment every `segmentMs`, or as soon as the one before stands where that took longer; `warn` is told what the store refuses, and it is tried again. */
export const openBuffer = (journal: Journal, segmentMs: number, warn: (reason: string) => void, landed: () => void) => {
  let waiting: Heard[] = [], bytes = 0, lostFrom: number | undefined, under: Promise<void> | undefined, overdue = false
  /** The first that wait, as many as a segment has room for, and one at least. */
  const take = (): { readonly taken: readonly Heard[]; readonly size: number } => {
    let size = 0
    const past = waiting.findIndex(({ payload }, index) => { size += payload.length; return index > 0 && size > full })
    const taken = past < 0 ? waiting : waiting.slice(0, past)
    waiting = waiting.slice(taken.length)
    return { taken, size: past < 0 ? size : taken.reduce((sum, { payload }) => sum + payload.length, 0) }
  }
  /** Stores what waits now: in several segments where it is more than one has room for. */
  const store = async (): Promise<void> => {
    for (let left = waiting.length; left > 0;) {
      const { taken, size } = take()
      left -= taken.length
      try {
        await journal.append(taken)
      } catch (thrown) {
        waiting = [...taken, ...waiting]
        warn(messageOf(thrown))
        throw thrown
      }
      bytes -= size
      if (lostFrom !== undefined && bytes < room) { const silence = { from: lostFrom, to: Date.now(), reason: 'the store took nothing for too long' }; lostFrom = undefined; hear(gap(silence, 'all', '')) }
      landed()
    }
  }
  const flush = (): Promise<void> => {
    under ??= store().finally(() => { under = undefined })
    return under
  }
  const hear = (one: Heard): void => {
    if (bytes + one.payload.length > room) { lostFrom ??= Date.now(); return }
    waiting.push(one)
    bytes += one.payload.length
    if (bytes >= full) flush().catch(() => undefined)
  }
  const due = (): void => {
    if (under !== undefined) { overdue = true; return }
    overdue = false
    // What was refused is tried again when it is due next, not at once.
    flush().then(() => { if (overdue) due() }, () => undefined)
  }
  const timer = setInterval(due, segmentMs)
  return {
    hear, flush,
    /** Stores what waits and stops. */
    close: async (): Promise<void> => {
      clearInterval(timer)
      await under?.catch(() => undefined)
      await flush().catch(() => undefined)
    },
  }
}
