/** What Node's parser refuses before there is a request: the same envelope, by hand. */
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'

const refusals: Readonly<Record<string, readonly [status: string, code: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'HEADERS_TOO_LARGE', 'The request line and headers are larger than 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'REQUEST_TIMEOUT', 'The request did not arrive in time'],
}
const nonsense = ['400 Bad Request', 'BAD_REQUEST', 'This is not an HTTP request'] as const

/** Answers `fault` on `socket` and ends it: 431, 408 or 400. */
export const refuseUnparsed = (fault: Error & { code?: string }, socket: Socket): void => {
  if (fault.code === 'ECONNRESET' || !socket.writable) { socket.destroy(); return }
  const [status, code, message] = refusals[fault.code ?? ''] ?? nonsense
  const requestId = randomUUID()
  const body = JSON.stringify({ error: { code, message, docs: '/redoc', request_id: requestId } })
  const headers = {
    'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(Buffer.byteLength(body)), 'Connection': 'close',
    'X-Request-Id': requestId, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store',
  }
  socket.end(`HTTP/1.1 ${status}\r\n${Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`)
  // One who reads slowly, or goes on sending, does not keep a connection that is over.
  const leave = setTimeout(() => { socket.destroy() }, 5_000)
  socket.once('close', () => { clearTimeout(leave) })
}
