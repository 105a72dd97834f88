/** The same movements in Postgres, with what is known of addresses and tokens, and the indexes its users would give them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Store } from '../../../schemas/clickhouse.js'
import { loadSql } from '../../../schemas/sql.js'
import { beginFolder, endFolder } from '../begun.js'
import { findPostgres, startPostgres, type Session } from '../peers/postgres.js'

const copied = loadSql(import.meta.url, 'copied.sql'), copiedLabels = loadSql(import.meta.url, 'copiedLabels.sql')
const tables = [
  `CREATE UNLOGGED TABLE transfers (block_number bigint, kind smallint, position bigint, block_time timestamptz, tx_hash bytea, token bytea, from_address bytea, to_address bytea,
    amount numeric, value_usd double precision, from_entity text, from_class text, to_entity text, to_class text)`,
  'CREATE UNLOGGED TABLE known (address bytea, label text, entity text, class text, symbol text, decimals smallint, is_token boolean)',
] as const
const sorted = [
  'CREATE TABLE labels AS SELECT address, label, entity, class FROM known WHERE NOT is_token', 'ALTER TABLE labels ADD PRIMARY KEY (address)',
  'CREATE TABLE tokens AS SELECT address, symbol, nullif(decimals, 255) AS decimals FROM known WHERE is_token', 'ALTER TABLE tokens ADD PRIMARY KEY (address)', 'DROP TABLE known', 'VACUUM ANALYZE labels', 'VACUUM ANALYZE tokens',
] as const
const indexes = ['(from_address, block_number)', '(to_address, block_number)', '(block_number)', '(block_number) WHERE value_usd >= 100000']

export interface Loaded { readonly session: Session; readonly version: string; readonly seconds: number; readonly bytesPerTransfer: number; stop(): Promise<void> }

/** Rejects where Postgres is not installed, or when it refuses a row or lacks one of `count`. */
export const loadPostgres = async (store: Store, count: number, say: (text: string) => void): Promise<Loaded> => {
  const directory = beginFolder('pg-')
  chmodSync(directory, 0o755)
  const postgres = await startPostgres(directory)
  const stop = async (): Promise<void> => { await postgres.stop(); endFolder(directory) }
  try {
    const url = postgres.create('history'), session = postgres.session(url), began = performance.now()
    const copy = async (into: string, query: string): Promise<void> => {
      const child = spawn(join(findPostgres(), 'psql'), ['-qAtX', '-v', 'ON_ERROR_STOP=1', '-d', url, '-c', `COPY ${into}`], { stdio: ['pipe', 'ignore', 'inherit'], env: { PATH: process.env['PATH'], LC_ALL: 'C' } })
      const ended = once(child, 'exit')
      const rows = await store.client.query({ query, format: 'CSV', clickhouse_settings: { wait_end_of_query: 0, max_block_size: '8192' } })
      await pipeline(rows.stream().map((part: readonly { text: string }[]) => `${part.map(({ text }) => text).join('\n')}\n`), child.stdin)
      const [code] = await ended as [number]
      if (code !== 0) throw new Error(`bench: Postgres did not take all rows (psql ended with ${code})`)
    }
    for (const table of tables) await session.ask(table)
    await copy('known FROM STDIN (FORMAT csv)', copiedLabels.text)
    for (const statement of sorted) await session.ask(statement)
    say('history: copying the movements to Postgres …')
    await copy('transfers FROM STDIN (FORMAT csv, FORCE_NULL (value_usd))', copied.text)
    await session.ask("SET maintenance_work_mem = '1GB'")
    for (const [place, columns] of indexes.entries()) { say(`history: index ${place + 1} of ${indexes.length} in Postgres …`); await session.ask(`CREATE INDEX ON transfers ${columns}`) }
    await session.ask('VACUUM ANALYZE transfers')
    const seconds = (performance.now() - began) / 1_000
    const [held] = await session.ask('SELECT count(*) FROM transfers')
    if (Number(held) !== count) throw new Error(`bench: Postgres has ${held ?? 'no'} movements of ${count}`)
    const [bytes] = await session.ask("SELECT pg_total_relation_size('transfers')")
    await session.ask("SET work_mem = '512MB'")
    return { session, version: postgres.version, seconds, bytesPerTransfer: Number(bytes) / count, stop: async () => { session.end(); await stop() } }
  } catch (thrown) { await stop(); throw thrown }
}
