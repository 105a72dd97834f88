/**
 * Errors that carry their decision. Three readers look at `status` and `retry` and nothing else: the stage runner, REST and MCP.
 * - `retry: 'never'`     the same call fails again (bad input, an orphaned block)
 * - `retry: 'attempt'`   may work elsewhere or later; counts against the attempts of a job
 * - `retry: 'wait'`      something we depend on is down; waiting costs no attempt
 */
import { withoutSecrets } from './secrets.js'

export type Retry = 'never' | 'attempt' | 'wait'

export class AppError extends Error {
  readonly code: string
  readonly status: number
  readonly retry: Retry
  /** Which endpoint (by its configured name, never its URL) gave the answer that failed. */
  readonly endpoint: string
  /** Extra members of the answer's body: `hint`, `details` (or the `parameter` that is wrong), `received`, `valid_chains` … */
  readonly body: Readonly<Record<string, unknown>>

  constructor(code: string, message: string, options: { status?: number; retry?: Retry; endpoint?: string; body?: Record<string, unknown>; cause?: unknown } = {}) {
    super(withoutSecrets(message), options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.status = options.status ?? 500
    this.retry = options.retry ?? 'never'
    this.endpoint = options.endpoint ?? ''
    this.body = options.body ?? {}
  }
}

/** The dependency (`what`: ClickHouse, Redis, a node) does not answer; the caller waits and asks again. */
export const unavailable = (what: string, cause: unknown): AppError =>
  new AppError('UPSTREAM_UNAVAILABLE', `${what} does not answer`, { status: 503, retry: 'wait', cause })

/** Message of anything thrown, without a stack and without secrets of a node's URL. */
export const messageOf = (thrown: unknown): string => withoutSecrets(thrown instanceof Error ? thrown.message : String(thrown))
