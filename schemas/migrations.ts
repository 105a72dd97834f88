/** Forward-only migrations: clickhouse/NNNN_name.sql, numbered without gaps, never edited once applied. */
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { createClient } from '@clickhouse/client'
import { z } from 'zod'
import { AppError } from './errors.js'
import { openStore } from './clickhouse.js'

const folder = new URL('clickhouse/', import.meta.url)

export interface Migration { readonly id: string; readonly sha256: string; readonly statements: readonly string[] }

/** All migrations in order; throws on a gap, a duplicate number or a badly named file. */
export const listMigrations = (): readonly Migration[] => readdirSync(folder).filter((name) => name.endsWith('.sql')).sort().map((name, index) => {
  if (!/^\d{4}_[a-z0-9_]+\.sql$/.test(name) || Number(name.slice(0, 4)) !== index + 1) throw new Error(`migration ${name}: expected number ${String(index + 1).padStart(4, '0')}`)
  const text = readFileSync(new URL(name, folder), 'utf8')
  const statements = text.replace(/^--.*$/gm, '').split(/;\s*$/m).map((statement) => statement.trim()).filter((statement) => statement !== '')
  return { id: name.slice(0, -4), sha256: createHash('sha256').update(text).digest('hex'), statements }
})

/** The newest migration's id: what a report names as the state of the schema. */
export const schemaHead = (): string => listMigrations().at(-1)?.id ?? ''

const Applied = z.object({ id: z.string(), sha256: z.string() })

/** Brings `database` on the server at `url` up to date; resolves to the ids applied now. Safe to run from many processes. */
export const migrate = async (url: string, database: string): Promise<string[]> => {
  const base = new URL(url)
  const user = decodeURIComponent(base.username) || 'default'
  const password = decodeURIComponent(base.password)
  const admin = createClient({ url: base.origin, username: user, password })
  try {
    await admin.command({ query: `CREATE DATABASE IF NOT EXISTS {database:Identifier}`, query_params: { database } })
  } finally {
    await admin.close()
  }
  const store = openStore(url, database)
  try {
    await store.execute('CREATE TABLE IF NOT EXISTS migrations (id String, sha256 String, applied_at DateTime64(3, \'UTC\') DEFAULT now64(3)) ENGINE = ReplacingMergeTree ORDER BY id SETTINGS fsync_after_insert = 1')
    const applied = new Map((await store.query('SELECT id, sha256 FROM migrations FINAL', {}, Applied)).map((row) => [row.id, row.sha256]))
    const now: string[] = []
    for (const migration of listMigrations()) {
      const before = applied.get(migration.id)
      if (before !== undefined && before !== migration.sha256) {
        throw new AppError('MIGRATION_EDITED', `Migration ${migration.id} was edited after it had been applied to ${database}. Migrations only go forward: undo the edit and add a new file.`)
      }
      if (before !== undefined) continue
      for (const statement of migration.statements) {
        await store.execute(statement.replaceAll('{{database}}', database).replaceAll('{{user}}', user).replaceAll('{{password}}', password.replaceAll("'", "\\'")))
      }
      await store.insert('migrations', [{ id: migration.id, sha256: migration.sha256 }])
      now.push(migration.id)
    }
    return now
  } finally {
    await store.close()
  }
}
