/** Forward-only migrations: clickhouse/NNNN_name.sql, each number once, never edited once applied. */
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { z } from 'zod'
import { publishedIn } from './analysts.js'
import { AppError } from './errors.js'
import { openStore, type Store } from './clickhouse.js'

const folder = new URL('clickhouse/', import.meta.url)

export interface Migration { readonly id: string; readonly sha256: string; readonly statements: readonly string[] }

/** All migrations in order; throws on a duplicate number or a badly named file. */
export const listMigrations = (): readonly Migration[] => readdirSync(folder).filter((name) => name.endsWith('.sql')).sort().map((name, index, all) => {
  if (!/^\d{4}_[a-z0-9_]+\.sql$/.test(name) || name.slice(0, 4) === all[index - 1]?.slice(0, 4)) throw new Error(`migration ${name}: expected NNNN_name.sql with a number of its own`)
  const text = readFileSync(new URL(name, folder), 'utf8')
  const statements = text.replace(/^--.*$/gm, '').split(/;\s*$/m).map((statement) => statement.trim()).filter((statement) => statement !== '')
  return { id: name.slice(0, -4), sha256: createHash('sha256').update(text).digest('hex'), statements }
})

/** A text as it stands between the quotes of a literal. */
const inQuotes = (text: string): string => text.replaceAll(/[\\']/g, (sign) => `\\${sign}`)

/** A statement of a migration with what hangs on where it runs: the database, and the user of `url`, whom dictionaries read as. */
export const boundTo = (statement: string, url: string, database: string): string => {
  const { username, password } = new URL(url)
  const bound = new Map([['{{database}}', database], ['{{user}}', inQuotes(decodeURIComponent(username) || 'default')], ['{{password}}', inQuotes(decodeURIComponent(password))]])
  // By a function: in a text `$` would stand for what was found.
  return statement.replaceAll(/\{\{\w+\}\}/g, (name) => bound.get(name) ?? name)
}

/** What follows the name of each dictionary in the newest of `migrations` that makes it. */
export const dictionaries = (migrations = listMigrations()): ReadonlyMap<string, string> => {
  const bodies = new Map<string, string>()
  for (const statement of migrations.flatMap(({ statements }) => statements)) {
    const [, verb, name = '', body = ''] = /^(CREATE|DROP)(?: OR REPLACE)? DICTIONARY (?:IF (?:NOT )?EXISTS )?(\w+)(.*)$/s.exec(statement) ?? []
    if (verb === 'CREATE') bodies.set(name, body)
    else if (verb === 'DROP') bodies.delete(name)
  }
  return bodies
}

/** The newest migration's id: what a report names as the state of the schema. */
export const schemaHead = (): string => listMigrations().at(-1)?.id ?? ''

const Applied = z.object({ id: z.string(), sha256: z.string() })

const appliedTo = async (store: Store): Promise<Map<string, string>> =>
  new Map((await store.query('SELECT id, sha256 FROM migrations FINAL ORDER BY id', {}, Applied)).map((row) => [row.id, row.sha256]))

/** Ids in the database this version does not know. */
const strangers = (applied: ReadonlyMap<string, string>): string[] => {
  const known = new Set(listMigrations().map(({ id }) => id))
  return [...applied.keys()].filter((id) => !known.has(id))
}

/** What a process asks before it works: rejects where migrations are missing; resolves to those of a newer version, which it can live with. */
export const checkSchema = async (store: Store): Promise<readonly string[]> => {
  const applied = await appliedTo(store)
  const missing = listMigrations().filter(({ id }) => !applied.has(id))
  if (missing.length > 0) throw new AppError('SCHEMA_OLDER', `The database lacks migrations (${missing.map(({ id }) => id).join(', ')}): run \`npm run migrate\` first`)
  return strangers(applied)
}

/** Milliseconds that a statement may take: what copies a filled table takes long, and given up it would go on in the server and be run beside itself by the next who tries. */
const statementMs = 86_400_000

/** Whether a dictionary can be read as the user of `url` with a password that is good still. */
const isOfUse = async (store: Store, name: string, url: string, database: string): Promise<boolean> => {
  const made = boundTo("USER '{{user}}' ", url, database)
  const [own] = await store.query('SELECT name FROM system.tables WHERE database = {database:String} AND name = {name:String} AND position(create_table_query, {made:String}) > 0', { database, name, made }, z.object({ name: z.string() }))
  if (own === undefined) return false
  // The server does not tell the password: that it is good shows when the dictionary is read.
  return await store.execute('SYSTEM RELOAD DICTIONARY {name:Identifier}', { name }).then(() => true, (thrown: unknown) => {
    if (thrown instanceof AppError && thrown.code === 'STORE_DENIED') return false
    throw thrown
  })
}

/** Makes dictionaries of the migrations `applied` anew that read as another user, or with a password that is no longer good. The others stay: whoever asks in the moment one is replaced may be refused. */
const mendDictionaries = async (store: Store, url: string, database: string, applied: ReadonlyMap<string, string>): Promise<void> => {
  for (const [name, body] of dictionaries(listMigrations().filter(({ id }) => applied.has(id)))) {
    if (!(await isOfUse(store, name, url, database))) await store.execute(boundTo(`CREATE OR REPLACE DICTIONARY ${name}${body}`, url, database), {}, { alone: `dictionary|${name}` })
  }
}

const View = z.object({ of: z.string(), name: z.string() })

/** Makes the present user the definer of views that another user made: they read as whom they were made by, and that user may be gone. */
const takeOverViews = async (store: Store, database: string): Promise<void> => {
  const others = await store.query(`SELECT t.database AS of, t.name AS name FROM system.tables AS t WHERE t.database IN ({database:String}, {published:String})
    AND position(t.create_table_query, ' DEFINER = ') > 0 AND position(t.create_table_query, concat(' DEFINER = ', currentUser(), ' ')) = 0 ORDER BY of, name`, { database, published: publishedIn(database) }, View)
  for (const view of others) await store.execute('ALTER TABLE {of:Identifier}.{name:Identifier} MODIFY SQL SECURITY DEFINER DEFINER = CURRENT_USER', view)
}

/** Brings `database` on the server at `url` up to date, and has its dictionaries and views read as the user of `url`; resolves to the ids applied now. Safe to run from many processes: no statement runs beside itself, and whoever waited for one repeats it, which changes nothing more. Ends behind the migration under way when `enough` aborts: the next call goes on from there. */
export const migrate = async (url: string, database: string, enough?: AbortSignal): Promise<string[]> => {
  const admin = openStore(url, 'default')
  try {
    await admin.execute('CREATE DATABASE IF NOT EXISTS {database:Identifier}', { database })
  } finally {
    await admin.close()
  }
  const store = openStore(url, database, { answerMs: statementMs })
  try {
    await store.execute('CREATE TABLE IF NOT EXISTS migrations (id String, sha256 String, applied_at DateTime64(3, \'UTC\') DEFAULT now64(3)) ENGINE = ReplacingMergeTree ORDER BY id SETTINGS fsync_after_insert = 1')
    const applied = await appliedTo(store)
    const [newer] = strangers(applied)
    if (newer !== undefined) throw new AppError('SCHEMA_NEWER', `The database ${database} was migrated by a newer version (${newer}). Use that version, or another CLICKHOUSE_DATABASE: migrations only go forward.`)
    // First, because statements of migrations may ask them.
    await mendDictionaries(store, url, database, applied)
    await takeOverViews(store, database)
    const now: string[] = []
    for (const migration of listMigrations()) {
      const before = applied.get(migration.id)
      if (before !== undefined && before !== migration.sha256) {
        throw new AppError('MIGRATION_EDITED', `Migration ${migration.id} was edited after it had been applied to ${database}. Migrations only go forward: undo the edit and add a new file.`)
      }
      if (before !== undefined) continue
      if (enough?.aborted === true) break
      for (const [index, statement] of migration.statements.entries()) {
        await store.execute(boundTo(statement, url, database), {}, { alone: `migration|${migration.id}|${index}` })
      }
      await store.insert('migrations', [{ id: migration.id, sha256: migration.sha256 }])
      now.push(migration.id)
    }
    return now
  } finally {
    await store.close()
  }
}
