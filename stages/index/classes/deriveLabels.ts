/**
 * One run: what registers say and what the rules find, against what was known before; every difference becomes a row of label_changes.
 * It computes from the store alone, so it may be repeated, and one that died half way is completed by the next.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { AppError } from '../../../schemas/errors.js'
import { loadSql, type SqlFile } from '../../../schemas/sql.js'
import { slicesOf, type Slice } from '../../slices.js'
import { rules } from './rules.js'

const sql = (name: string) => loadSql(import.meta.url, `${name}.sql`)
const basisOf = sql('basis'), fromRules = sql('changes_rules'), fromRegisters = sql('changes_registers'), toReaders = sql('rule_labels'), historyRows = sql('historyRows')
const Basis = z.object({ height: z.number(), epoch: z.number(), basis: z.string() })
const Last = z.object({ landed: z.coerce.number(), basis: z.string() })
const Rows = z.object({ rows: z.number() })
const Attempt = z.object({ attempt: z.coerce.number(), writer: z.string(), age: z.coerce.number() })

/** A run that has not landed and was not heard of for longer is dead; so is one that began as far ahead: a clock was set back since. Between two statements it is heard of, not more often than the other. */
const deadAfterSeconds = 1_800, heardSeconds = 60
/** The pipeline goes first: one thread, and no more memory than a small machine has to spare. A statement takes less time than a run that is silent is alive. */
const gently = { max_threads: 1, max_memory_usage: 3_000_000_000, max_bytes_before_external_group_by: 1_000_000_000, max_execution_time: 1_500,
  // A connection on which nothing comes for five minutes is given up.
  send_progress_in_http_headers: 1, http_headers_progress_interval_ms: 60_000 }

/** Milliseconds after which a server that was told to give a statement up is told so again. */
const toldAgainMs = 200

/** No more labels than addresses; of 300,000 that stand a slice takes 400 MB. */
const changesRowsEach = 8_000_000

export interface LabelRun { readonly version: number; readonly height: number; readonly changes: number; /** false: nothing was new since the last run, and nothing was computed. */ readonly ran: boolean }

const left = (cause?: unknown) => new AppError('WORKER_ENDING', 'The run over the labels was left: its worker ends', { retry: 'attempt', cause })
const busy = () => new AppError('LABELS_BUSY', 'Another run over the labels is under way', { status: 409, retry: 'attempt' })
const attemptsAt = (store: Store, version: number) => store.query('SELECT attempt, writer, min(dateDiff(\'second\', at, now64(3))) AS age FROM label_runs WHERE version = {version:UInt64} AND step = \'begun\' GROUP BY attempt, writer ORDER BY attempt DESC', { version }, Attempt)
const begun = (chain: string, version: number, attempt: number, writer: string, at = new Date().toISOString()) => ({ chain, version, step: 'begun', attempt, writer, height: 0, epoch: 0, basis: '', changes: 0, at })

/** Makes version `version` this writer's alone; throws LABELS_BUSY while another's run is under way. Resolves to the attempt's number. */
const claim = async (store: Store, chain: string, version: number, writer: string): Promise<number> => {
  const [last] = await attemptsAt(store, version)
  if (last !== undefined && Math.abs(last.age) < deadAfterSeconds) throw busy()
  const attempt = (last?.attempt ?? 0) + 1
  let first: string | undefined
  await store.insertSurely('label_runs', [begun(chain, version, attempt, writer)], `labels|${version}|${attempt}`, async () => {
    first = (await attemptsAt(store, version)).find((one) => one.attempt === attempt)?.writer
    return first !== undefined
  })
  if (first !== writer) throw busy()
  return attempt
}

/** `always`: also where nothing is new since the last run. `rowsEach`: rows of history for which there is a slice of the addresses, in place of what the rules say. `ending`: aborts where no statement is to begin any more. `tell`: is told what is run next. */
export interface LabelOptions { readonly always?: boolean; readonly rowsEach?: number; readonly ending?: AbortSignal; tell?(line: string): void }

/** Runs every rule over all of `chain` that is indexed; throws WORKER_ENDING where it was not to go on. */
export const deriveLabels = async (store: Store, chain: string, { always = false, rowsEach, ending, tell = () => undefined }: LabelOptions = {}): Promise<LabelRun> => {
  const [seen] = await store.query(basisOf, { chain, rules: rules.map(({ id, version }) => `${id}:${version}`).join(',') }, Basis)
  const [last] = await store.query('SELECT max(version) AS landed, argMax(basis, version) AS basis FROM label_runs WHERE step = \'landed\'', {}, Last)
  const { height, epoch, basis } = seen ?? { height: 0, epoch: 0, basis: '' }
  const version = (last?.landed ?? 0) + 1
  if (!always && last?.basis === basis) return { version: version - 1, height, changes: 0, ran: false }
  const writer = randomUUID()
  const attempt = await claim(store, chain, version, writer)
  const drop = () => store.execute('ALTER TABLE label_candidates DROP PARTITION {version:UInt64}', { version })
  const name = `labels|${version}|${attempt}`, params = { chain, version, height, epoch, at: Date.now() }
  let changes = 0, heard = 0, isOver = false
  // A statement takes longer than a worker has to end: the server is told to give it up, and the run is over before the worker is. Told once it may not have the statement yet, which was put off or is on its way, or may not answer.
  const tellAgain = async (): Promise<void> => { for (; !isOver; await sleep(toldAgainMs)) await store.over(name, true).catch(() => undefined) }
  const giveUp = (): void => { void tellAgain() }
  ending?.addEventListener('abort', giveUp)
  const run = async (statement: SqlFile, slice: Slice): Promise<number> => {
    // A run that was silent too long counted as dead: who took over also emptied the candidates.
    const [newest] = await attemptsAt(store, version)
    if (newest?.writer !== writer) throw busy()
    if (newest.age >= heardSeconds) await store.insert('label_runs', [begun(chain, version, attempt, writer)], `${name}|heard ${heard += 1}`)
    // Behind the look, which the store may have rested before: the worker ended meanwhile, perhaps.
    if (ending?.aborted === true) throw left()
    return store.execute(statement, { ...params, ...slice }, { ...gently, alone: `${name}|${statement.name}|${slice.first}` })
  }
  try {
    // The server may go on with what an attempt before gave up, or was ended in: it would write beside this one.
    await store.over(`labels|${version}`, true)
    await drop()
    const [{ rows } = { rows: 0 }] = await store.query(historyRows, { chain }, Rows)
    const each = async (statement: SqlFile, rowsOfSlice = Infinity): Promise<number> => {
      const slices = slicesOf(rows, rowsOfSlice === Infinity ? Infinity : rowsEach ?? rowsOfSlice)
      let written = 0
      for (const [index, slice] of slices.entries()) {
        tell(`${statement.name}, ${index + 1} of ${slices.length}`)
        written += await run(statement, slice)
      }
      return written
    }
    changes += await each(fromRegisters)
    for (const rule of rules) await each(rule.sql, rule.rowsEach)
    changes += await each(fromRules, changesRowsEach)
    // Also what an attempt before this one changed and did not bring.
    await each(toReaders)
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'LABELS_BUSY') throw thrown
    // What was given up here the server may go on with. Where it does not answer, the next one ends it.
    await store.over(name, true).catch(() => undefined)
    // The next one need not wait until this one counts as dead.
    await store.insert('label_runs', [begun(chain, version, attempt + 1, '', '1970-01-02T00:00:00Z')], `labels|${version}|${attempt + 1}`)
    throw ending?.aborted === true ? left(thrown) : thrown
  } finally {
    isOver = true
    ending?.removeEventListener('abort', giveUp)
  }
  await store.insertSurely('label_runs', [{ chain, version, step: 'landed', attempt, writer, height, epoch, basis, changes, at: new Date().toISOString() }], `labels|${version}|landed`,
    async () => (await store.query('SELECT version FROM label_runs WHERE version = {version:UInt64} AND step = \'landed\' LIMIT 1', { version }, z.object({}))).length > 0)
  await drop()
  return { version, height, changes, ran: true }
}
