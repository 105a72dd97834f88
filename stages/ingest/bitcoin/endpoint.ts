/**
 * One endpoint of Bitcoin Core or of its family. Control calls go through its usual client, data calls pass as bytes; both are sent by
 * the paced transport, which knows the password and follows no redirect.
 */
import Client from 'bitcoin-core'
import { pino } from 'pino'
import { AppError, messageOf } from '../../../schemas/errors.js'
import { openHttp, textOf, type Answer, type Body, type HttpEndpoint, type Limits } from '../endpoint.js'
import { beginning } from '../../../schemas/text.js'

export interface Endpoint {
  readonly name: string
  /** One control call; its result. RPC_ERROR, with the node's own code in `body.code`, when the node refuses it. */
  rpc(method: string, ...params: readonly unknown[]): Promise<unknown>
  /** One call whose answer is data: the JSON-RPC answer as it came. Faults as those of `rpc`. */
  data(method: string, params: readonly unknown[]): Promise<Body>
  /** One question to the REST interface, beside the RPC on the same port: any answer but a fault of the server. */
  rest(path: string): Promise<Answer>
  busy(): number
  close(): Promise<void>
}

/** Bitcoin Core answers a call it refuses with a status of 4xx or 5xx and the reason as JSON. */
const isRpcAnswer = (status: number, type: string): boolean => status === 200 || (status !== 429 && status !== 503 && /^application\/json/.test(type))

const rpcFault = (name: string, method: string, code: number, message: string): AppError => {
  const text = `${name}: ${method}: ${code} ${beginning(message, 200)}`
  // -28: it is starting up.
  if (code === -28) return new AppError('RPC_DOWN', text, { retry: 'wait', endpoint: name })
  return new AppError(code === -32601 ? 'RPC_UNSUPPORTED' : 'RPC_ERROR', text, { retry: 'attempt', endpoint: name, body: { code } })
}

/** The node's own code of a refused call; null for any other fault. */
export const rpcCode = (thrown: unknown): number | null => (thrown instanceof AppError && typeof thrown.body['code'] === 'number' ? thrown.body['code'] : null)

/** Bytes of an answer to a control call at most: hashes, headers, what the node says of itself. */
const mostControl = 4 * 1024 * 1024
/** Bytes of an answer that is data at most: a block of 4 MB weighs some tens of MB as JSON with what it spends. */
const mostData = 256 * 1024 * 1024

/** Answers that are errors, not data, are smaller than any block. */
const small = 2_048

/** Milliseconds, give or take half, after which a node whose queue of calls was full is asked again; whoever finds it full to the end waits with its batch. */
const pauses = [50, 100, 200, 400, 800, 1_600]

/** A queue is full for moments: while a node changes to another chain it answers nobody, and all who ask it share one queue. */
const patient = (wire: HttpEndpoint): HttpEndpoint['send'] => async (request, accepts) => {
  for (const pause of pauses) {
    try { return await wire.send(request, accepts) } catch (thrown) {
      if (!(thrown instanceof AppError) || thrown.code !== 'RPC_FULL') throw thrown
      await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())))
    }
  }
  return wire.send(request, accepts)
}

/** The usual client with its transport taken out: the one it brings follows redirects, and would have to be told the password. Its calls are small, and a look at the head does not wait for all blocks that do. */
class PacedClient extends Client {
  constructor(send: HttpEndpoint['send']) {
    super({ logger: pino({ level: 'silent' }) })
    const postAsync = async ({ body }: { body: string }): Promise<object> => {
      const answer = await send({ label: (JSON.parse(body) as { method: string }).method, payload: body, maxBytes: mostControl, urgent: true }, isRpcAnswer)
      return { statusCode: answer.status, statusMessage: '', headers: { 'content-type': 'application/json' }, body: textOf(answer.body) }
    }
    Object.assign(this, { request: { postAsync } })
  }
}

export const openEndpoint = (url: string, index: number, limits: Limits): Endpoint => {
  const wire = openHttp(url, index, limits), send = patient(wire)
  const client = new PacedClient(send)
  const root = new URL(url).pathname.replace(/\/$/, '')
  return {
    name: wire.name,
    rpc: async (method, ...params) => {
      try { return await client.command<unknown>(method, ...params) } catch (thrown) {
        if (thrown instanceof AppError) throw thrown
        const code = (thrown as { code?: unknown }).code
        if (typeof code === 'number') throw rpcFault(wire.name, method, code, messageOf(thrown))
        throw new AppError('RPC_GARBLED', `${wire.name}: ${method}: truncated or not JSON`, { retry: 'attempt', endpoint: wire.name })
      }
    },
    data: async (method, params) => {
      const { body } = await send({ label: method, payload: JSON.stringify({ jsonrpc: '1.0', id: 1, method, params }), maxBytes: mostData }, isRpcAnswer)
      if (body.bytes.length >= small) return body
      let error: { code?: unknown; message?: unknown } | null
      try { error = (JSON.parse(textOf(body)) as { error?: { code?: unknown; message?: unknown } | null }).error ?? null } catch {
        throw new AppError('RPC_GARBLED', `${wire.name}: ${method}: truncated or not JSON (${body.bytes.length} bytes)`, { retry: 'attempt', endpoint: wire.name })
      }
      if (error !== null) throw rpcFault(wire.name, method, Number(error.code ?? 0), String(error.message ?? ''))
      return body
    },
    rest: (path) => send({ label: path.split('/').slice(0, 3).join('/'), path: `${root}${path}`, maxBytes: mostData }, (status) => status !== 429 && status < 500),
    busy: wire.busy,
    close: wire.drop,
  }
}
