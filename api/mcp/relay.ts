/**
 * Questions of a server to a 2025 client. They go out on the stream of the call that asks; the answer comes as a message of its own. Each
 * call has a server of its own, maybe in another process, so questions get numbers nobody else has: that is how the answer finds the one that asked.
 */
import { randomInt } from 'node:crypto'
import type { JSONRPCMessage, Server, Transport } from '@modelcontextprotocol/server'
import type { Session } from './sessionsHere.js'

/** Whether a message is an answer to a question of ours. */
export const isAnswer = (message: unknown): message is JSONRPCMessage & { readonly id: number } =>
  typeof message === 'object' && message !== null && !('method' in message) && 'id' in message && typeof message.id === 'number' && ('result' in message || 'error' in message)

/** `server`, whose questions are put for `session` until `gone` ends. */
export const relayed = (server: Server, session: Session, gone: AbortSignal): Server => {
  const connect = server.connect.bind(server)
  server.connect = (transport: Transport) => {
    const send = transport.send.bind(transport)
    transport.send = (message, options) => {
      if (!('method' in message && 'id' in message)) return send(message, options)
      const id = randomInt(2 ** 47)
      session.asked.set(id, (answer) => { session.asked.delete(id); transport.onmessage?.({ ...answer, id: message.id } as JSONRPCMessage) })
      gone.addEventListener('abort', () => { session.asked.delete(id) }, { once: true })
      return send({ ...message, id }, options)
    }
    return connect(transport)
  }
  return server
}
