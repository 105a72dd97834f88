/**
 * One HTTP endpoint of a node: paced, with a concurrency that grows on success and halves on refusal. Answers stay bytes. No redirect is
 * followed. An endpoint is known by its name: its URL may hold a secret.
 */
import { Pool } from 'undici'
import { RateLimiterMemory, RateLimiterQueue } from 'rate-limiter-flexible'
import { AppError, messageOf } from '../../schemas/errors.js'
import { hideSecretsOf } from '../../schemas/secrets.js'
import { openGather, plain, type Slot } from '../../schemas/slots.js'
import { apartFromUser } from '../../schemas/userOfUrl.js'

/** A whole HTTP body; whoever has read all of it may release it. */
export type Body = Slot

export const noBody: Body = plain(Buffer.alloc(0))
export const textOf = ({ bytes }: Body): string => bytes.toString('utf8')
/** Its bytes to keep. */
export const ownBytes = ({ bytes, release }: Body): Buffer => {
  const own = Buffer.from(bytes)
  release()
  return own
}

/** maxBytes: of one answer's body, if fewer than `mostBytes`. */
export interface Limits { readonly concurrency: number; readonly perSecond: number; readonly timeoutMs: number; readonly maxBytes?: number }
/** `payload` makes it a POST of JSON; without a `path` it goes to the URL's own. `label` names it in errors. maxBytes: of its answer, if fewer than the endpoint's. signal: ends it wherever it is. urgent: goes before what else waits for its turn. limit: what an answer says of too many requests, where it does. */
export interface Request { readonly label: string; readonly path?: string; readonly payload?: string; readonly maxBytes?: number; readonly signal?: AbortSignal; readonly urgent?: boolean; readonly limit?: (body: Body) => string | undefined }
export interface Answer { readonly status: number; readonly type: string; readonly body: Body }

export interface HttpEndpoint {
  readonly name: string
  /** Sends one request; resolves to the whole answer if `accepts` takes its status, by default 200 alone. RPC_TOO_LARGE: it has more bytes than it may. */
  send(request: Request, accepts?: (status: number, type: string) => boolean): Promise<Answer>
  /** Requests that may be under way at once right now. */
  allowed(): number
  /** Requests under way. */
  busy(): number
  /** Lets what is under way end. */
  close(): Promise<void>
  /** Ends what is under way, which nobody may be waiting for: an endpoint that never answers would hold up who closes it. */
  drop(): Promise<void>
}

/** Bytes of one answer at most: a block as JSON with all its scripts, or a batch of receipts and traces, is a small part of it, and a node that sends without end must not fill the memory. */
export const mostBytes = 512 * 1024 * 1024

/** What nodes of Bitcoin Core's family write with a 500 or 503 when more calls wait than they have room for. */
const isFull = ({ bytes }: Body): boolean => bytes.length < 300 && /work queue depth exceeded/i.test(bytes.toString('latin1'))

/** What an answer that is not the expected one means; a 429, a full queue or a fault of the server is not held against the request. */
export const faultOf = (status: number, body: Body, name: string, label: string): AppError => {
  const code = status === 429 ? 'RPC_LIMITED' : status < 500 ? 'RPC_REFUSED' : isFull(body) ? 'RPC_FULL' : 'RPC_DOWN'
  return new AppError(code, `${name}: ${label}: HTTP ${status}${code === 'RPC_FULL' ? ', its queue of calls is full' : ''}`, { retry: code === 'RPC_REFUSED' ? 'attempt' : 'wait', endpoint: name, body: { status } })
}

/** Bytes a second below which a body counts as not coming: nobody follows a chain at that. */
const leastPerSecond = 1_024

/**
 * Ends what drips: the client's own timeouts begin anew with every byte of a body, and with every word that the answer is on its way. `come`: bytes of the
 * body by now, undefined before it begins, which may take two times `windowMs`; then each brings as much as data does at least, and of an `urgent` one all.
 */
const watchFlow = (windowMs: number, urgent: boolean, come: () => number | undefined, end: (reason: Error) => void): { stop(): void } => {
  let looks = 0, before: number | undefined
  const look = (): void => {
    const now = come()
    looks += 1
    if (before === undefined ? now === undefined && looks > 1 : urgent || (now ?? 0) - before < leastPerSecond * windowMs / 1_000) end(new Error(`${now ?? 0} bytes of its answer came in ${looks * windowMs / 1_000} s`))
    before = now
  }
  // Behind what has come while this process was busy.
  const timer = setInterval(() => { setImmediate(look) }, windowMs)
  return { stop: () => { clearInterval(timer) } }
}

export const openHttp = (url: string, index: number, limits: Limits): HttpEndpoint => {
  const { target, authorization } = apartFromUser(url)
  hideSecretsOf(url)
  const name = `${target.hostname}${target.port === '' ? '' : `:${target.port}`}#${index}`
  const pool = new Pool(target.origin, { connections: limits.concurrency, pipelining: 1, headersTimeout: limits.timeoutMs, bodyTimeout: limits.timeoutMs, connectTimeout: 5_000 })
  const pace = new RateLimiterQueue(new RateLimiterMemory({ points: limits.perSecond, duration: 1 }), { maxQueueSize: 100_000 })
  let allowed = Math.min(4, limits.concurrency)
  let busy = 0
  let successes = 0
  const first: (() => void)[] = [], waiting: (() => void)[] = []

  const acquire = async (urgent: boolean): Promise<void> => {
    if (busy >= Math.floor(allowed)) await new Promise<void>((resolve) => (urgent ? first : waiting).push(resolve))
    busy += 1
    await pace.removeTokens(1)
  }
  const release = (outcome: 'good' | 'refused'): void => {
    busy -= 1
    if (outcome === 'refused') { allowed = Math.max(1, allowed / 2); successes = 0 }
    else if (++successes >= allowed) { allowed = Math.min(limits.concurrency, allowed + 1); successes = 0 }
    for (let room = Math.floor(allowed) - busy; room > 0 && first.length + waiting.length > 0; room -= 1) (first.shift() ?? waiting.shift())?.()
  }

  return {
    name,
    send: async ({ label, path = `${target.pathname}${target.search}`, payload, maxBytes = mostBytes, signal, urgent = false, limit }, accepts = (status) => status === 200) => {
      await acquire(urgent)
      let outcome: 'good' | 'refused' = 'good', gather: ReturnType<typeof openGather> | undefined
      // A signal made of others may be collected while a request waits on it: this one is held.
      const ending = new AbortController(), end = (): void => { ending.abort(signal?.reason) }
      if (signal?.aborted === true) end()
      signal?.addEventListener('abort', end)
      const flow = watchFlow(limits.timeoutMs, urgent, () => gather?.size(), (reason) => { ending.abort(reason) })
      try {
        const answer = await pool.request(payload === undefined ? { method: 'GET', path, headers: authorization, signal: ending.signal } : { method: 'POST', path, signal: ending.signal, headers: { 'content-type': 'application/json', ...authorization }, body: payload })
        const most = Math.min(maxBytes, limits.maxBytes ?? mostBytes)
        const tooLarge = (): AppError => {
          answer.body.on('error', () => undefined).destroy()
          return new AppError('RPC_TOO_LARGE', `${name}: ${label}: the answer is larger than ${most} bytes`, { retry: 'attempt', endpoint: name })
        }
        if (Number(answer.headers['content-length'] ?? 0) > most) throw tooLarge()
        gather = openGather(Number(answer.headers['content-length'] ?? 0))
        for await (const chunk of answer.body as AsyncIterable<Buffer>) {
          gather.add(chunk)
          if (gather.size() > most) throw tooLarge()
        }
        const type = String(answer.headers['content-type'] ?? ''), body = gather.whole(), size = body.bytes.length
        if (!accepts(answer.statusCode, type)) {
          if (answer.statusCode === 429 || answer.statusCode >= 500) outcome = 'refused'
          throw faultOf(answer.statusCode, body, name, label)
        }
        const declared = Number(answer.headers['content-length'] ?? size)
        if (declared !== size) throw new AppError('RPC_GARBLED', `${name}: ${label}: ${size} of ${declared} bytes`, { retry: 'attempt', endpoint: name })
        const limited = limit?.(body)
        if (limited !== undefined) { outcome = 'refused'; throw new AppError('RPC_LIMITED', `${name}: ${label}: ${limited}`, { retry: 'wait', endpoint: name }) }
        return { status: answer.statusCode, type, body }
      } catch (thrown) {
        gather?.drop()
        if (thrown instanceof AppError) throw thrown
        outcome = 'refused'
        // undici's messages may quote the address but never path or credentials.
        throw new AppError('RPC_DOWN', `${name}: ${label}: ${messageOf(thrown)}`, { retry: 'wait', endpoint: name, cause: thrown })
      } finally {
        flow.stop()
        signal?.removeEventListener('abort', end)
        release(outcome)
      }
    },
    allowed: () => Math.floor(allowed),
    busy: () => busy,
    close: () => pool.close(),
    drop: () => pool.destroy(),
  }
}
