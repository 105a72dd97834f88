/** A database as an older version of the service left it. */
import { openStore, type Store } from '../../schemas/clickhouse.js'
import { boundTo, listMigrations } from '../../schemas/migrations.js'
import { clickhouseUrl, databaseName } from './servers.js'

export interface Older { readonly url: string; readonly database: string; readonly store: Store; /** Runs a statement of a migration. */ run(statement: string): Promise<unknown> }

/** Every migration before `name`, applied. */
export const databaseBefore = async (name: string): Promise<Older> => {
  const url = await clickhouseUrl(), database = databaseName()
  const admin = openStore(url, 'default')
  await admin.execute(`CREATE DATABASE ${database}`)
  await admin.close()
  const store = openStore(url, database)
  const run = (statement: string): Promise<unknown> => store.execute(boundTo(statement, url, database))
  await store.execute(`CREATE TABLE migrations (id String, sha256 String, applied_at DateTime64(3, 'UTC') DEFAULT now64(3)) ENGINE = ReplacingMergeTree ORDER BY id`)
  for (const { id, sha256, statements } of listMigrations()) {
    if (id >= name) break
    for (const statement of statements) await run(statement)
    await store.insert('migrations', [{ id, sha256 }])
  }
  return { url, database, store, run }
}
