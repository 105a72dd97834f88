/** A node's HTTP side, whatever the chain: latency, faults of the wire, counters and /control; what is answered is the chain's business. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Control } from './control.js'

/** `type` is application/json unless said. */
export interface Reply { readonly status: number; readonly type?: string; readonly pieces: readonly Buffer[] }
export interface Asked { readonly method: string; readonly path: string; readonly text: string; readonly authorization: string }
export interface ReplayNode { readonly url: string; readonly control: Control; close(): Promise<void> }

const read = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
const failure = (code: number, message: string): Buffer[] => [Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }))]

const send = (response: ServerResponse, { status, type = 'application/json', pieces }: Reply, truncated = false): void => {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  response.writeHead(status, { 'content-type': type, 'content-length': length })
  if (truncated) {
    const whole = Buffer.concat(pieces)
    response.write(whole.subarray(0, whole.length >> 1), () => { response.destroy() })
    return
  }
  response.cork()
  for (const piece of pieces) response.write(piece)
  response.end()
  response.uncork()
}

/** Serves `reply` on 127.0.0.1 (`port` 0 or absent: any free one); resolves when it listens. */
export const serveNode = async (control: Control, reply: (asked: Asked) => Reply, port = 0): Promise<ReplayNode> => {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url === '/control') {
      if (request.method === 'POST') control.change(JSON.parse(await read(request)) as object)
      send(response, { status: 200, pieces: [Buffer.from(JSON.stringify(control.state()))] })
      return
    }
    const text = await read(request)
    control.counters.requests += 1
    if (control.latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, control.latencyMs))
    if (control.dice.strike('hang')) return
    if (control.dice.strike('http429')) { send(response, { status: 429, pieces: failure(-32005, 'too many requests (injected)') }); return }
    if (control.dice.strike('http500')) { send(response, { status: 500, type: 'text/plain', pieces: [Buffer.from('internal server error (injected)')] }); return }
    const answer = reply({ method: request.method ?? 'GET', path: request.url ?? '/', text, authorization: request.headers.authorization ?? '' })
    control.counters.bytes += answer.pieces.reduce((sum, piece) => sum + piece.length, 0)
    send(response, answer, control.dice.strike('truncated'))
  }
  const server = createServer((request, response) => {
    serve(request, response).catch((thrown: unknown) => {
      if (!response.headersSent) send(response, { status: 500, pieces: failure(-32603, thrown instanceof Error ? thrown.message : String(thrown)) })
      else response.destroy()
    })
  })
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => { sockets.add(socket); socket.once('close', () => sockets.delete(socket)) })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => { resolve() })
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    control,
    close: () => new Promise((resolve) => {
      control.stop()
      server.close(() => { resolve() })
      for (const socket of sockets) socket.destroy()
    }),
  }
}
