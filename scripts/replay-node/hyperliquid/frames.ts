/** WebSocket on the server's side, as much of RFC 6455 as a feed of text needs: the handshake, whole text frames, pings, a close. */
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

export interface Peer { send(text: string): void; /** Ends it in the middle of whatever there is. */ cut(): void; onText(listener: (text: string) => void): void; onEnd(listener: () => void): void }

const acceptOf = (key: string): string => createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')

const frame = (opcode: number, payload: Buffer): Buffer => {
  const size = payload.length
  const head = size < 126 ? Buffer.from([0x80 | opcode, size]) : size < 65_536 ? Buffer.from([0x80 | opcode, 126, size >> 8, size & 255]) : Buffer.alloc(10)
  if (size >= 65_536) { head[0] = 0x80 | opcode; head[1] = 127; head.writeBigUInt64BE(BigInt(size), 2) }
  return Buffer.concat([head, payload])
}

/** One frame at the front of `bytes`; null while it is not whole. */
const parse = (bytes: Buffer): { opcode: number; payload: Buffer; used: number } | null => {
  if (bytes.length < 2) return null
  const [first = 0, second = 0] = bytes
  let at = 2, size = second & 127
  if (size === 126) { if (bytes.length < 4) return null; size = bytes.readUInt16BE(2); at = 4 }
  else if (size === 127) { if (bytes.length < 10) return null; size = Number(bytes.readBigUInt64BE(2)); at = 10 }
  const masked = (second & 128) !== 0
  const start = at + (masked ? 4 : 0)
  if (bytes.length < start + size) return null
  const payload = Buffer.from(bytes.subarray(start, start + size))
  if (masked) for (let index = 0; index < size; index += 1) payload[index] = (payload[index] ?? 0) ^ (bytes[at + (index & 3)] ?? 0)
  return { opcode: first & 15, payload, used: start + size }
}

/** Answers an upgrade; the connection as a peer. */
export const accept = (request: IncomingMessage, socket: Duplex): Peer => {
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${acceptOf(String(request.headers['sec-websocket-key'] ?? ''))}\r\n\r\n`)
  const texts: ((text: string) => void)[] = [], ends: (() => void)[] = []
  let waiting: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    waiting = Buffer.concat([waiting, chunk])
    for (let one = parse(waiting); one !== null; one = parse(waiting)) {
      waiting = waiting.subarray(one.used)
      if (one.opcode === 1) for (const listener of texts) listener(one.payload.toString('utf8'))
      else if (one.opcode === 9) socket.write(frame(10, one.payload))
      else if (one.opcode === 8) { socket.end(frame(8, one.payload)); return }
    }
  })
  socket.on('error', () => { socket.destroy() })
  socket.on('close', () => { for (const listener of ends) listener() })
  return { send: (text) => { if (socket.writable) socket.write(frame(1, Buffer.from(text))) }, cut: () => { socket.destroy() }, onText: (listener) => texts.push(listener), onEnd: (listener) => ends.push(listener) }
}
