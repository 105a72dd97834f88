/**
 * Subscriptions that the venue refused. The client remembers a first refusal and asks no more until it connects anew: meanwhile they are asked for
 * beside it, on the same socket, less and less often.
 */
import type { ISubscription } from '@nktkas/hyperliquid'
import { AppError } from '../../../schemas/errors.js'

interface Wire extends EventTarget { readonly readyState: number; send(text: string): void }
type Subscription = Readonly<Record<string, string>>

const mostMs = 3_600_000
const answerMs = 10_000
/** The same subscription, however its answer writes it. */
const nameOf = (subscription: Subscription): string => JSON.stringify(Object.entries(subscription).map(([name, value]) => [name, value.toLowerCase()]).sort())

const acknowledges = (data: unknown, name: string): boolean => {
  if (typeof data !== 'string' || !data.includes('"subscriptionResponse"')) return false
  try {
    const { channel, data: { method, subscription } } = JSON.parse(data) as { channel: string; data: { method: string; subscription: Subscription } }
    const texts = Object.fromEntries(Object.entries(subscription).filter(([, value]) => typeof value === 'string'))
    return channel === 'subscriptionResponse' && method === 'subscribe' && nameOf(texts) === name
  } catch { return false }
}

export const openRefusals = (socket: unknown, againMs: number) => {
  const wire = socket as Wire
  const known = new Map<string, { waitMs: number; at: number }>()
  /** Told once: again only when it was taken in between. */
  const told = new Set<string>()
  const beside = new Set<string>()
  return {
    /** Whether it was refused since it was connected. */
    refused: (key: string): boolean => known.has(key),
    /** Whether it is too early to ask again: by a clock that nobody sets. */
    waits: (key: string): boolean => performance.now() < (known.get(key)?.at ?? 0),
    /** Asks for it beside the client; rejects when the venue does not take it. */
    ask: async (key: string, subscription: Subscription): Promise<ISubscription> => {
      if (wire.readyState !== 1) throw new AppError('RPC_DOWN', 'not connected', { retry: 'wait' })
      const name = nameOf(subscription)
      const answered = new Promise<void>((resolve, reject) => {
        const listen = (event: Event): void => { if (acknowledges((event as Event & { data?: unknown }).data, name)) { end(); resolve() } }
        const timer = setTimeout(() => { end(); reject(new AppError('RPC_REFUSED', 'refused again', { retry: 'wait' })) }, Math.min(answerMs, againMs))
        const end = (): void => { clearTimeout(timer); wire.removeEventListener('message', listen) }
        wire.addEventListener('message', listen)
      })
      wire.send(JSON.stringify({ method: 'subscribe', subscription }))
      await answered
      beside.add(key)
      return {
        failureSignal: new AbortController().signal,
        unsubscribe: () => { beside.delete(key); if (wire.readyState === 1) wire.send(JSON.stringify({ method: 'unsubscribe', subscription })); return Promise.resolve() },
      }
    },
    /** Notes a refusal; whether it is news. */
    add: (key: string): boolean => {
      const waitMs = Math.min(mostMs, known.has(key) ? (known.get(key)?.waitMs ?? againMs) * 2 : againMs)
      known.set(key, { waitMs, at: performance.now() + waitMs })
      return told.size < told.add(key).size
    },
    taken: (key: string): void => { known.delete(key); told.delete(key) },
    /** Connected anew: what was refused may be asked of the client again. Gives what was taken beside it. */
    forget: (): string[] => { const keys = [...beside]; beside.clear(); known.clear(); return keys },
  }
}
