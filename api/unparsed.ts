/** What never becomes a request of ours, because Node's parser refuses it or it asks for a tunnel: the same envelope and headers, by hand. */
import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { Limits } from './limits.js'
import { countedOf } from './middleware/caller.js'
import { tellLimits } from './middleware/rateLimit.js'

type Refusal = readonly [status: string, code: string, message: string]
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'HEADERS_TOO_LARGE', 'The request line and headers are larger than 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'REQUEST_TIMEOUT', 'The request did not arrive in time'],
}
const nonsense: Refusal = ['400 Bad Request', 'BAD_REQUEST', 'This is not an HTTP request']
const noTunnel: Refusal = ['405 Method Not Allowed', 'METHOD_NOT_ALLOWED', 'CONNECT is not possible here']

const answer = async (socket: Duplex, [status, code, message]: Refusal, limits: Limits, perMinute: number): Promise<void> => {
  const requestId = randomUUID()
  const body = JSON.stringify({ error: { code, message, docs: '/redoc', request_id: requestId } })
  const headers = new Map([
    ['Content-Type', 'application/json; charset=utf-8'], ['Content-Length', String(Buffer.byteLength(body))], ['Connection', 'close'],
    ['X-Request-Id', requestId], ['X-Content-Type-Options', 'nosniff'], ['Cache-Control', 'no-store'],
  ])
  if (code === noTunnel[1]) headers.set('Allow', 'GET, HEAD, POST, DELETE, OPTIONS')
  // One who goes on sending does not keep a connection that is over.
  const leave = setTimeout(() => { socket.destroy() }, 5_000)
  socket.once('close', () => { clearTimeout(leave) })
  const { remoteAddress = '' } = socket as { remoteAddress?: string }
  // Who it was behind a proxy is not known: the sender of the bytes is counted.
  await limits.take('ip', countedOf(remoteAddress), perMinute, 60).then((minute) => { const spoken = { ...minute, name: 'minute' }; tellLimits(spoken, [spoken], (name, value) => headers.set(name, value)) }, () => undefined)
  if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\n${[...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`)
}

/** Answers on sockets, and ends them: `unparsed` 431, 408 or 400, `tunnel` 405. */
export const openRefusals = (limits: Limits, perMinute: number) => ({
  unparsed: (fault: Error & { code?: string }, socket: Duplex): void => {
    if (fault.code === 'ECONNRESET' || !socket.writable) { socket.destroy(); return }
    void answer(socket, refusals[fault.code ?? ''] ?? nonsense, limits, perMinute)
  },
  tunnel: (socket: Duplex): void => {
    socket.on('error', () => { socket.destroy() })
    void answer(socket, noTunnel, limits, perMinute)
  },
})
