/** The node the pipeline sees: it shows a history step by step over JSON-RPC, and misbehaves as it is told to. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Hex } from 'viem'
import type { History, Recorded } from './history.js'
import type { Random } from './random.js'

/** Probabilities per request. */
export interface Faults { readonly error: number; readonly http: number; readonly truncate: number; readonly nullResult: number; readonly foreignReceipts: number; readonly missingReceipt: number; readonly delay: number }
export const noFaults: Faults = { error: 0, http: 0, truncate: 0, nullResult: 0, foreignReceipts: 0, missingReceipt: 0, delay: 0 }

interface Request { readonly id: number; readonly method: string; readonly params?: readonly unknown[] }

export interface ShownNode { readonly url: string; show(step: number): void; misbehave(faults: Faults): void; readonly counts: { requests: number; faults: number }; close(): Promise<void> }

export const startShownNode = async (history: History, random: Random): Promise<ShownNode> => {
  let chain: readonly Hex[] = history.steps[0] ?? []
  let faults = noFaults
  const counts = { requests: 0, faults: 0 }
  const at = (reference: unknown): Recorded | undefined => {
    const text = String(reference)
    if (text.length === 66) return history.blocks.get(text as Hex)
    const height = text === 'latest' || text === 'pending' ? chain.length - 1 : text === 'earliest' ? 0 : Number(text)
    const hash = chain[height]
    return hash === undefined ? undefined : history.blocks.get(hash)
  }
  const answer = ({ method, params = [] }: Request): { result: unknown } | { error: unknown } => {
    const block = at(params[0])
    switch (method) {
      case 'eth_chainId': return { result: '0x1' }
      case 'eth_blockNumber': return { result: `0x${(chain.length - 1).toString(16)}` }
      case 'eth_getBlockByNumber': return { result: (params[1] === true ? block?.full : block?.headersOnly) ?? null }
      // A node forgets the blocks of a branch it has left.
      case 'eth_getBlockByHash': return { result: block !== undefined && chain[block.number] === block.hash ? (params[1] === true ? block.full : block.headersOnly) : null }
      case 'eth_getBlockReceipts': return { result: block !== undefined && chain[block.number] === block.hash ? block.receipts : null }
      case 'debug_traceBlockByNumber': case 'debug_traceBlockByHash':
        return block !== undefined && chain[block.number] === block.hash ? { result: block.traces } : { error: { code: -32000, message: 'block not found' } }
      default: return { error: { code: -32601, message: `the method ${method} does not exist` } }
    }
  }
  const spoil = (request: Request, good: { result: unknown } | { error: unknown }): { result: unknown } | { error: unknown } => {
    if (random.chance(faults.error)) { counts.faults += 1; return { error: { code: -32000, message: 'internal fault' } } }
    if (!('result' in good)) return good
    if (random.chance(faults.nullResult)) { counts.faults += 1; return { result: null } }
    if (request.method === 'eth_getBlockReceipts' && Array.isArray(good.result)) {
      if (random.chance(faults.missingReceipt) && good.result.length > 0) { counts.faults += 1; return { result: good.result.slice(1) } }
      if (random.chance(faults.foreignReceipts)) { counts.faults += 1; return { result: history.blocks.get(random.pick([...history.blocks.keys()]))?.receipts } }
    }
    return good
  }
  const send = (response: ServerResponse, status: number, text: string): void => {
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    response.end(text)
  }
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Request | Request[]
      counts.requests += 1
      const reply = (request: Request) => ({ jsonrpc: '2.0', id: request.id, ...spoil(request, answer(request)) })
      const text = JSON.stringify(Array.isArray(body) ? body.map(reply) : reply(body))
      const respond = (): void => {
        if (random.chance(faults.http)) { counts.faults += 1; send(response, random.pick([429, 500, 503]), 'no'); return }
        if (random.chance(faults.truncate)) { counts.faults += 1; send(response, 200, text.slice(0, Math.floor(text.length * random.next()))); return }
        send(response, 200, text)
      }
      if (random.chance(faults.delay)) setTimeout(respond, random.int(10, 400))
      else respond()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, counts,
    show: (step) => { chain = history.steps[step] ?? chain },
    misbehave: (now) => { faults = now },
    close: () => new Promise((resolve) => { server.close(() => { resolve() }); server.closeAllConnections() }),
  }
}
