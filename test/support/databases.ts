/**
 * Migrated databases of a test run. To migrate one costs seconds of a processor, to make one like it a third of that, and to empty it a tenth: a database its
 * tests leave in the shape it had is emptied and given out again, any other is dropped. All of a run at once would hold more files open than a process may.
 * A table whose rows were changed in place is made anew: what a mutation took keeps its insert tokens.
 */
import { z } from 'zod'
import { publishedIn } from '../../schemas/analysts.js'
import { openStore, type Store } from '../../schemas/clickhouse.js'
import { boundTo, dictionaries, migrate } from '../../schemas/migrations.js'

const shapes = new Map<string, string>()
/** Of each database the parts of the rows that migrations put there, as they were when it was last as new. */
const contents = new Map<string, ReadonlyMap<string, string>>()
const free: string[] = []

/** No database of a test outlives the run: what it is made of need not be on the disk before the next statement, which was a sixth of making one. */
const ask = async (url: string, statement: string, database = 'default'): Promise<string> => {
  const response = await fetch(`${url}?database=${database}&fsync_metadata=0`, { method: 'POST', body: statement })
  const text = (await response.text()).trim()
  if (!response.ok) throw new Error(`${statement}: ${text}`)
  return text
}
const listed = async (url: string, query: string): Promise<string[]> => (await ask(url, `${query} FORMAT TSVRaw`)).split('\n').filter((line) => line !== '')

/** Tables and views by identity and last change. */
const shapeOf = (url: string, database: string): Promise<string> =>
  ask(url, `SELECT count(), groupBitXor(cityHash64(database, name, uuid, metadata_modification_time))
    FROM system.tables WHERE database IN ('${database}', '${publishedIn(database)}') FORMAT TSV`)

const holding = (url: string, database: string): Promise<string[]> =>
  listed(url, `SELECT name FROM system.tables WHERE database = '${database}' AND (engine LIKE '%MergeTree' OR engine = 'Memory') AND total_rows > 0 ORDER BY name`)

/** Tables with rows, by what their parts are: where nothing was written, the same. */
const partsOf = async (url: string, database: string): Promise<ReadonlyMap<string, string>> =>
  new Map((await listed(url, `SELECT table, groupBitXor(cityHash64(name, rows, modification_time)) FROM system.parts WHERE database = '${database}' AND active GROUP BY table`)).map((line) => line.split('\t') as [string, string]))

const remember = async (url: string, database: string): Promise<void> => {
  shapes.set(database, await shapeOf(url, database))
  contents.set(database, await partsOf(url, database))
}

/** `statements` make a database like `database`, its name in them; `filled`: tables the migrations put rows into. It is given to nobody, so that its rows are theirs. */
interface Template { readonly database: string; readonly statements: readonly string[]; readonly filled: readonly string[] }
let template: Promise<Template> | undefined

const Defined = z.object({ data: z.array(z.object({ engine: z.string(), statement: z.string() })) })
/** Dictionaries as migrations made them last: the server hides what password they ask with. */
const dictionariesOf = (url: string, database: string): string[] => [...dictionaries()].map(([name, body]) => boundTo(`CREATE DICTIONARY ${database}.${name}${body}`, url, database))
const makeTemplate = async (url: string, database: string): Promise<Template> => {
  await migrate(url, database)
  const defined = async (kinds: string): Promise<string[]> =>
    Defined.parse(JSON.parse(await ask(url, `SELECT engine, create_table_query AS statement FROM system.tables WHERE database IN ('${database}', '${publishedIn(database)}') AND (${kinds}) ORDER BY name FORMAT JSON`))).data.map(({ statement }) => statement)
  // In this order each is there before what refers to it.
  const statements = [...await defined(`engine NOT LIKE '%View' AND engine != 'Dictionary'`), ...dictionariesOf(url, database), ...await defined(`engine = 'View'`), ...await defined(`engine = 'MaterializedView'`)]
  return { database, statements, filled: await holding(url, database) }
}
const fill = async (url: string, { database: from }: Template, database: string, tables: readonly string[]): Promise<void> => {
  for (const table of tables) await ask(url, `INSERT INTO ${database}.${table} SELECT * FROM ${from}.${table}`)
}

/** Like one that was migrated. */
const make = async (url: string, database: string, name: () => string): Promise<void> => {
  const one = await (template ??= makeTemplate(url, name()))
  for (const each of [publishedIn(database), database]) await ask(url, `CREATE DATABASE ${each}`)
  for (const statement of one.statements) await ask(url, statement.replaceAll(one.database, database))
  await fill(url, one, database, one.filled)
  await remember(url, database)
}

/** Name of a migrated database without rows of others; `name` makes a new name. */
export const takeDatabase = async (url: string, name: () => string): Promise<string> => {
  const database = free.pop() ?? name()
  if (!shapes.has(database)) await make(url, database, name)
  return database
}

const drop = async (url: string, database: string): Promise<void> => {
  shapes.delete(database)
  contents.delete(database)
  for (const each of [publishedIn(database), database]) await ask(url, `DROP DATABASE IF EXISTS ${each}`)
}

const remakeMutated = async (url: string, database: string): Promise<void> => {
  for (const table of await listed(url, `SELECT DISTINCT table FROM system.mutations WHERE database = '${database}'`)) {
    const definition = await ask(url, `SHOW CREATE TABLE ${database}.${table} FORMAT TSVRaw`)
    await ask(url, `DROP TABLE ${database}.${table} SYNC`)
    await ask(url, definition)
  }
}

/** Takes a database back, whoever made it. */
export const giveBack = async (url: string, database: string, name: () => string): Promise<void> => {
  const shape = shapes.get(database)
  if (shape === undefined || shape !== await shapeOf(url, database)) { await drop(url, database); return }
  // What a worker that was killed has sent may run still.
  await ask(url, `KILL QUERY WHERE current_database = '${database}' SYNC`)
  const one = await (template ??= makeTemplate(url, name())), had = contents.get(database)
  await remakeMutated(url, database)
  const [has, rows] = [await partsOf(url, database), await holding(url, database)]
  const untouched = new Set(one.filled.filter((table) => had?.get(table) !== undefined && had.get(table) === has.get(table)))
  for (const table of rows) if (!untouched.has(table)) await ask(url, `TRUNCATE TABLE ${database}.${table}`)
  await fill(url, one, database, one.filled.filter((table) => !untouched.has(table)))
  // As new: a dictionary is read when it is first asked, and not again for a while.
  for (const dictionary of await listed(url, `SELECT name FROM system.dictionaries WHERE database = '${database}' AND status != 'NOT_LOADED'`)) for (const act of ['DETACH', 'ATTACH']) await ask(url, `${act} DICTIONARY ${database}.${dictionary}`)
  await remember(url, database)
  free.push(database)
}

let withRegisters: Promise<string> | undefined
const registered = ['labels', 'tokens', 'btc_parties', 'register_loads']

/** The bundled registers in `store` as `load` leaves them: what it does costs seconds of a processor, so after the first time they are copied from there. */
export const copyRegisters = async (url: string, store: Store, name: () => string, load: (store: Store) => Promise<unknown>): Promise<void> => {
  const from = await (withRegisters ??= (async () => {
    const database = await takeDatabase(url, name), first = openStore(url, database)
    await load(first)
    await first.close()
    return database
  })().catch((thrown: unknown) => { withRegisters = undefined; throw thrown }))
  for (const table of registered) await store.execute(`INSERT INTO ${table} SELECT * FROM ${from}.${table}`)
}

/** Leaves nothing on a server that outlives the run. */
export const dropDatabases = async (url: string): Promise<void> => {
  for (const database of [...free.splice(0), ...withRegisters === undefined ? [] : [await withRegisters]]) await drop(url, database)
  if (template !== undefined) await drop(url, (await template).database)
}
