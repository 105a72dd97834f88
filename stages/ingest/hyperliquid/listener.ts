/** Everything that listens to the venue, and the buffer it speaks into: socket and REST with what is asked when, files, segments. */
import { messageOf } from '../../../schemas/errors.js'
import type { Heard, Journal } from './journal.js'
import type { Rest } from './rest.js'
import { openSocket, type Silence, type Socket } from './socket.js'

export interface Listening {
  readonly socketUrl: string; readonly segmentMs: number
  /** Coins to hear; empty: all that the venue lists and has not taken down. */
  readonly coins: readonly string[]; readonly books: readonly string[]; readonly accounts: readonly string[]
  /** When something was heard last before this start, Unix milliseconds; null: never. */
  readonly heardLast: Promise<number | null>
}
export interface Listener { hear(one: Heard): void; flush(): Promise<void>; connected(): boolean; close(): Promise<void> }

/** Bytes that wait for the store, at most: what comes when there is no more room is lost, and a gap says so. */
const room = 256 << 20
/** Bytes at which a segment is closed before its time. */
const full = 8 << 20
const listMs = 60_000, fundingMs = 300_000

const gap = (silence: Silence, channel: string, coin: string): Heard =>
  ({ kind: 'gap', request: '{}', payload: Buffer.from(JSON.stringify({ channel, coin, ...silence })), endpoint: 'listener', at: Date.now() })

/** A buffer that becomes a segment every `segmentMs`; `warn` is told what the store refuses, and it is tried again. */
export const openBuffer = (journal: Journal, segmentMs: number, warn: (reason: string) => void, landed: () => void) => {
  let waiting: Heard[] = [], bytes = 0, lostFrom: number | undefined, under: Promise<void> | undefined
  const store = async (): Promise<void> => {
    const taken = waiting
    if (taken.length === 0) return
    waiting = []
    const size = taken.reduce((sum, one) => sum + one.payload.length, 0)
    try {
      await journal.append(taken)
      bytes -= size
      if (lostFrom !== undefined && bytes < room) { const silence = { from: lostFrom, to: Date.now(), reason: 'the store took nothing for too long' }; lostFrom = undefined; hear(gap(silence, 'all', '')) }
      landed()
    } catch (thrown) {
      waiting = [...taken, ...waiting]
      warn(messageOf(thrown))
      throw thrown
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
  const timer = setInterval(() => { flush().catch(() => undefined) }, segmentMs)
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

interface Listed { readonly name: string; readonly isDelisted?: boolean | null }

/** Starts listening. `rest` hands its answers to `hear` itself. */
export const listen = (options: Listening, rest: Rest, hear: (one: Heard) => void, warn: (reason: string) => void): { connected(): boolean; close(): Promise<void> } => {
  let coins: ReadonlySet<string> = new Set(options.coins)
  let closed = false
  const timers: NodeJS.Timeout[] = []

  /** What was said while nobody listened: asked for by REST. Where the answer does not reach back, a gap stays. */
  const fill = async (silence: Silence): Promise<void> => {
    for (const coin of coins) {
      if (closed) return
      try {
        const trades = await rest.info.recentTrades({ coin })
        // A coin that never traded has nothing to miss.
        const oldest = Math.min(...trades.map(({ time }) => time))
        if (trades.length > 0 && oldest > silence.from) hear(gap({ ...silence, to: Math.min(silence.to, oldest) }, 'trades', coin))
      } catch (thrown) { hear(gap({ ...silence, reason: `${silence.reason}; ${messageOf(thrown).slice(0, 200)}` }, 'trades', coin)) }
    }
    for (const user of options.accounts) {
      try {
        const fills = await rest.info.userFillsByTime({ user: user as `0x${string}`, startTime: silence.from })
        // An answer holds 2,000 at most: a full one may have left some out.
        if (fills.length >= 2_000) hear(gap(silence, 'userFills', user))
      } catch (thrown) { hear(gap({ ...silence, reason: `${silence.reason}; ${messageOf(thrown).slice(0, 200)}` }, 'userFills', user)) }
    }
  }
  const socket: Socket = openSocket(options.socketUrl, { heard: hear, back: (silence) => { fill(silence).catch((thrown: unknown) => { warn(messageOf(thrown)) }) }, failed: warn })

  let started = false
  const list = async (): Promise<void> => {
    const [{ universe }] = await rest.info.metaAndAssetCtxs()
    if (options.coins.length === 0) coins = new Set((universe as readonly Listed[]).filter(({ isDelisted }) => isDelisted !== true).map(({ name }) => name))
    await socket.want({ coins, books: new Set(options.books.filter((coin) => coins.has(coin))), accounts: options.accounts })
    if (!started) {
      const from = await options.heardLast
      started = true
      if (from !== null) fill({ from, to: Date.now(), reason: 'nobody listened' }).catch((thrown: unknown) => { warn(messageOf(thrown)) })
    }
    for (const user of options.accounts) await rest.info.clearinghouseState({ user: user as `0x${string}` })
  }
  const fundings = async (): Promise<void> => {
    await rest.info.predictedFundings()
    for (const coin of options.books) if (coins.has(coin)) await rest.info.fundingHistory({ coin, startTime: Date.now() - 7_200_000 })
  }
  const often = (milliseconds: number, ask: () => Promise<void>): void => {
    const step = (): void => {
      ask().catch((thrown: unknown) => { if (!closed) warn(messageOf(thrown)) }).finally(() => { if (!closed) timers.push(setTimeout(step, milliseconds)) })
    }
    step()
  }
  often(listMs, list)
  often(fundingMs, fundings)
  return {
    connected: () => socket.connected(),
    close: async () => {
      closed = true
      for (const timer of timers) clearTimeout(timer)
      await socket.close()
    },
  }
}
