/**
 * Migrated databases of a test run. To migrate one costs more than a second, to empty one a tenth of that: a database its tests leave in the
 * shape it had is emptied and given out again, any other is dropped. All of a run at once would hold more files open than a process may.
 * A table whose rows were changed in place is made anew: what a mutation took keeps its insert tokens.
 */
import { migrate } from '../../schemas/migrations.js'
import { publishedIn } from '../../schemas/analysts.js'

/** `filled`: tables the migrations put rows into. */
interface Template { readonly database: string; readonly filled: readonly string[] }

let template: Promise<Template> | undefined
const shapes = new Map<string, string>()
const free: string[] = []

const ask = async (url: string, statement: string): Promise<string> => {
  const response = await fetch(url, { method: 'POST', body: statement })
  const text = (await response.text()).trim()
  if (!response.ok) throw new Error(`${statement}: ${text}`)
  return text
}

/** Tables and views by identity and last change. */
const shapeOf = (url: string, database: string): Promise<string> =>
  ask(url, `SELECT count(), groupBitXor(cityHash64(database, name, uuid, metadata_modification_time))
    FROM system.tables WHERE database IN ('${database}', '${publishedIn(database)}') FORMAT TSV`)

const listed = async (url: string, query: string): Promise<string[]> => (await ask(url, `${query} FORMAT TSVRaw`)).split('\n').filter((line) => line !== '')

const holding = (url: string, database: string): Promise<string[]> =>
  listed(url, `SELECT name FROM system.tables WHERE database = '${database}' AND (engine LIKE '%MergeTree' OR engine = 'Memory') AND total_rows > 0 ORDER BY name`)

const remakeMutated = async (url: string, database: string): Promise<void> => {
  for (const table of await listed(url, `SELECT DISTINCT table FROM system.mutations WHERE database = '${database}'`)) {
    const definition = await ask(url, `SHOW CREATE TABLE ${database}.${table} FORMAT TSVRaw`)
    await ask(url, `DROP TABLE ${database}.${table} SYNC`)
    await ask(url, definition)
  }
}

const made = async (url: string, database: string): Promise<void> => {
  await migrate(url, database)
  shapes.set(database, await shapeOf(url, database))
}

/** The rows that migrations write are copied from here. */
const makeTemplate = async (url: string, database: string): Promise<Template> => {
  await migrate(url, database)
  return { database, filled: await holding(url, database) }
}

/** Name of a migrated database without rows of others; `name` makes a new name. */
export const takeDatabase = async (url: string, name: () => string): Promise<string> => {
  const database = free.pop() ?? name()
  if (!shapes.has(database)) await made(url, database)
  return database
}

const drop = async (url: string, database: string): Promise<void> => {
  shapes.delete(database)
  for (const each of [publishedIn(database), database]) await ask(url, `DROP DATABASE IF EXISTS ${each}`)
}

/** Takes a database back, whoever made it. */
export const giveBack = async (url: string, database: string, name: () => string): Promise<void> => {
  const shape = shapes.get(database)
  if (shape === undefined || shape !== await shapeOf(url, database)) { await drop(url, database); return }
  await remakeMutated(url, database)
  template ??= makeTemplate(url, name())
  const { database: from, filled } = await template
  for (const table of await holding(url, database)) await ask(url, `TRUNCATE TABLE ${database}.${table}`)
  for (const table of filled) await ask(url, `INSERT INTO ${database}.${table} SELECT * FROM ${from}.${table}`)
  // As new: a dictionary is read when it is first asked, and not again for a while.
  for (const dictionary of await listed(url, `SELECT name FROM system.dictionaries WHERE database = '${database}' AND status != 'NOT_LOADED'`)) for (const act of ['DETACH', 'ATTACH']) await ask(url, `${act} DICTIONARY ${database}.${dictionary}`)
  shapes.set(database, await shapeOf(url, database))
  free.push(database)
}

/** Leaves nothing on a server that outlives the run. */
export const dropDatabases = async (url: string): Promise<void> => {
  for (const database of free.splice(0)) await drop(url, database)
  if (template !== undefined) await drop(url, (await template).database)
}
