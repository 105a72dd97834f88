/** Statements of other people, sent to ClickHouse as they are and answered by stream. clickhouse.ts is for our own. */
import type { Readable } from 'node:stream'
import { Agent, request } from 'undici'
import { unavailable } from './errors.js'

export interface AnalystUser { readonly name: string; readonly password: string }
export interface Statement {
  readonly text: string
  readonly format: string
  readonly queryId: string
  /** Whose quota it is counted with. */
  readonly quota: string
}
export interface Answer {
  readonly ok: boolean
  /** The format the server writes: another than asked for when the statement names one. */
  readonly format: string
  /** What stands around an error inside of the answer: '' where the server announced none. */
  readonly tag: string
  readonly body: Readable
}
export interface AnalystClient {
  /** Sends `statement` as `user`; rejects with UPSTREAM_UNAVAILABLE where nothing answers. Destroying the body ends the connection. */
  send(user: AnalystUser, statement: Statement, signal: AbortSignal): Promise<Answer>
  close(): Promise<void>
}

const first = (value: string | string[] | undefined): string => (Array.isArray(value) ? value[0] : value) ?? ''

/** A client for the server at `url`; unqualified names mean views of `database`. */
export const openAnalystClient = (url: string, database: string): AnalystClient => {
  const { origin, pathname } = new URL(url)
  // A statement may be silent for as long as it may run: the server ends it.
  const agent = new Agent({ connections: 64, headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 5_000 })
  return {
    send: async (user, { text, format, queryId, quota }, signal) => {
      const query = new URLSearchParams({ database, query_id: queryId, default_format: format })
      try {
        const { statusCode, headers, body } = await request(`${origin}${pathname}?${query.toString()}`, {
          method: 'POST', dispatcher: agent, signal, body: text,
          headers: { 'X-ClickHouse-User': user.name, 'X-ClickHouse-Key': user.password, 'X-ClickHouse-Quota': quota, 'Content-Type': 'text/plain; charset=utf-8' },
        })
        return { ok: statusCode === 200, format: first(headers['x-clickhouse-format']), tag: first(headers['x-clickhouse-exception-tag']), body }
      } catch (thrown) {
        throw unavailable('ClickHouse', thrown)
      }
    },
    close: () => agent.destroy(),
  }
}
