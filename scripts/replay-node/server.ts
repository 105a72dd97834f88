/** A JSON-RPC node over HTTP on loopback that serves recorded blocks: `startReplayNode(options)`. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { recordedChain } from './chain.js'
import { openControl, type Control } from './control.js'
import { openDice, spoil, type Faults } from './faults.js'
import { methods, RpcError } from './methods.js'
import { renumberedChain, type Renumber } from './renumbered.js'

export interface ReplayOptions {
  /** 0 or absent: any free one. */
  readonly port?: number
  readonly chainId?: number
  /** Serve consecutive renumbered blocks instead of the recorded heights. */
  readonly renumber?: Renumber
  /** Height of the head at the start; absent: the newest block. */
  readonly head?: number
  /** The head grows by one every so many milliseconds. */
  readonly advanceMs?: number
  /** Blocks that finality lags behind the head; absent: 0 for recorded blocks, 64 for renumbered ones. */
  readonly finality?: number
  /** Milliseconds before each answer. */
  readonly latencyMs?: number
  readonly faults?: Faults
  readonly seed?: number
}

export interface ReplayNode { readonly url: string; readonly control: Control; close(): Promise<void> }

const comma = Buffer.from(',')
const read = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
const failure = (id: unknown, code: number, message: string): Buffer[] => [Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code, message } }))]

/** One call's answer as pieces: the payload is put between head and tail as it is. */
const answer = (call: unknown, control: Control): Buffer[] => {
  if (typeof call !== 'object' || call === null || Array.isArray(call)) return failure(null, -32600, 'invalid request')
  const { id, method, params } = call as { id?: unknown; method?: unknown; params?: unknown }
  if (typeof method !== 'string') return failure(id, -32600, 'invalid request')
  control.count(method)
  const run = Object.hasOwn(methods, method) ? methods[method] : undefined
  if (run === undefined) return failure(id, -32601, `the method ${method} does not exist/is not available`)
  try {
    const view = control.view()
    const result = spoil(method, run(Array.isArray(params) ? params : [], view), view, control.dice)
    return [Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id ?? null)},"result":`), result, Buffer.from('}')]
  } catch (thrown) {
    if (thrown instanceof RpcError) return failure(id, thrown.code, thrown.message)
    throw thrown
  }
}

const answers = (text: string, control: Control): Buffer[] => {
  let parsed: unknown
  try { parsed = JSON.parse(text) } catch { return failure(null, -32700, 'parse error') }
  if (!Array.isArray(parsed)) return answer(parsed, control)
  if (parsed.length === 0) return failure(null, -32600, 'empty batch')
  return [Buffer.from('['), ...parsed.flatMap((call, index) => (index === 0 ? answer(call, control) : [comma, ...answer(call, control)])), Buffer.from(']')]
}

const send = (response: ServerResponse, status: number, pieces: readonly Buffer[], truncated = false): void => {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': length })
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

/** Starts the node; resolves when it listens on 127.0.0.1. */
export const startReplayNode = async (options: ReplayOptions = {}): Promise<ReplayNode> => {
  const chain = options.renumber === undefined ? recordedChain() : renumberedChain(options.renumber)
  const control = openControl(chain, {
    chainId: options.chainId ?? 1, head: options.head ?? chain.last, finality: options.finality ?? (options.renumber === undefined ? 0 : 64),
    latencyMs: options.latencyMs ?? 0, dice: openDice(options.faults ?? {}, options.seed ?? 1),
  })
  if (options.advanceMs !== undefined) control.change({ advanceMs: options.advanceMs })

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url === '/control') {
      if (request.method === 'POST') control.change(JSON.parse(await read(request)) as object)
      send(response, 200, [Buffer.from(JSON.stringify(control.state()))])
      return
    }
    if (request.method !== 'POST') { send(response, 405, failure(null, -32600, 'POST only')); return }
    const text = await read(request)
    control.counters.requests += 1
    if (control.latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, control.latencyMs))
    if (control.dice.strike('hang')) return
    if (control.dice.strike('http429')) { send(response, 429, failure(null, -32005, 'too many requests (injected)')); return }
    if (control.dice.strike('http500')) { send(response, 500, failure(null, -32000, 'internal server error (injected)')); return }
    const pieces = answers(text, control)
    control.counters.bytes += pieces.reduce((sum, piece) => sum + piece.length, 0)
    send(response, 200, pieces, control.dice.strike('truncated'))
  }
  const server = createServer((request, response) => {
    serve(request, response).catch((thrown: unknown) => {
      if (!response.headersSent) send(response, 500, failure(null, -32603, thrown instanceof Error ? thrown.message : String(thrown)))
      else response.destroy()
    })
  })
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => { sockets.add(socket); socket.once('close', () => sockets.delete(socket)) })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', () => { resolve() })
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
