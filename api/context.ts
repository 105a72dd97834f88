/** What the middleware hands on, and what the whole application is made of. */
import type Koa from 'koa'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { Store } from '../schemas/clickhouse.js'
import type { Config } from '../schemas/config.js'
import type { Ask, Operation, Principal, Services } from './operation.js'
import type { Invoke } from './invoke.js'
import type { Metrics } from './metrics.js'

export interface State {
  requestId: string
  principal: Principal
  /** Name of the operation or mount that answers; '' before routing. */
  operation: string
  baseUrl: string
  /** Why the key given is refused; thrown once the caller's IP has been counted. */
  refused: Error | null
}
export type Context = Koa.ParameterizedContext<State>
export type Middleware = Koa.Middleware<State>

/** A part of the site that is not a question: the MCP endpoint, the console, the queue board, OAuth. It reads its own body. */
export interface Mount {
  /** Path prefixes, without a trailing slash; '/' stands for itself alone. */
  readonly paths: readonly string[]
  readonly name: string
  readonly auth: 'public' | 'key'
  readonly role?: 'admin' | 'operator'
  readonly middleware: Middleware
  /** Ends what the part holds open. */
  readonly close?: () => Promise<void>
}

export interface Parts {
  readonly config: Config
  readonly redisUrl: string
  /** For small commands; they fail at once while Redis is away. */
  readonly redis: Redis
  readonly log: Logger
  readonly store: Store
  readonly writer: Store
  readonly services: Services
  readonly metrics: Metrics
  readonly invoke: Invoke
  readonly operations: readonly Operation[]
  readonly mounts: readonly Mount[]
  /** Turns a bearer token that is no key of ours into a caller; null: refused. */
  readonly bearer?: ((token: string, ip: string) => Promise<Principal | null>) | undefined
}

/** One reason for all: an abort without one makes an error with its stack for every answer. */
const over = new Error('The connection of the caller is over')

/** What an operation may use, for the caller of `ctx`. The signal is made when first looked at: most answers come from memory. */
export const askOf = (ctx: Context, parts: Parts): Ask => {
  let signal: AbortSignal | undefined
  return {
    config: parts.config, store: parts.store, writer: parts.writer, services: parts.services, principal: ctx.state.principal,
    requestId: ctx.state.requestId, baseUrl: ctx.state.baseUrl, log: parts.log,
    get signal() {
      if (signal === undefined) {
        const gone = new AbortController()
        ctx.res.once('close', () => { gone.abort(over) })
        signal = gone.signal
      }
      return signal
    },
  }
}
