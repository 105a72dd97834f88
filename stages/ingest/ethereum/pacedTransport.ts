/** viem over an endpoint's paced transport: what it asks counts against the same limits as what is fetched. Errors name the endpoint, never its URL. */
import type * as Viem from 'viem'
import { z } from 'zod'
import { AppError } from '../../../schemas/errors.js'
import { loadPackage } from '../../../schemas/loadPackage.js'
import { faultOf, textOf, type HttpEndpoint } from '../endpoint.js'
import { isRpcAnswer, limitIn } from './answer.js'

const { BaseError, custom, RpcRequestError } = loadPackage('viem') as typeof Viem

const Answer = z.object({ result: z.unknown().optional(), error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional().nullable() })

/** Bytes of one answer at most: a node's own limit of gas keeps what a contract returns below this. */
const mostControl = 64 * 1024 * 1024

/** Looks at heads do not wait for all blocks and tokens that do. */
const urgent = new Set(['eth_chainId', 'eth_getBlockByNumber'])

const parsed = (text: string): unknown => { try { return JSON.parse(text) } catch { return undefined } }

export const pacedTransport = ({ name, send }: Pick<HttpEndpoint, 'name' | 'send'>): Viem.Transport => custom({
  request: async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
    const { status, body } = await send({ label: method, payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), maxBytes: mostControl, urgent: urgent.has(method), limit: limitIn(false) }, isRpcAnswer)
    const answer = Answer.safeParse(parsed(textOf(body)))
    const error = answer.data?.error ?? undefined
    if (status !== 200 && error === undefined) throw faultOf(status, body, name, method)
    body.release()
    if (!answer.success) throw new AppError('RPC_GARBLED', `${name}: ${method}: truncated or not JSON`, { retry: 'attempt', endpoint: name })
    if (error === undefined) return answer.data.result
    throw new RpcRequestError({ body: { method, params }, error, url: name })
  },
}, { retryCount: 0 })

/** The fault of the transport that an error of viem's came from; undefined where the node answered. */
export const wireFault = (thrown: unknown): AppError | undefined => {
  const found = thrown instanceof BaseError ? thrown.walk((cause) => cause instanceof AppError) : thrown
  return found instanceof AppError ? found : undefined
}
