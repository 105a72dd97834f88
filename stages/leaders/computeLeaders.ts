/** Leaderboards as of a height: scores over 30, 90 and 180 days, leaders by the newest version of the rule, and the run that says they are there. */
import { z } from 'zod'
import { findChain } from '../../schemas/chains.js'
import type { Store } from '../../schemas/clickhouse.js'
import { AppError } from '../../schemas/errors.js'
import { loadSql } from '../../schemas/sql.js'
import { mend } from '../mend.js'
import { slicesOf } from '../slices.js'

const sql = (name: string) => loadSql(import.meta.url, `${name}.sql`)
const scores = sql('leader_scores'), leaders = sql('leaders'), heightSql = sql('leader_height'), ruleSql = sql('leader_rule'), reachSql = sql('leader_reach'), land = sql('leader_run')

/** Days a leaderboard looks back. */
export const leaderDays = [30, 90, 180] as const
/** The rule leaders are found by. */
export const leaderRule = 'smart_trader'
/** How often a board is set anew because planning overtook it before it landed. */
const landings = 5
/** Wallets with trades per slice: a slice is folded in memory at once. */
const walletsPerSlice = 100_000
const newest = '18446744073709551615'
/** Sort keys do not tell boards of two versions of the rule as of one height apart. */
const by = ['rule', 'rule_version'] as const

const Rule = z.object({ rule: z.string(), version: z.number(), in_force_after: z.number() }).loose()
const Height = z.object({ height: z.number(), until: z.number(), blocks: z.number(), newest_run: z.number(), wallets: z.number() })
const Reach = z.object({ highest: z.number(), landed: z.number() })

export interface LeaderRun { readonly asOf: number; readonly scored: number; readonly leaders: number; /** false: a run of that height, or one less than `in_force_after` blocks below, stands. */ readonly computed: boolean }

/** Computes leaders of `chain` as of `height` (the newest final block when null). Repeating it changes nothing; null: nothing final is indexed. */
export const computeLeaders = async (store: Store, options: { readonly chain: string; readonly height: number | null }): Promise<LeaderRun | null> => {
  const chain = findChain(options.chain)
  if (chain === undefined) throw new AppError('BAD_ARGUMENT', `no chain is called ${options.chain}`)
  const [[rule], [top]] = await Promise.all([
    store.query(ruleSql, { rule: leaderRule }, Rule), store.query(heightSql, { chain: chain.id, height: options.height ?? newest, finality: chain.finality ?? 0 }, Height),
  ])
  if (rule === undefined || top === undefined || top.blocks === 0) return null
  const { height: asOf, until } = top
  if (options.height === null && top.newest_run > 0 && asOf < top.newest_run + rule.in_force_after) return { asOf: top.newest_run, scored: 0, leaders: 0, computed: false }
  const key = `leaders|${chain.id}|${rule.rule}|${rule.version}|${asOf}`
  const base = { ...rule, rule_version: rule.version, chain: chain.id, as_of: asOf, until }
  const reach = async () => (await store.query(reachSql, base, Reach))[0] ?? { highest: asOf, landed: 0 }
  if ((await reach()).landed > 0) return { asOf, scored: 0, leaders: 0, computed: false }
  const slices = slicesOf(top.wallets, walletsPerSlice)
  // Whoever began it before may have been ended anywhere: only what is not there is written.
  let scored = 0
  for (const days of leaderDays) for (const [index, slice] of slices.entries()) scored += (await mend(store, scores, { ...base, days, ...slice }, `${key}|${days}|${index}/${slices.length}`, { by })).rows
  // A board speaks only for blocks that nobody had planned when it landed: alerts of a block are the same whenever it is processed, then or again.
  for (let attempt = 0; attempt < landings; attempt += 1) {
    const inForceFrom = (await reach()).highest + Math.max(1, rule.in_force_after)
    let found = 0
    for (const days of leaderDays) found += (await mend(store, leaders, { ...base, days, in_force_from: inForceFrom }, `${key}|${inForceFrom}|${days}`, { by })).rows
    await store.execute(land, { ...base, in_force_from: inForceFrom }, { token: `${key}|${inForceFrom}|run` })
    if ((await reach()).landed > 0) return { asOf, scored, leaders: found, computed: true }
  }
  throw new AppError('LEADERS_OVERTAKEN', `The leaderboard as of block ${asOf} did not land: more blocks are planned at a time than in_force_after allows`, { retry: 'attempt' })
}
