/** The only file that talks to ClickHouse. 64-bit and larger integers arrive as strings; rows are parsed here and nowhere else. */
import { createClient, type ClickHouseClient, ClickHouseError, ClickHouseLogLevel } from '@clickhouse/client'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { AppError, messageOf, unavailable } from './errors.js'
import { openGate } from './gate.js'
import { processAilment, storeAilment } from './machine.js'
import { over } from './outgoing.js'
import { sendable } from './parameters.js'
import type { SqlFile } from './sql.js'

export type Params = Record<string, unknown>
type Settings = Record<string, string | number>

export interface Store {
  readonly client: ClickHouseClient
  /** All rows of a SELECT, each parsed by `row`. Amounts must be selected as strings or are quoted by the server. `signal` ends the query on the server. */
  query<Row>(sql: SqlFile | string, params: Params, row: z.ZodType<Row>, settings?: Settings, signal?: AbortSignal): Promise<Row[]>
  /**
   * Runs an INSERT … SELECT or a mutation; resolves to rows written. `token`: the same insert is not written again, where the server cuts its rows into the same blocks, which it does
   * only for what one thread sorts: who must not write twice looks for what stands (stages/mend.ts). Of two with one token the second waits until the first has ended. `alone`: its name in place of the token, or where it has none, so that two with other tokens never run beside each other either: the second is run when the first is over. `session` names the session whose temporary tables it sees; `isHeld` is asked in the moment it is sent, and throws where that is to be no more.
   */
  execute(sql: SqlFile | string, params?: Params, settings?: Settings & { token?: string; session?: string; alone?: string }, isHeld?: () => void): Promise<number>
  /** Inserts a few rows made here (ledger, audit, logs); `token` as above. */
  insert(table: string, rows: readonly object[], token?: string): Promise<void>
  /** The same, until `there` says that rows stand for the token (untilThere). */
  insertSurely(table: string, rows: readonly object[], token: string, there: () => Promise<boolean>): Promise<void>
  /** Resolves when nothing runs under `token`, or one that continues it behind a |; `end`: what does is ended, as whoever sent it has no right to it any more. */
  over(token: string, end?: boolean, mostMs?: number): Promise<void>
  /** Streams an INSERT whose data follow the statement (format named in it); resolves when ClickHouse has acknowledged. */
  insertStream(sql: string, data: Readable, params: Params, token: string): Promise<void>
  /** The same; resolves to rows written. `token`, `session` and `isHeld` as for execute, but where the same is being written it fails, as the data cannot be sent twice. */
  feed(sql: string, data: Readable, params: Params, settings: { token?: string; session?: string }, isHeld?: () => void): Promise<number>
  /** The bytes of a SELECT that names its format, as they come. What fails on the way ends them early or garbled: read formats that show it. */
  read(sql: SqlFile, params: Params): AsyncIterable<Buffer>
  close(): Promise<void>
}

const always: Settings = {
  output_format_json_quote_64bit_integers: 1,
  date_time_output_format: 'iso',
  async_insert: 0,
  wait_end_of_query: 1,
  // Where an answer waits until it is whole. Without this the server makes a file for each, however small: a third of the shortest question, and a fifth of a look at the ledger. What finds no room here goes to a file as before.
  http_response_buffer_size: 65_536,
  // Answers are small: threads that format parts of them beside each other cost a tenth of a small question, and gain nothing.
  output_format_parallel_formatting: 0,
  // Every batch binds other constants, so compiled expressions are never used again: compiling them cost a fifth of a small batch.
  compile_expressions: 0, compile_aggregate_expressions: 0, compile_sort_description: 0,
  // Passes of the planner that find nothing in these statements. They weigh every condition by all that its columns come from: in a statement of many steps that was up to half of the planning.
  optimize_and_compare_chain: 0, optimize_extract_common_expressions: 0,
}

/** For rows made here: threads that would each read a part of them would have nothing to do, and starting them is waited for. */
const madeHere: Settings = { date_time_input_format: 'best_effort', input_format_parallel_parsing: 0 }

/** The server runs a query of this name: the same insert. */
const runsAlready = (thrown: unknown): boolean => thrown instanceof ClickHouseError && thrown.code === '216'
const Process = z.object({ query_id: z.string() })
/** Milliseconds from one look to the next at what runs, and after which it is waited for no longer. */
const lookMs = 50, overMs = 600_000

const fault = (thrown: unknown, name: string): AppError => {
  if (thrown instanceof ClickHouseError) {
    const code = Number(thrown.code)
    // 159 time, 241 memory, 202 too many queries: the server is there but has no room now.
    if (code === 159 || code === 241 || code === 202) return new AppError('STORE_BUSY', `${name}: ${thrown.message}`, { status: 503, retry: 'attempt', cause: thrown })
    if (runsAlready(thrown)) return new AppError('STORE_BUSY', `${name}: the same is being written`, { status: 503, retry: 'attempt', cause: thrown })
    const ailment = storeAilment(code, thrown.message, thrown)
    if (ailment !== undefined) return ailment
    // 516 authentication; 192 to 194: no such user, a wrong password, one where none was given.
    if (code === 516 && /\bdictGet|DICTIONARY/.test(`${name} ${thrown.message}`)) return new AppError('STORE_DENIED', 'ClickHouse refuses the user or the password a dictionary was made with: run `npm run migrate`, which makes it anew', { status: 500, retry: 'attempt', cause: thrown })
    if (code === 516 || (code >= 192 && code <= 194)) return new AppError('STORE_DENIED', 'ClickHouse refuses the user or the password of CLICKHOUSE_URL', { status: 500, retry: 'attempt', cause: thrown })
    if (code === 81 || code === 60) return new AppError('STORE_EMPTY', `${thrown.message.trim()} Run \`npm run migrate\` first`, { status: 500, retry: 'attempt', cause: thrown })
    // 210/209 network: a store that is starting or going away.
    if (code === 210 || code === 209) return unavailable('ClickHouse', thrown)
    // 107 a file that is gone, 74 to 76 reading, writing, opening one: the disk is at fault and not the question. A lost part does not come back by waiting, so attempts end.
    if (code === 107 || (code >= 74 && code <= 76)) return new AppError('STORE_REFUSED', `${name}: ${thrown.message}`, { status: 503, retry: 'attempt', cause: thrown })
    return new AppError('STORE_REFUSED', `${name}: ${thrown.message}`, { status: 500, retry: 'attempt', cause: thrown })
  }
  const message = messageOf(thrown), ailment = processAilment(thrown) ?? storeAilment(0, message, thrown)
  if (ailment !== undefined) return ailment
  // What ClickHouse says of it quotes the path, which is the embedded server's secret.
  if (message.startsWith('There is no handle ')) return new AppError('STORE_DENIED', 'ClickHouse has nothing at the path of CLICKHOUSE_URL: that of an embedded server is another with each start (DATA_DIR/clickhouse-url)', { status: 500, retry: 'attempt' })
  if (/ECONN|socket hang up|EPIPE|Timeout|ENOTFOUND|EAI_AGAIN|aborted|closed/i.test(message)) return unavailable('ClickHouse', thrown)
  // The same, where the server had asked the file system and not opened the file yet.
  const status = /^std::exception\. Code: 1001, type: \S*filesystem_error,/.test(message) ? 503 : 500
  return new AppError('STORE_FAILED', `${name}: ${message}`, { status, retry: 'attempt', cause: thrown })
}

/** Rows of JSONEachRow, which has a line break nowhere but behind a row. Answers are whole (wait_end_of_query), so they are parsed at once, without a stream of rows in between. */
const rowsOf = (text: string): unknown[] => (text === '' ? [] : JSON.parse(`[${text.trimEnd().replaceAll('\n', ',')}]`) as unknown[])

const nameOf = (sql: SqlFile | string): string => (typeof sql === 'string' ? sql.slice(0, 60).replace(/\s+/g, ' ') : sql.name)
const textOf = (sql: SqlFile | string): string => (typeof sql === 'string' ? sql : sql.text)

/** Runs `insert` under `token`, and while nothing `stands` for that, under spares of it; resolves to what stands. A server killed in the moment between logging a token and showing its rows comes back with the token alone. */
export const untilThere = async <Row>(token: string, insert: (token: string) => Promise<unknown>, stands: () => Promise<Row | undefined>): Promise<Row> => {
  for (const spare of ['', '|2', '|3', '|4', '|5', '|6', '|7', '|8']) {
    await insert(`${token}${spare}`)
    const row = await stands()
    if (row !== undefined) return row
  }
  throw new AppError('STORE_FAILED', `No row stands for ${token} or its spares`, { status: 500, retry: 'attempt' })
}

/** Who waits for whom on the processor: questions and what is heard come first, at 0, then batches of the stages, which merges are equal to by the configuration of the server, then what is done on a schedule, and last clusters, which read every block again and nothing waits for. */
export const afterQuestions = 5, afterBatches = 10, afterAll = 19

/** What a question may hold in memory. The largest need a few GB for a moment; beyond half of it sums by many keys go on from the disk. One that needs more is refused (STORE_BUSY), and no other beside it is ended in its place. */
const questionBytes = 8_000_000_000

/** Opens a store on `url` (http://user:password@host:port, and where the server listens under a path, that) and `database`. `nice`: its statements give way on the processor to those of a lower one, as processes do (0 to 19), where the server may lower its threads (CAP_SYS_NICE; afterwards they stand at 0, whatever the server was started with); elsewhere it changes nothing. `answerMs`: how long an answer is waited for. */
export const openStore = (url: string, database: string, options: { readOnly?: boolean; connections?: number; nice?: number; answerMs?: number } = {}): Store => {
  const base = new URL(url)
  const connections = options.connections ?? 16
  // Requests wait here and not for a socket: the client leaves a timer behind when one is given up while it waits, and the timer later ends a
  // socket that is in use. Twice the sockets, because an answer is read a moment before its socket is free.
  const gate = openGate(connections)
  const client = createClient({
    url: base.origin, database, ...(base.pathname === '/' ? {} : { pathname: base.pathname }),
    username: decodeURIComponent(base.username) || 'default', password: decodeURIComponent(base.password),
    max_open_connections: connections * 2, request_timeout: options.answerMs ?? 300_000,
    // Answers are small and the server is near: packing them costs both sides more than the bytes.
    compression: { request: false, response: false },
    log: { level: ClickHouseLogLevel.OFF }, keep_alive: { enabled: true, idle_socket_ttl: 10_000 },
    clickhouse_settings: { ...always, ...(options.readOnly === true ? { readonly: '2', max_execution_time: 20, max_memory_usage: questionBytes } : {}), ...(options.nice === undefined ? {} : { os_threads_nice_value_query: options.nice }) } as never,
  })
  // What runs is known by its token: the server refuses another of the same name meanwhile.
  const under = (token: string | undefined): { query_id?: string } => (token === undefined ? {} : { query_id: `${database}|${token}` })
  const store: Store = {
    client,
    query: async (sql, params, row, settings = {}, signal) => {
      try {
        const { text, params: sent, long } = sendable(textOf(sql), params)
        const ask = async (): Promise<unknown[]> => rowsOf(await (await client.query({
          query: text, query_params: sent, format: 'JSONEachRow', ...(long ? { use_multipart_params: true } : {}),
          ...(signal === undefined ? { clickhouse_settings: settings as never } : { abort_signal: signal, clickhouse_settings: { ...settings, cancel_http_readonly_queries_on_client_close: 1 } as never }),
        })).text())
        // The server may end a connection in the moment it is used again: what only reads is asked once more, on another.
        const rows = await gate.pass(() => ask().catch((thrown: unknown) => { if (signal?.aborted !== true && (thrown as { code?: unknown }).code === 'ECONNRESET') return ask(); throw thrown }), signal)
        return rows.map((value) => row.parse(value))
      } catch (thrown) {
        throw thrown instanceof AppError ? thrown : fault(thrown, nameOf(sql))
      }
    },
    execute: async (sql, params = {}, settings = {}, isHeld = undefined) => {
      const { token, session, alone, ...rest } = settings, name = alone ?? token
      try {
        const { text, params: sent } = sendable(textOf(sql), params)
        const send = (): Promise<{ summary?: { written_rows?: string } }> => gate.pass(async () => {
          isHeld?.()
          return await client.command({
            query: text, query_params: sent, ...(session === undefined ? {} : { session_id: session }), ...under(name),
            clickhouse_settings: { ...rest, ...(token === undefined ? {} : { insert_deduplication_token: token, deduplicate_insert_select: 'force_enable' }) } as never,
          })
        })
        const sendWhenOver = (): Promise<{ summary?: { written_rows?: string } }> => send().catch(async (thrown: unknown) => {
          if (name === undefined || !runsAlready(thrown)) throw thrown
          // What may be answered so late is waited for as long.
          await store.over(name, false, Math.max(overMs, options.answerMs ?? 0))
          return await sendWhenOver()
        })
        const done = await sendWhenOver()
        return Number(done.summary?.written_rows ?? 0)
      } catch (thrown) {
        throw thrown instanceof AppError ? thrown : fault(thrown, nameOf(sql))
      }
    },
    insert: async (table, rows, token) => {
      if (rows.length === 0) return
      try {
        await gate.pass(() => client.insert({ table, values: [...rows], format: 'JSONEachRow', clickhouse_settings: { ...madeHere, ...(token === undefined ? {} : { insert_deduplication_token: token }) } as never }))
      } catch (thrown) {
        throw fault(thrown, `insert into ${table}`)
      }
    },
    insertSurely: async (table, rows, token, there) => {
      await untilThere(token, (spare) => store.insert(table, rows, spare), async () => await there() || undefined)
    },
    over: async (token, end = false, mostMs = overMs) => {
      const named = { id: `${database}|${token}`, under: `${database}|${token}|` }
      if (end) { await store.execute('KILL QUERY WHERE query_id = {id:String} OR startsWith(query_id, {under:String}) SYNC', named); return }
      const until = performance.now() + mostMs
      while ((await store.query('SELECT query_id FROM system.processes WHERE query_id = {id:String} OR startsWith(query_id, {under:String})', named, Process)).length > 0) {
        if (performance.now() > until) throw new AppError('STORE_BUSY', `${token}: the same has been written for ${mostMs / 60_000} minutes`, { status: 503, retry: 'attempt' })
        await sleep(lookMs)
      }
    },
    insertStream: async (sql, data, params, token) => { await store.feed(sql, data, params, { token }) },
    feed: async (sql, data, params, { token, session }, isHeld = undefined) => {
      let stands = false
      try {
        return await gate.pass(async () => {
          isHeld?.()
          const sent = await client.exec({
            query: sql, values: data, query_params: params, ...(session === undefined ? {} : { session_id: session }), ...under(token), clickhouse_settings: (token === undefined ? {} : { insert_deduplication_token: token }) as never,
          })
          for await (const _ of sent.stream) { /* an INSERT answers nothing */ }
          stands = true
          return Number(sent.summary?.written_rows ?? 0)
        })
      } catch (thrown) {
        throw thrown instanceof AppError ? thrown : fault(thrown, nameOf(sql))
      } finally { data.emit(over, stands) }
    },
    read: async function* (sql, params) {
      try {
        const sent = await client.exec({ query: sql.text, query_params: params, clickhouse_settings: { wait_end_of_query: 0, output_format_parallel_formatting: 1 } as never })
        yield* sent.stream as AsyncIterable<Buffer>
      } catch (thrown) {
        throw fault(thrown, sql.name)
      }
    },
    close: () => client.close(),
  }
  return store
}
