/** Silences of what shows how things stand: prices, contexts and books are said again and again, and nobody tells them afterwards. A silence of theirs is a gap at once. */
import { uptime } from 'node:os'
import { gap } from './buffer.js'
import type { Heard } from './journal.js'

/** Milliseconds between two messages of a channel that miss nothing: the venue says each several times in that, of all coins together. */
const quietMs = 10_000
/** Milliseconds after which a silence that goes on is told as far as it has come. */
const tellMs = 60_000

const channelOf = /^\s*\{\s*"channel"\s*:\s*"(allMids|l2Book|activeAssetCtx|activeSpotAssetCtx)"/

export interface Silences {
  /** A message of the socket. */
  message(one: Heard): void
  /** Nothing was heard before this start since then, Unix milliseconds; null: never at all. */
  since(heardLast: number | null): void
  close(): void
}

/**
 * Opens the watch. Each channel is watched from its first message on; what was silent before this start is told with it. `reason`: why nothing may have been heard. How long a silence is goes by `passed`, milliseconds
 * of a clock that nobody sets, and that goes on while the machine is suspended: one that was set forward is no silence, and one that was set back hides none. It is told by the clock, from as long before its end as it lasted.
 */
export const openSilences = (hear: (one: Heard) => void, reason: () => string, now: () => number = Date.now, passed: () => number = () => uptime() * 1_000): Silences => {
  const last = new Map<string, number>(), first = new Map<string, number>()
  let before: number | null = null
  const tell = (channel: string, from: number, to: number, why: string): void => { hear(gap({ from, to, reason: why }, channel, '')) }
  const tellLasting = (channel: string, lasted: number, to: number): void => { tell(channel, to - Math.round(lasted), to, reason()) }
  const begun = (channel: string, at: number): void => { if (before !== null && at - before > quietMs) tell(channel, before, at, 'nobody listened') }
  const look = (): void => {
    const at = passed()
    for (const [channel, from] of last) if (at - from >= tellMs) { last.set(channel, at); tellLasting(channel, at - from, now()) }
  }
  const timer = setInterval(look, 5_000)
  timer.unref()
  return {
    message: ({ payload, at }) => {
      const [, said] = channelOf.exec(payload.toString('latin1', 0, 60)) ?? []
      if (said === undefined) return
      // Contexts of spot and of perps are asked for as one.
      const channel = said === 'activeSpotAssetCtx' ? 'activeAssetCtx' : said
      const known = last.get(channel), heardAt = passed()
      if (known === undefined) { first.set(channel, at); begun(channel, at) } else if (heardAt - known > quietMs) tellLasting(channel, heardAt - known, at)
      last.set(channel, heardAt)
    },
    since: (heardLast) => { before = heardLast; for (const [channel, at] of first) begun(channel, at) },
    close: () => { clearInterval(timer); look() },
  }
}
