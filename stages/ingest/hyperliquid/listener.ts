/** Everything that listens to the venue: the socket, what is asked for beside it, and what was missed. */
import { messageOf } from '../../../schemas/errors.js'
import { openAsks, type Before } from './asks.js'
import type { Heard } from './journal.js'
import { kindOf, openListing, type Volume } from './listing.js'
import { openMarks } from './marks.js'
import { openMissed, skewMs } from './missed.js'
import type { Rest } from './rest.js'
import { choose, nothing } from './room.js'
import { openSilences } from './silences.js'
import { openSocket, type Socket } from './socket.js'

export interface Listening {
  readonly socketUrl: string
  /** Coins to hear; empty: all that the venue lists and has not taken down. */
  readonly coins: readonly string[]; readonly books: readonly string[]; readonly accounts: readonly string[]
  /** What is known of before this start; asked again where the store did not say. */
  before(): Promise<Before>
}

const listMs = 60_000
/** Milliseconds after a cut in which every channel has said something again. */
const backMs = 60_000

/** Starts listening. `rest` hands its answers to `hear` itself. */
export const listen = (options: Listening, rest: Rest, hear: (one: Heard) => void, warn: (reason: string) => void): { connected(): boolean; /** Those that are heard now. */ coins(): ReadonlySet<string>; close(): Promise<void> } => {
  let chosen = nothing, volumes: ReadonlyMap<string, Volume> = new Map()
  const coins = (): ReadonlySet<string> => chosen.coins
  // Nobody pays for holding spot.
  const perps = (): ReadonlySet<string> => new Set([...chosen.coins].filter((coin) => kindOf(coin) !== 'spot'))
  let cut = { at: 0, reason: '' }
  let closed = false, timer: NodeJS.Timeout | undefined, asks: ReturnType<typeof openAsks> | undefined
  const marks = openMarks(), listing = openListing(options.coins, rest, warn)
  const missed = openMissed({ coins, volumes: () => volumes, accounts: options.accounts, learn: marks.answer }, rest, hear)
  const silences = openSilences(hear, () => (!socket.connected() ? 'the socket was closed' : Date.now() - cut.at < backMs ? cut.reason : 'the venue said nothing of it'))
  const socket: Socket = openSocket(options.socketUrl, {
    heard: (one) => { marks.message(one); silences.message(one); hear(one) },
    // Nothing is heard between the cut and this: the marks are those of before.
    back: (silence) => { cut = { at: Date.now(), reason: silence.reason }; listing.anew(); missed.add({ silence, marks: marks.now() }) },
    failed: warn,
  })

  const start = async (): Promise<void> => {
    const before = await options.before(), { heardLast } = before
    if (closed || asks !== undefined) return
    silences.since(heardLast)
    asks = openAsks({ coins: perps, books: options.books, accounts: options.accounts, before, hear }, rest, warn)
    // Only our clock is known of the last run. An answer has to reach back a minute further: safe unless our clock was ahead by more than that.
    if (heardLast !== null) missed.add({ silence: { from: heardLast, to: Date.now(), reason: 'nobody listened' }, marks: { said: heardLast - skewMs, trades: new Map() } })
  }
  const list = async (): Promise<void> => {
    const { left } = chosen, listed = await listing.look()
    volumes = listed.volumes
    chosen = choose(listed.coins, chosen, options.books, options.accounts.length)
    if (chosen.left !== '' && chosen.left !== left) warn(chosen.left)
    marks.keep(chosen.coins)
    await socket.want({ coins: chosen.coins, contexts: chosen.contexts, books: new Set(options.books.filter((coin) => chosen.coins.has(coin))), accounts: options.accounts })
    await start()
  }
  const step = (): void => {
    list().catch((thrown: unknown) => { if (!closed) warn(messageOf(thrown)) }).finally(() => { if (!closed) timer = setTimeout(step, listMs) })
  }
  step()
  return {
    coins, connected: () => socket.connected(),
    close: async () => {
      closed = true
      clearTimeout(timer)
      asks?.close()
      missed.stop()
      silences.close()
      await socket.close()
    },
  }
}
