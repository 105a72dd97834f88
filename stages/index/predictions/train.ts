/** One training: features of the tokens most traded, models in the store itself, a walk-forward test, predictions where the test was passed, outcomes of earlier ones. */
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { loadSql } from '../../../schemas/sql.js'
import { mend } from '../../mend.js'

const sql = (name: string) => loadSql(import.meta.url, `${name}.sql`)
const [lastHour, outcomes, features, models, tests, predict] = [sql('lastHour'), sql('outcomes'), sql('features'), sql('models'), sql('tests'), sql('predict')]
/** The pipeline goes first; one thread also makes a training repeatable. */
const gently = { max_threads: 1, max_insert_threads: 1, max_memory_usage: 3_000_000_000, max_execution_time: 600,
  // A connection on which nothing comes for five minutes is given up.
  send_progress_in_http_headers: 1, http_headers_progress_interval_ms: 60_000 }
const Hour = z.object({ version: z.number(), lowest: z.number(), blocks: z.number() })
const Seen = z.object({ runs: z.coerce.number() })
const Left = z.object({ version: z.number() })
const Sums = z.object({ rows: z.coerce.number(), tokens: z.coerce.number(), speaking: z.coerce.number() })

export interface Training { /** Unix seconds of the hour it is as of; 0: nothing is indexed. */ readonly version: number; readonly rows: number; readonly tokens: number; readonly speaking: number; readonly outcomes: number; /** false: this hour was trained before. */ readonly ran: boolean }

/** A training may have ended after it had said that it was done: what its models saw goes, as it would have then. */
const clear = async (store: Store, chain: string): Promise<void> => {
  const left = await store.query('SELECT DISTINCT toFloat64(f.version) AS version FROM prediction_features AS f WHERE f.chain = {chain:String} AND f.version IN (SELECT r.version FROM prediction_runs AS r WHERE r.chain = {chain:String})', { chain }, Left)
  if (left.length > 0) await store.execute('DELETE FROM prediction_features WHERE chain = {chain:String} AND version IN {versions:Array(UInt64)}', { chain, versions: left.map(({ version }) => version) })
}

/** Trains `chain` as of its last full hour and predicts the next; the same hour is trained once. */
export const train = async (store: Store, chain: string): Promise<Training> => {
  const [at] = await store.query(lastHour, { chain }, Hour)
  const none = { version: 0, rows: 0, tokens: 0, speaking: 0, outcomes: 0, ran: false }
  if (at === undefined || at.blocks === 0) return none
  const params = { chain, version: at.version, lowest: at.lowest }
  await clear(store, chain)
  const [seen] = await store.query('SELECT count() AS runs FROM prediction_runs WHERE chain = {chain:String} AND version = {version:UInt64}', params, Seen)
  if ((seen?.runs ?? 0) > 0) return { ...none, version: at.version }
  // A training may have been ended anywhere before: only what is not there is written.
  const run = async (statement: typeof predict): Promise<number> => (await mend(store, statement, params, `${chain}|${at.version}|${statement.name}`, { settings: gently })).rows
  const found = await run(outcomes)
  for (const statement of [features, models, tests, predict]) await run(statement)
  const [sums] = await store.query(`SELECT (SELECT count() FROM prediction_features WHERE chain = {chain:String} AND version = {version:UInt64}) AS rows,
    count() AS tokens, countIf(speaks) AS speaking FROM prediction_tests WHERE chain = {chain:String} AND version = {version:UInt64}`, params, Sums)
  const { rows, tokens, speaking } = sums ?? { rows: 0, tokens: 0, speaking: 0 }
  await store.execute(`INSERT INTO prediction_runs SELECT {chain:String}, {version:UInt64}, now64(3), (SELECT min(hour) FROM prediction_features WHERE chain = {chain:String} AND version = {version:UInt64}), toDateTime({version:UInt64}), {rows:UInt64}, {tokens:UInt32}, {speaking:UInt32}`,
    { ...params, rows, tokens, speaking }, { token: `${chain}|${at.version}|run` })
  // The partition is the hour's, and another chain may be training as of the same one: its rows stay. A part of which nothing is left goes with its rows.
  await store.execute('ALTER TABLE prediction_features DELETE IN PARTITION {version:UInt64} WHERE chain = {chain:String} SETTINGS mutations_sync = 1', params)
  return { version: at.version, rows, tokens, speaking, outcomes: found, ran: true }
}
