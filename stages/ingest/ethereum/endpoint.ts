/**
 * One JSON-RPC endpoint: paced, with a concurrency that grows on success and halves on refusal. Answers stay bytes; only answers too
 * small to be data are looked into for a JSON-RPC error. An endpoint is known by its name: its URL may hold a secret.
 */
import { Pool } from 'undici'
import { createPublicClient, http, type PublicClient } from 'viem'
import { RateLimiterMemory, RateLimiterQueue } from 'rate-limiter-flexible'
import { AppError, messageOf } from '../../../schemas/errors.js'

/** A whole HTTP body as the chunks it came in. */
export interface Body { readonly chunks: readonly Buffer[]; readonly size: number }

export interface Endpoint {
  readonly name: string
  readonly viem: PublicClient
  /** Sends one call; resolves to the body of a JSON-RPC answer without a top-level error. */
  call(method: string, params: readonly unknown[]): Promise<Body>
  /** Sends calls as one JSON-RPC batch, body as it came. */
  batch(calls: readonly { method: string; params: readonly unknown[] }[]): Promise<Body>
  /** Calls that may be under way at once right now. */
  allowed(): number
  /** Calls under way. */
  busy(): number
  close(): Promise<void>
}

/** Answers below this many bytes are errors, nulls or header-sized; larger ones are data and pass unread. */
const small = 2_048

const RpcError = /^\s*\{(?=[\s\S]*"error"\s*:\s*\{)/

/** A JSON-RPC error inside a small body, as an AppError; undefined when it holds none. */
const rpcFault = (body: Body, name: string, method: string): AppError | undefined => {
  if (body.size >= small) return undefined
  const text = Buffer.concat([...body.chunks]).toString('utf8')
  let parsed: unknown
  try { parsed = JSON.parse(text) } catch { return new AppError('RPC_GARBLED', `${name}: ${method}: truncated or not JSON (${body.size} bytes)`, { retry: 'attempt', endpoint: name }) }
  if (!RpcError.test(text)) return undefined
  const { code = 0, message = '' } = (parsed as { error: { code?: number; message?: string } }).error
  const unsupported = code === -32601 || code === -32004 || /not (supported|available|found|exist)|unsupported|unknown method/i.test(message) && /method|namespace|module/i.test(message)
  return new AppError(unsupported ? 'RPC_UNSUPPORTED' : 'RPC_ERROR', `${name}: ${method}: ${code} ${message.slice(0, 200)}`, { retry: 'attempt', endpoint: name })
}

export const openEndpoint = (url: string, index: number, limits: { concurrency: number; perSecond: number; timeoutMs: number }): Endpoint => {
  const target = new URL(url)
  const name = `${target.hostname}${target.port === '' ? '' : `:${target.port}`}#${index}`
  const pool = new Pool(target.origin, { connections: limits.concurrency, pipelining: 1, headersTimeout: limits.timeoutMs, bodyTimeout: limits.timeoutMs, connectTimeout: 5_000 })
  const pace = new RateLimiterQueue(new RateLimiterMemory({ points: limits.perSecond, duration: 1 }), { maxQueueSize: 100_000 })
  const authorization = target.username === '' ? {} : { authorization: `Basic ${Buffer.from(`${decodeURIComponent(target.username)}:${decodeURIComponent(target.password)}`).toString('base64')}` }
  let allowed = Math.min(4, limits.concurrency)
  let busy = 0
  let successes = 0
  const waiting: (() => void)[] = []

  const acquire = async (): Promise<void> => {
    if (busy >= Math.floor(allowed)) await new Promise<void>((resolve) => waiting.push(resolve))
    busy += 1
    await pace.removeTokens(1)
  }
  const release = (outcome: 'good' | 'refused'): void => {
    busy -= 1
    if (outcome === 'refused') { allowed = Math.max(1, allowed / 2); successes = 0 }
    else if (++successes >= allowed) { allowed = Math.min(limits.concurrency, allowed + 1); successes = 0 }
    for (let room = Math.floor(allowed) - busy; room > 0 && waiting.length > 0; room -= 1) waiting.shift()?.()
  }

  const send = async (payload: string, label: string): Promise<Body> => {
    await acquire()
    let outcome: 'good' | 'refused' = 'good'
    try {
      const answer = await pool.request({ method: 'POST', path: `${target.pathname}${target.search}`, headers: { 'content-type': 'application/json', ...authorization }, body: payload })
      const chunks: Buffer[] = []
      let size = 0
      for await (const chunk of answer.body as AsyncIterable<Buffer>) { chunks.push(chunk); size += chunk.length }
      if (answer.statusCode === 429 || answer.statusCode >= 500) {
        outcome = 'refused'
        throw new AppError(answer.statusCode === 429 ? 'RPC_LIMITED' : 'RPC_DOWN', `${name}: ${label}: HTTP ${answer.statusCode}`, { retry: 'wait', endpoint: name })
      }
      if (answer.statusCode !== 200) throw new AppError('RPC_REFUSED', `${name}: ${label}: HTTP ${answer.statusCode}`, { retry: 'attempt', endpoint: name })
      const declared = Number(answer.headers['content-length'] ?? size)
      if (declared !== size) throw new AppError('RPC_GARBLED', `${name}: ${label}: ${size} of ${declared} bytes`, { retry: 'attempt', endpoint: name })
      return { chunks, size }
    } catch (thrown) {
      if (thrown instanceof AppError) throw thrown
      outcome = 'refused'
      // undici's messages may quote the address but never path or credentials.
      throw new AppError('RPC_DOWN', `${name}: ${label}: ${messageOf(thrown)}`, { retry: 'wait', endpoint: name, cause: thrown })
    } finally {
      release(outcome)
    }
  }

  return {
    name,
    viem: createPublicClient({ transport: http(url, { retryCount: 0, timeout: limits.timeoutMs }) }),
    call: async (method, params) => {
      const body = await send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), method)
      const fault = rpcFault(body, name, method)
      if (fault !== undefined) throw fault
      return body
    },
    batch: (calls) => send(JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))), `${calls[0]?.method ?? ''} ×${calls.length}`),
    allowed: () => Math.floor(allowed),
    busy: () => busy,
    close: () => pool.close(),
  }
}
