/** One JSON-RPC endpoint of Ethereum. Only answers too small to be data, or that begin as none, are looked into for a JSON-RPC error. */
import type * as Viem from 'viem'
import { AppError } from '../../../schemas/errors.js'
import { loadPackage } from '../../../schemas/loadPackage.js'
import { faultOf, openHttp, type Body, type HttpEndpoint, type Limits } from '../endpoint.js'
import { errorIn, isRpcAnswer, limitIn } from './answer.js'
import { pacedTransport } from './pacedTransport.js'

const { createPublicClient } = loadPackage('viem') as typeof Viem

export interface Endpoint extends Omit<HttpEndpoint, 'send' | 'drop'> {
  readonly viem: Viem.PublicClient
  /** Sends one call; resolves to the body of a JSON-RPC answer without a top-level error. */
  call(method: string, params: readonly unknown[]): Promise<Body>
  /** Sends calls as one JSON-RPC batch, body as it came. */
  batch(calls: readonly { method: string; params: readonly unknown[] }[]): Promise<Body>
}

/** A JSON-RPC error inside a body, as an AppError with the node's further words in `body.data`; undefined when it holds none. */
const rpcFault = (body: Body, name: string, method: string): AppError | undefined => {
  const error = errorIn(body)
  if (error === undefined) return undefined
  if (error === 'garbled') return new AppError('RPC_GARBLED', `${name}: ${method}: truncated or not JSON (${body.bytes.length} bytes)`, { retry: 'attempt', endpoint: name })
  const { code, message, data } = error
  const unsupported = code === -32601 || code === -32004 || (/not (supported|available|found|exist)|unsupported|unknown method|disabled/i.test(message) && /method|namespace|module/i.test(message)) || (message.includes(method) && /not (supported|available)/i.test(message))
  return new AppError(unsupported ? 'RPC_UNSUPPORTED' : 'RPC_ERROR', `${name}: ${method}: ${code} ${message}`, { retry: 'attempt', endpoint: name, body: { data } })
}

/** Statuses of who may not: no key, not paid, forbidden, not this way. */
export const refusals: ReadonlySet<number> = new Set([401, 402, 403, 405])

export const openEndpoint = (url: string, index: number, limits: Limits): Endpoint => {
  const { send, drop, ...wire } = openHttp(url, index, limits)
  return {
    ...wire, close: drop,
    viem: createPublicClient({ transport: pacedTransport({ name: wire.name, send }) }),
    call: async (method, params) => {
      // A fault of the server stays one, whatever it writes.
      const { status, body } = await send({ label: method, payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), limit: limitIn(true) }, (code, type) => code < 500 && isRpcAnswer(code, type))
      const fault = rpcFault(body, wire.name, method)
      if (status === 200 && fault === undefined) return body
      if (fault === undefined || (status !== 200 && fault.code === 'RPC_GARBLED')) throw faultOf(status, body, wire.name, method)
      // Who is refused by his key is so by any call: the endpoint is not asked for a while.
      if (refusals.has(status) && fault.code === 'RPC_ERROR') throw new AppError('RPC_REFUSED', `${fault.message} (HTTP ${status})`, { retry: 'attempt', endpoint: wire.name, body: { status } })
      throw fault
    },
    batch: async (calls) => (await send({ label: `${calls[0]?.method ?? ''} ×${calls.length}`, payload: JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))), limit: limitIn(true) })).body,
  }
}
