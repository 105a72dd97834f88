/**
 * One run: what registers say and what the rules find, against what was known before; every difference becomes a row of label_changes.
 * It computes from the store alone, so it may be repeated, and one that died half way is completed by the next.
 */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { AppError } from '../../../schemas/errors.js'
import { loadSql } from '../../../schemas/sql.js'
import { rules } from './rules.js'

const sql = (name: string) => loadSql(import.meta.url, `${name}.sql`)
const basisOf = sql('basis'), fromRules = sql('changes_rules'), fromRegisters = sql('changes_registers'), toReaders = sql('rule_labels')
const Basis = z.object({ height: z.number(), epoch: z.number(), basis: z.string() })
const Last = z.object({ landed: z.coerce.number(), basis: z.string() })
const Attempt = z.object({ attempt: z.coerce.number(), writer: z.string(), age: z.coerce.number() })

/** A run that began longer ago and has not landed is dead; so is one that began as far ahead: a clock was set back since. */
const deadAfterSeconds = 1_800
/** The pipeline goes first: one thread, and no more memory than a small machine has to spare. */
const gently = { max_threads: 1, max_memory_usage: 3_000_000_000, max_bytes_before_external_group_by: 1_000_000_000, max_execution_time: 1_500 }

export interface LabelRun { readonly version: number; readonly height: number; readonly changes: number; /** false: nothing was new since the last run, and nothing was computed. */ readonly ran: boolean }

const busy = () => new AppError('LABELS_BUSY', 'Another run over the labels is under way', { status: 409, retry: 'attempt' })
const attemptsAt = (store: Store, version: number) => store.query('SELECT attempt, writer, dateDiff(\'second\', at, now64(3)) AS age FROM label_runs WHERE version = {version:UInt64} AND step = \'begun\' ORDER BY attempt DESC', { version }, Attempt)

/** Makes version `version` this writer's alone; throws LABELS_BUSY while another's run is under way. Resolves to the attempt's number. */
const claim = async (store: Store, chain: string, version: number, writer: string): Promise<number> => {
  const [last] = await attemptsAt(store, version)
  if (last !== undefined && Math.abs(last.age) < deadAfterSeconds) throw busy()
  const attempt = (last?.attempt ?? 0) + 1
  let first: string | undefined
  await store.insertSurely('label_runs', [{ chain, version, step: 'begun', attempt, writer, height: 0, epoch: 0, basis: '', changes: 0, at: new Date().toISOString() }], `labels|${version}|${attempt}`, async () => {
    first = (await attemptsAt(store, version)).find((one) => one.attempt === attempt)?.writer
    return first !== undefined
  })
  if (first !== writer) throw busy()
  return attempt
}

/** Runs every rule over all of `chain` that is indexed. `always`: also where nothing is new since the last run. */
export const deriveLabels = async (store: Store, chain: string, options: { readonly always?: boolean } = {}): Promise<LabelRun> => {
  const [seen] = await store.query(basisOf, { chain, rules: rules.map(({ id, version }) => `${id}:${version}`).join(',') }, Basis)
  const [last] = await store.query('SELECT max(version) AS landed, argMax(basis, version) AS basis FROM label_runs WHERE step = \'landed\'', {}, Last)
  const { height, epoch, basis } = seen ?? { height: 0, epoch: 0, basis: '' }
  const version = (last?.landed ?? 0) + 1
  if (options.always !== true && last?.basis === basis) return { version: version - 1, height, changes: 0, ran: false }
  const writer = randomUUID()
  const attempt = await claim(store, chain, version, writer)
  const drop = () => store.execute('ALTER TABLE label_candidates DROP PARTITION {version:UInt64}', { version })
  let changes = 0
  try {
    await drop()
    const params = { chain, version, height, epoch, at: Date.now() }
    changes += await store.execute(fromRegisters, params, gently)
    for (const rule of rules) await store.execute(rule.sql, params, gently)
    // A run this slow counted as dead: who took over also emptied the candidates.
    const [newest] = await attemptsAt(store, version)
    if (newest?.writer !== writer) throw busy()
    changes += await store.execute(fromRules, params, gently)
    // Also what an attempt before this one changed and did not bring.
    await store.execute(toReaders, params, gently)
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'LABELS_BUSY') throw thrown
    // The next one need not wait until this one counts as dead.
    await store.insert('label_runs', [{ chain, version, step: 'begun', attempt: attempt + 1, writer: '', height: 0, epoch: 0, basis: '', changes: 0, at: '1970-01-02T00:00:00Z' }], `labels|${version}|${attempt + 1}`)
    throw thrown
  }
  await store.insertSurely('label_runs', [{ chain, version, step: 'landed', attempt, writer, height, epoch, basis, changes, at: new Date().toISOString() }], `labels|${version}|landed`,
    async () => (await store.query('SELECT version FROM label_runs WHERE version = {version:UInt64} AND step = \'landed\' LIMIT 1', { version }, z.object({}))).length > 0)
  await drop()
  return { version, height, changes, ran: true }
}
