/** The venue's socket: the usual client subscribes and comes back after a cut; each message is kept as the bytes it came in. */
import type * as Hyperliquid from '@nktkas/hyperliquid'
import { AppError, messageOf } from '../../../schemas/errors.js'
import { loadPackage } from '../../../schemas/loadPackage.js'
import { hideSecretsOf } from '../../../schemas/secrets.js'
import { realClock } from './budget.js'
import type { Heard } from './journal.js'
import { openPace, venueLimits } from './pace.js'
import { openRefusals } from './refusals.js'

/** contexts: coins whose contexts are heard; absent: all of them. */
export interface Subscriptions { readonly coins: ReadonlySet<string>; readonly contexts?: ReadonlySet<string>; readonly books: ReadonlySet<string>; readonly accounts: readonly string[] }
/** A stretch in which nothing was heard, Unix milliseconds. */
export interface Silence { readonly from: number; readonly to: number; readonly reason: string }

export interface Socket {
  /** Subscribes to what is wanted now and was not, ends what is wanted no more. What was refused is asked for again when it is time. */
  want(wanted: Subscriptions): Promise<void>
  connected(): boolean
  close(): Promise<void>
}

interface Hooks { heard(one: Heard): void; /** Called when it is connected again. */ back(silence: Silence): void; failed(reason: string): void }

/** Milliseconds without a message after which a connection that looks open is taken for dead. */
const deadMs = 60_000
/** Subscriptions asked for at once. */
const together = 50
/** A connection that lasted for so long is no sign of a venue that cuts every one. */
const lastingMs = 60_000

/** Opens it; a subscription that is refused is asked for again `againMs` later, then after twice that, and so on up to an hour. */
export const openSocket = (url: string, hooks: Hooks, againMs = 60_000, limits = venueLimits): Socket => {
  const name = new URL(url).host
  hideSecretsOf(url)
  const open = new Map<string, Hyperliquid.ISubscription>()
  /** Refused to the client, which holds on to them and asks for them again whenever it connects, wanted or not. */
  const clinging = new Set<string>()
  const { clock = realClock } = limits, pace = openPace(limits)
  /** When the connection that stands was opened, and how many before it did not last, in a row. */
  let openedAt: number | undefined, brief = 0
  const turn = async (): Promise<string> => {
    // The client asks for all of them at once.
    await pace.connect(open.size + clinging.size)
    if (closed) throw new AppError('RPC_DOWN', 'the socket was closed', { retry: 'never' })
    return url
  }
  const { WebSocketTransport } = loadPackage('@nktkas/hyperliquid') as typeof Hyperliquid
  const transport = new WebSocketTransport({
    // What connects anew takes a function, of which the client's type does not know.
    url: turn as never, resubscribe: true,
    // The client counts attempts from the last connection, however short it was. Were short ones not counted, a venue that cuts would use up the whole window within seconds, and nothing be heard for the rest of the minute.
    reconnect: { WebSocket: pace.WebSocket as never, maxRetries: Number.MAX_SAFE_INTEGER, reconnectionDelay: (attempt: number) => Math.min(100 * 2 ** Math.max(attempt, brief - 1), 10_000) },
  })
  const refusals = openRefusals(transport.socket, againMs)
  /** `heardAt` is the same by a clock that nobody sets: one that was set forward is no silence, and one that was set back hides none. */
  let lastHeard = Date.now(), heardAt = performance.now(), cutAt: number | undefined, closed = false
  let reason = 'the socket was closed'

  // The client names its events by the types of browsers.
  const events = transport.socket as unknown as EventTarget
  events.addEventListener('message', (event) => {
    const { data } = event as Event & { data: unknown }
    lastHeard = Date.now()
    heardAt = performance.now()
    // The answer to a ping tells nothing: an idle venue makes no segments.
    if (data === '{"channel":"pong"}') return
    // Binary frames are none of the venue's: kept as they are, told as garbage.
    hooks.heard({ kind: 'ws', request: '{}', payload: typeof data === 'string' ? Buffer.from(data) : Buffer.from(String(data)), endpoint: name, at: lastHeard })
  })
  events.addEventListener('close', () => {
    cutAt ??= lastHeard
    if (openedAt === undefined) return
    brief = clock.now() - openedAt < lastingMs ? brief + 1 : 0
    openedAt = undefined
  })
  events.addEventListener('open', () => {
    openedAt = clock.now()
    // The client asks for all of them itself: those that it had given up on are its own again.
    for (const key of refusals.forget()) open.delete(key)
    if (cutAt === undefined) return
    const silence = { from: cutAt, to: Date.now(), reason }
    cutAt = undefined
    reason = 'the socket was closed'
    hooks.back(silence)
  })
  const watch = setInterval(() => {
    if (closed || cutAt !== undefined || performance.now() - heardAt < deadMs) return
    reason = `nothing was heard for ${deadMs / 1_000} s`
    cutAt = lastHeard
    lastHeard = Date.now()
    heardAt = performance.now()
    transport.socket.close(4_000, reason, false)
  }, 5_000)
  watch.unref()

  // Messages are taken where they come in. One listener for all: the client would ask each of hundreds whether a message is its own.
  const none = (): void => undefined
  const subscriptionOf: Readonly<Record<string, (of: string) => { readonly type: string }>> = {
    trades: (coin) => ({ type: 'trades', coin }), context: (coin) => ({ type: 'activeAssetCtx', coin }), book: (coin) => ({ type: 'l2Book', coin }),
    mids: () => ({ type: 'allMids' }), fills: (user) => ({ type: 'userFills', user }), fundings: (user) => ({ type: 'userFundings', user }),
  }
  const ofKey = (key: string): { readonly type: string } | undefined => { const [kind = '', of = ''] = key.split('|'); return subscriptionOf[kind]?.(of) }
  /** Lets go of what the client had been refused, was taken since and is wanted no more; one that it still is refused costs no message. */
  const loosen = async (key: string): Promise<void> => {
    const subscription = ofKey(key)
    if (subscription === undefined) return
    const one = await transport.subscribe(subscription.type, subscription, none)
    clinging.delete(key)
    await one.unsubscribe()
  }
  return {
    connected: () => transport.socket.readyState === 1,
    want: async ({ coins, contexts = coins, books, accounts }) => {
      const wanted = ['mids|', ...[...coins].flatMap((coin) => [`trades|${coin}`, ...(contexts.has(coin) ? [`context|${coin}`] : [])]), ...[...books].map((coin) => `book|${coin}`), ...accounts.flatMap((user) => [`fills|${user}`, `fundings|${user}`])]
      const set = new Set(wanted)
      // The client holds on to one that was refused when it connected anew, and to its refusal: it is let go of, and asked for afresh.
      const left = () => [...open].filter(([key, one]) => !set.has(key) || one.failureSignal.aborted)
      await pace.room(left().length)
      await Promise.all(left().map(([key, one]) => { open.delete(key); return one.unsubscribe().catch(none) }))
      await Promise.all([...clinging].filter((key) => !set.has(key)).map((key) => loosen(key).catch(none)))
      const missing = wanted.filter((key) => !open.has(key))
      for (let at = 0; at < missing.length; at += together) {
        const some = missing.slice(at, at + together)
        await pace.room(some.length)
        if (closed) return
        await Promise.all(some.map(async (key) => {
          const subscription = ofKey(key)
          if (subscription === undefined || refusals.waits(key)) return
          const beside = refusals.refused(key)
          let clings = !beside
          try {
            const one = beside ? await refusals.ask(key, subscription) : await transport.subscribe(subscription.type, subscription, none)
            clings = false
            if (one.failureSignal.aborted) { await one.unsubscribe().catch(none); throw one.failureSignal.reason }
            open.set(key, one)
            refusals.taken(key)
            if (!beside) clinging.delete(key)
          } catch (thrown) { if (clings) clinging.add(key); if (refusals.add(key)) hooks.failed(`${key}: ${messageOf(thrown)}`) }
        }))
      }
      // A refusal is no reason to cut off what is heard.
      if (missing.length > 0 && open.size === 0 && !closed) transport.socket.close(4_000, 'subscriptions failed', false)
    },
    close: async () => {
      closed = true
      clearInterval(watch)
      pace.end()
      const gone = transport.socket.readyState === 0 ? undefined : transport.close().catch(none)
      // The transport takes one that is between two connections for closed, and would leave it waiting for the next.
      transport.socket.close()
      await gone
    },
  }
}
