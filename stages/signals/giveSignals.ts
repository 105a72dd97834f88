/**
 * Looks at the perps market once more: bars, features, what rules see, signals, outcomes. What was looked at is not looked at again, so nothing is said
 * twice and nothing said before is changed. A market of old times gives signals of old times: a signal bears the time at which it could have been given.
 */
import { z } from 'zod'
import { untilThere, type Store } from '../../schemas/clickhouse.js'
import { loadSql, type SqlFile } from '../../schemas/sql.js'
import { mend } from '../mend.js'

const sql = (name: string) => loadSql(import.meta.url, `${name}.sql`)
const clock = sql('clock'), begun = sql('begun'), run = sql('run'), untold = sql('untold')
/** The rules, each a file: what it sees becomes a signal by the versions in hl_signal_rules. */
export const signalKinds = [
  'funding_extreme', 'open_interest', 'bearish_divergence', 'whale_flow', 'trade_imbalance', 'order_flow', 'toxic_flow', 'liquidation_cluster', 'cascade_setup', 'smart_money', 'smart_bias',
] as const
/** In their order: each reads what those before it wrote. */
const steps = [sql('holding_looks'), sql('holdings'), sql('leading'), sql('bars'), sql('levels'), sql('features'), sql('stances'), ...signalKinds.map((kind) => sql(`rules/${kind}`)), sql('signals'), sql('baseline'), sql('near'), sql('eased'), sql('outcomes')]
/** What is told of them all, worked out when a look is over; of the newest one alone, where there are more. */
const accounts = [sql('marks'), sql('results')]
const newest = '9223372036854775807'

const Stretch = z.object({ from_time: z.number(), to_time: z.number(), through: z.string(), open_since: z.number() })
type Stretch = z.infer<typeof Stretch>
const Noted = z.object({ done: z.boolean() })

export interface Given { readonly runs: number; readonly rows: number; /** Until when the market was looked at, ISO 8601. */ readonly until: string }

/** Looks at all that is ready, up to segment `through`, for `seconds` at most and not past the run under way when `ending` aborts: the next look goes on from there; `now` in Unix milliseconds. null: nothing is ready. */
export const giveSignals = async (store: Store, options: { readonly chain: string; readonly now: number; readonly seconds: number; readonly through?: string; readonly ending?: AbortSignal }): Promise<Given | null> => {
  const started = performance.now()
  let runs = 0, rows = 0, last: Stretch | undefined
  // Whoever looked last may have ended before it was told, and nothing may be ready for long.
  const [left] = await store.query(untold, { chain: options.chain }, Stretch)
  if (left !== undefined) await tell(store, options.chain, left, true)
  while (options.ending?.aborted !== true && performance.now() - started < options.seconds * 1_000) {
    const [unfinished] = await store.query(begun, { chain: options.chain }, Stretch)
    const stretch = unfinished ?? (await store.query(clock, { chain: options.chain, now: options.now, through: options.through ?? newest }, Stretch))[0]
    if (stretch === undefined) break
    last = stretch
    rows += await look(store, options.chain, stretch, unfinished !== undefined)
    runs += 1
  }
  if (last === undefined) return null
  await tell(store, options.chain, last, false)
  return { runs, rows, until: new Date(last.to_time * 1_000).toISOString() }
}

const isNoted = 'SELECT done FROM hl_signal_runs WHERE chain = {chain:String} AND to_time = toDateTime({to_time:UInt32}, \'UTC\') AND done = {done:Bool} AND told = {told:Bool} LIMIT 1'
/** Says how far a run is, until that stands: one that is never said to be done is looked at for ever. */
const note = async (store: Store, params: Readonly<Record<string, unknown>> & { readonly done: boolean; readonly told: boolean }, token: string): Promise<void> => {
  await untilThere(token, (spare) => store.execute(run, params, { token: spare }), async () => (await store.query(isNoted, params, Noted))[0])
}

const keyOf = (chain: string, { from_time: from, to_time: to, through }: Stretch): string => `signals|${chain}|${from}|${to}|${through}`

/** One run; `again`: it was begun and cut off, and writes what is missing. Resolves to rows of its statements. */
const look = async (store: Store, chain: string, stretch: Stretch, again: boolean): Promise<number> => {
  const params = { chain, ...stretch }, key = keyOf(chain, stretch)
  await note(store, { ...params, done: false, told: false }, `${key}|begun`)
  let rows = 0
  for (const step of steps) rows += await once(store, step, params, key, again)
  await note(store, { ...params, done: true, told: false }, `${key}|done`)
  return rows
}

const once = async (store: Store, step: SqlFile, params: Readonly<Record<string, unknown>>, key: string, again: boolean): Promise<number> => {
  const token = `${key}|${step.name}`
  return again ? (await mend(store, step, params, token)).rows : await store.execute(step, params, { token })
}

/** Marks and results as of the end of a look, each once; `again`: it was cut off, and what stands is not written twice. */
const tell = async (store: Store, chain: string, stretch: Stretch, again: boolean): Promise<void> => {
  const params = { chain, ...stretch }, key = keyOf(chain, stretch)
  for (const step of accounts) await once(store, step, params, key, again)
  await note(store, { ...params, done: true, told: true }, `${key}|told`)
}
