/** The same movements in Postgres, with the indexes its users would give them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, chmodSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Store } from '../../../schemas/clickhouse.js'
import { loadSql } from '../../../schemas/sql.js'
import { median } from '../figures.js'
import { findPostgres, startPostgres } from '../peers/postgres.js'
import { addressesFor, asks } from './ask.js'
import { questions } from './questions.js'

const copied = loadSql(import.meta.url, 'copied.sql')
const table = `CREATE UNLOGGED TABLE transfers (block_number bigint, kind text, position bigint, block_time timestamptz, tx_hash bytea, token bytea, token_symbol text, from_address bytea, to_address bytea,
  amount numeric, value_usd double precision, from_entity text, from_class text, to_entity text, to_class text)`
const indexes = ['(from_address, block_number)', '(to_address, block_number)', '(block_number)', '(block_number) WHERE value_usd >= 100000']

export interface PostgresFigure { readonly version: string; readonly seconds: number; readonly bytesPerTransfer: number; /** Milliseconds, medians, by question. */ readonly medians: Readonly<Record<string, number>> }

/** Rejects where Postgres is not installed, or when it refuses a row. */
export const benchPostgres = async (store: Store, count: number, newest: number, addresses: readonly string[], say: (text: string) => void): Promise<PostgresFigure> => {
  const directory = mkdtempSync(join(tmpdir(), 'hydrophone-bench-pg-'))
  chmodSync(directory, 0o755)
  const postgres = await startPostgres(directory)
  try {
    const url = postgres.create('history'), session = postgres.session(url), began = performance.now()
    await session.ask(table)
    say('history: copying the movements to Postgres …')
    const child = spawn(join(findPostgres(), 'psql'), ['-qAtX', '-v', 'ON_ERROR_STOP=1', '-d', url, '-c', 'COPY transfers FROM STDIN (FORMAT csv, FORCE_NULL (value_usd))'], { stdio: ['pipe', 'ignore', 'inherit'], env: { PATH: process.env['PATH'], LC_ALL: 'C' } })
    const ended = once(child, 'exit')
    const rows = await store.client.query({ query: copied.text, format: 'CSV', clickhouse_settings: { wait_end_of_query: 0, max_block_size: '8192' } })
    await pipeline(rows.stream().map((part: readonly { text: string }[]) => `${part.map(({ text }) => text).join('\n')}\n`), child.stdin)
    const [code] = await ended as [number]
    if (code !== 0) throw new Error(`bench: Postgres did not take the movements (psql ended with ${code})`)
    await session.ask("SET maintenance_work_mem = '1GB'")
    for (const [place, columns] of indexes.entries()) { say(`history: index ${place + 1} of ${indexes.length} in Postgres …`); await session.ask(`CREATE INDEX ON transfers ${columns}`) }
    await session.ask('VACUUM ANALYZE transfers')
    const seconds = (performance.now() - began) / 1_000
    const [held] = await session.ask('SELECT count(*) FROM transfers')
    if (Number(held) !== count) throw new Error(`bench: Postgres has ${held ?? 'no'} movements of ${count}`)
    const [bytes] = await session.ask("SELECT pg_total_relation_size('transfers')")
    await session.ask("SET work_mem = '512MB'")
    const medians: Record<string, number> = {}
    for (const question of questions) {
      const { postgres: statement } = question
      if (statement === undefined) continue
      const slow = question.times !== undefined && question.times > 1
      const taken: number[] = []
      for (let n = 0; n < (slow ? 4 : asks); n += 1) {
        const started = performance.now()
        const answered = await session.ask(statement(n, addressesFor(addresses, n), newest))
        if (answered.length === 0) throw new Error(`bench: Postgres has no answer to '${question.name}'`)
        // The first of the slow ones brings the rows into memory.
        if (!slow || n > 0) taken.push(performance.now() - started)
      }
      medians[question.name] = median(taken)
      say(`history: Postgres, ${question.name}: ${medians[question.name]?.toFixed(1) ?? ''} ms`)
    }
    session.end()
    return { version: postgres.version, seconds, bytesPerTransfer: Number(bytes) / count, medians }
  } finally {
    await postgres.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}
