/** Statements of callers: checked, run as the user of their tier, counted, ended when nobody waits. */
import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { accessStatements, analystLimits, analystTiers, keptAnalyst, publishedIn, staticAnalyst, type AnalystLimits, type AnalystTier } from '../../schemas/analysts.js'
import { openAnalystClient, type AnalystUser } from '../../schemas/analystClient.js'
import type { Store } from '../../schemas/clickhouse.js'
import { AppError, messageOf, unavailable } from '../../schemas/errors.js'
import { keptSecret } from '../../schemas/keptSecret.js'
import { loadSql } from '../../schemas/sql.js'
import { rateLimited } from '../faults.js'
import type { Window } from '../limits.js'
import type { Principal } from '../operation.js'
import { rowsOf } from './answer.js'
import { faultOf, relocated } from './faults.js'
import { guard, type Allowed } from './guard.js'

export interface Running {
  readonly queryId: string
  /** Bytes in the format asked for. Ends with what `late` makes of an error that comes after the first byte. */
  readonly rows: AsyncGenerator<Buffer>
}
export interface Analysts {
  limitsOf(principal: Principal): AnalystLimits
  /** Starts `text` after a check of what it is made of; rejects with SQL_REFUSED, SQL_INVALID, SQL_LIMIT or RATE_LIMITED. The slot is free when the rows are done with. */
  run(principal: Principal, text: string, format: string, late: (fault: AppError) => Buffer, signal: AbortSignal): Promise<Running>
  /** What the server says of `text` without running it: rows of EXPLAIN ESTIMATE. */
  estimate(principal: Principal, text: string, signal: AbortSignal): Promise<readonly Estimate[]>
  close(): Promise<void>
}
export interface Estimate { readonly table: string; readonly parts: number; readonly rows: number; readonly marks: number }

const functionsSql = loadSql(import.meta.url, 'functions.sql')
const Name = z.object({ name: z.string() })
const Function = z.object({ name: z.string(), aggregate: z.coerce.number(), searching: z.coerce.number() })
const Overdue = z.object({ overdue: z.coerce.number() })
const Line = z.tuple([z.string()])
const EstimateRow = z.object({ table: z.string(), parts: z.coerce.number(), rows: z.coerce.number(), marks: z.coerce.number() })

const tierOf = ({ tier }: Principal): AnalystTier => analystTiers.find((one) => one === tier) ?? 'free'
/** Seconds after its time at which a statement is ended from here, and its author is told to wait. */
const grace = 2
/** What the server says of a statement that ran too long. */
const timeIsOver = 'Code: 159. DB::Exception: Timeout exceeded'
/** Whose statements they are, as the server is told: an account's, all its keys together. */
const quotaOf = (principal: Principal): string => createHash('sha256').update(principal.quota).digest('hex').slice(0, 32)
/** Statements of the caller at the same time. */
const slotsOf = (principal: Principal): Window => ({ name: 'statements_at_once', limit: analystLimits[tierOf(principal)].atOnce })
const raise = (fault: AppError): never => { throw fault }

const collect = async (rows: AsyncGenerator<Buffer>): Promise<string[]> => {
  const chunks: Buffer[] = []
  for await (const chunk of rows) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8').split('\n').filter((line) => line !== '')
}

/** The tiers' users on this server: those of its configuration, else made now, with a password kept in the store. */
const openUsers = async (writer: Store, database: string): Promise<(tier: AnalystTier) => AnalystUser> => {
  const found = await writer.query("SELECT name FROM system.users WHERE storage = 'users_xml' AND name IN {names:Array(String)}", { names: analystTiers.map(staticAnalyst) }, Name)
  if (found.length === analystTiers.length) return (tier) => ({ name: staticAnalyst(tier), password: '' })
  const password = await keptSecret(writer, 'analyst')
  for (const tier of analystTiers) for (const statement of accessStatements(database, tier, password)) await writer.execute(statement)
  return (tier) => ({ name: keptAnalyst(database, tier), password })
}

/** `database` is the service's own; the views stand beside it. Nothing is asked of the server before the first statement. */
export const openAnalysts = (url: string, database: string, store: Store, writer: Store): Analysts => {
  const published = publishedIn(database)
  const client = openAnalystClient(url, published)
  const names = [published, database]
  const running = new Map<string, number>()
  let ready: Promise<{ user: (tier: AnalystTier) => AnalystUser; allowed: Allowed }> | undefined
  const prepare = async () => {
    const [user, functions, views] = await Promise.all([
      openUsers(writer, database), store.query(functionsSql, {}, Function), store.query('SELECT name FROM system.tables WHERE database = {database:String}', { database: published }, Name),
    ])
    return { user, allowed: { functions: new Set(functions.map(({ name }) => name)), aggregates: new Set(functions.filter(({ aggregate }) => aggregate === 1).map(({ name }) => name)), searching: new Set(functions.filter(({ searching }) => searching === 1).map(({ name }) => name)), views: new Set(views.map(({ name }) => name)), database: published } }
  }
  const prepared = () => (ready ??= prepare().catch((thrown: unknown) => { ready = undefined; throw unavailable('SQL for analysts', thrown instanceof Error ? thrown : new Error(messageOf(thrown))) }))

  /** `before` is put before `text`, and is not its author's. */
  const send = async (principal: Principal, text: string, format: string, late: (fault: AppError) => Buffer, signal: AbortSignal, before = ''): Promise<Running> => {
    const { user } = await prepared()
    const tier = tierOf(principal)
    const limits = analystLimits[tier]
    const quota = quotaOf(principal)
    const queryId = `sql-${quota.slice(0, 12)}-${randomBytes(16).toString('hex')}`
    let ended = false
    const kill = (): void => { if (!ended) void writer.execute('KILL QUERY WHERE query_id = {id:String} ASYNC', { id: queryId }).catch(() => undefined) }
    // Who goes before the first row comes leaves a statement behind, too.
    signal.addEventListener('abort', kill, { once: true })
    // Some statements end when they are told to, and never look at the clock.
    let overdue = false
    const timer = setTimeout(() => { overdue = true; kill() }, (limits.seconds + grace) * 1_000)
    timer.unref()
    const leave = (): void => { ended = true; clearTimeout(timer); signal.removeEventListener('abort', kill) }
    const fault = (said: string): AppError => faultOf(overdue ? timeIsOver : relocated(said, before.length), limits, names)
    const { ok, format: written, tag, body } = await client.send(user(tier), { text: `${before}${text}`, format, queryId, quota }, signal).catch((thrown: unknown) => { leave(); throw thrown })
    if (!ok || (written !== '' && written !== format)) {
      const said = (await collect(rowsOf(body, '', () => Buffer.alloc(0)))).join('\n')
      leave()
      throw ok ? new AppError('SQL_REFUSED', 'FORMAT is not possible in the statement: it is a field of the request.', { status: 403 }) : fault(said)
    }
    const rows = async function* (): AsyncGenerator<Buffer> {
      try {
        yield* rowsOf(body, tag, (said) => late(fault(said)))
        ended = true
      } finally {
        kill()
        leave()
        body.destroy()
      }
    }
    return { queryId, rows: rows() }
  }

  /** Throws where the caller may not ask now, or `text` is not what may be asked. */
  const check = async (principal: Principal, text: string, signal: AbortSignal): Promise<void> => {
    const { allowed } = await prepared()
    // The server looks at limits and KILL between blocks of rows: what one row keeps busy goes on. Who left that behind waits for it.
    const [late] = await writer.query('SELECT count() AS overdue FROM system.processes WHERE startsWith(query_id, {mine:String}) AND elapsed > {seconds:Float64}',
      { mine: `sql-${quotaOf(principal).slice(0, 12)}-`, seconds: analystLimits[tierOf(principal)].seconds + grace }, Overdue)
    if ((late?.overdue ?? 0) > 0) throw rateLimited(30, slotsOf(principal), 'An earlier statement of yours is over its time and still being ended')
    const { rows } = await send(principal, text, 'JSONCompactEachRow', raise, signal, 'EXPLAIN AST ')
    guard((await collect(rows)).map((line) => Line.parse(JSON.parse(line))[0]), allowed)
  }
  /** One slot of the caller's while a statement starts, and while the rows it returns are not done with. */
  const enter = (principal: Principal): (() => void) => {
    const who = principal.quota
    const slots = slotsOf(principal), atOnce = slots.limit
    const now = running.get(who) ?? 0
    if (now >= atOnce) throw rateLimited(5, slots, `Your account runs ${atOnce} ${atOnce === 1 ? 'statement' : 'statements'} already`)
    running.set(who, now + 1)
    let left = false
    return () => {
      if (left) return
      left = true
      const rest = (running.get(who) ?? 1) - 1
      if (rest > 0) running.set(who, rest)
      else running.delete(who)
    }
  }

  return {
    limitsOf: (principal) => analystLimits[tierOf(principal)],
    run: async (principal, text, format, late, signal) => {
      const leave = enter(principal)
      try {
        await check(principal, text, signal)
        const { queryId, rows } = await send(principal, text, format, late, signal)
        const guarded = async function* (): AsyncGenerator<Buffer> { try { yield* rows } finally { leave() } }
        // Rows nobody begins to read are not waited for.
        signal.addEventListener('abort', leave, { once: true })
        return { queryId, rows: guarded() }
      } catch (thrown) {
        leave()
        throw thrown
      }
    },
    estimate: async (principal, text, signal) => {
      const leave = enter(principal)
      try {
        await check(principal, text, signal)
        const { rows } = await send(principal, text, 'JSONEachRow', raise, signal, 'EXPLAIN ESTIMATE ')
        return (await collect(rows)).map((line) => EstimateRow.parse(JSON.parse(line)))
      } finally { leave() }
    },
    close: () => client.close(),
  }
}
