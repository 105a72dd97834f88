/** Blocks that nodes announce over ZeroMQ (`zmqpubhashblock`): a reason to look at the head at once, never a fact in itself. */
import type * as ZeroMq from 'zeromq'
import { AppError, messageOf } from '../../../schemas/errors.js'
import { openBell, type Bell } from '../bell.js'

export interface Announcements { /** Resolves when a block was announced that no wait has taken yet, or when its signal is aborted. */ readonly next: Bell['next']; /** The hash announced last, as people write it. */ newest(): string | undefined; close(): void }

/** Listens at `urls` (tcp://host:port); what is not there yet is connected to when it comes. ZMQ_MISSING where the library cannot be loaded. */
export const openAnnouncements = async (urls: readonly string[]): Promise<Announcements> => {
  let library: typeof ZeroMq
  // An optional package with native code: who does not use it need not have it.
  try { library = await import('zeromq') } catch (thrown) {
    throw new AppError('ZMQ_MISSING', `BTC_ZMQ_URL is set, but the package zeromq cannot be loaded (${messageOf(thrown).split('\n')[0] ?? ''}). Install it (npm install zeromq), or unset BTC_ZMQ_URL: the head is then polled.`)
  }
  const socket = new library.Subscriber({ receiveHighWaterMark: 1_000, linger: 0 })
  for (const url of urls) socket.connect(url)
  socket.subscribe('hashblock')
  const bell = openBell()
  let newest: string | undefined
  const listen = async (): Promise<void> => { for await (const [, hash] of socket) { newest = hash?.length === 32 ? hash.toString('hex') : undefined; bell.ring() } }
  // A closed socket ends the loop; nothing else does.
  listen().catch(() => undefined)
  return {
    next: bell.next,
    newest: () => newest,
    close: () => { socket.close() },
  }
}
