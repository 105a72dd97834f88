/** When keys were last used: remembered here, written down once a minute, so that a request costs one entry in a map. */
import type { Logger } from 'pino'
import type { Store } from '../schemas/clickhouse.js'
import { messageOf } from '../schemas/errors.js'

export interface KeyUses {
  /** Milliseconds at which this process last saw the key since it last wrote them down; undefined: not since. */
  last(publicId: string): number | undefined
  saw(publicId: string, at: number): void
  /** Writes down what is not yet; a failure is tried again with the next. */
  flush(): Promise<void>
  close(): Promise<void>
}

const everyMs = 60_000
const most = 100_000

export const openKeyUses = (writer: Store, log?: Pick<Logger, 'warn'>): KeyUses => {
  let seen = new Map<string, number>()
  const flush = async (): Promise<void> => {
    if (seen.size === 0) return
    const mine = seen
    seen = new Map()
    try {
      await writer.insert('key_uses', [...mine].map(([publicId, at]) => ({ public_id: publicId, at: new Date(at).toISOString() })))
    } catch (thrown) {
      for (const [publicId, at] of mine) if (!seen.has(publicId) && seen.size < most) seen.set(publicId, at)
      log?.warn({ reason: messageOf(thrown) }, 'uses of keys are not written down yet')
    }
  }
  const timer = setInterval(() => { void flush() }, everyMs)
  timer.unref()
  return {
    last: (publicId) => seen.get(publicId), saw: (publicId, at) => { seen.set(publicId, at) }, flush,
    close: () => { clearInterval(timer); return flush() },
  }
}
