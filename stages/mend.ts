/**
 * Writes an insert that was perhaps begun before. ClickHouse knows the token of an insert by the blocks it came in, and threads cut one result
 * into other blocks each time: repeated under its token it may be written twice. It also logs the token a moment before the rows can be seen: killed
 * in that moment it comes back with a token that no row stands for. So neither is trusted: what still runs of it is waited for, or ended, its rows are computed
 * beside their table, and those that are lacking are inserted under a token of their own.
 */
import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import type { Store } from '../schemas/clickhouse.js'
import { AppError } from '../schemas/errors.js'
import { loadSql, type SqlFile } from '../schemas/sql.js'

const keySql = loadSql(import.meta.url, 'mend_key.sql'), viewsSql = loadSql(import.meta.url, 'mend_views.sql')
const View = z.object({ target: z.string(), columns: z.string(), text: z.string() })
/** Times a token of the mending itself may be left without rows. */
const most = 8

/**
 * Puts in those rows of `sql`, which may have been run before with `params` and `token`, that are not there; resolves to how many it has and how many lacked. Rows
 * that are there stay as they are. `send` makes the data of a statement that brings them; `settings` are those of the statement; `mine`: whoever still runs it has no right to it any more; `by`: columns its rows are known by beside those of mend_key.sql.
 */
export const mend = async (store: Store, sql: SqlFile, params: Readonly<Record<string, unknown>>, token: string, { send, settings = {}, mine = false, by = [] }: { readonly send?: (() => Readable) | undefined; readonly settings?: Readonly<Record<string, number>>; readonly mine?: boolean; readonly by?: readonly string[] } = {}): Promise<{ readonly rows: number; readonly lacking: number }> => {
  await store.over(token, mine)
  const session = randomUUID()
  const run = (text: string, bound: Readonly<Record<string, unknown>> = {}, named?: string): Promise<number> => store.execute(text, bound, { ...settings, session, ...(named === undefined ? {} : { token: named }) })
  const keyOf = async (table: string): Promise<string> => (await store.query(keySql, { table }, z.object({ key: z.string() })))[0]?.key ?? ''

  /** Rows of `scratch`, a table like `target`, that `target` lacks. */
  const complete = async (target: string, scratch: string, key: string): Promise<number> => {
    let lacking = 0
    for (let time = 1; time <= most; time += 1) {
      const written = await run(`INSERT INTO ${target} SELECT * FROM ${scratch} WHERE (${key}) NOT IN (SELECT ${key} FROM ${target} WHERE (${key}) IN (SELECT ${key} FROM ${scratch}))`, {}, `${token}|mended|${time}`)
      if (written === 0) return lacking
      lacking ||= written
    }
    throw new AppError('STORE_FAILED', `${sql.name}: rows of ${target} do not stay`, { status: 500, retry: 'attempt' })
  }

  /** Rows of `scratch`, which stands for the table `source`: into `source` where that keeps any, and through its views into their tables, which may lack what it has. */
  const spread = async (source: string, scratch: string): Promise<number> => {
    const known = await keyOf(source), key = source === sql.writes ? [known, ...by].join(', ') : known
    let lacking = key === '' ? 0 : await complete(source, scratch, key)
    for (const { target, columns, text } of await store.query(viewsSql, { table: source, scratch }, View)) {
      const cut = `begun_${target}`
      await run(`CREATE TEMPORARY TABLE ${cut} AS ${target} ENGINE = Memory`)
      await run(`INSERT INTO ${cut} (${columns}) ${text}`)
      lacking += await spread(target, cut)
      await run(`DROP TEMPORARY TABLE ${cut}`)
    }
    return lacking
  }

  await run(`CREATE TEMPORARY TABLE begun AS ${sql.writes} ENGINE = Memory`)
  try {
    const begin = sql.text.replace(/^INSERT\s+INTO\s+\w+/im, 'INSERT INTO begun')
    const rows = send === undefined ? await run(begin, params, `${token}|begun`) : await store.feed(begin, send(), params, { session, token: `${token}|begun` })
    return { rows, lacking: await spread(sql.writes, 'begun') }
  } finally {
    // What a failure leaves goes with the session.
    await run('DROP TEMPORARY TABLE IF EXISTS begun').catch(() => undefined)
  }
}
