/** Traders of a venue: positions of the accounts of which something new was told, their metrics, styles and what is suspected of them. */
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { loadSql } from '../../schemas/sql.js'

const sql = (name: string) => loadSql(import.meta.url, `${name}.sql`)
const planSql = sql('plan'), lastWalk = sql('last_walk'), walks = sql('walks'), weight = sql('weight'), land = sql('land')
/** By slices of accounts, one statement after the other: their positions; then what is measured of these, and what is judged by that. */
const walked = ['walk', 'trips'].map(sql), judged = ['results', 'flows', 'returns', 'exposures', 'edges', 'insiders', 'links', 'insiders_gone', 'traders'].map(sql)
const retire = sql('retire')

const newest = '18446744073709551615'
/** Fills, and accounts with their hours, that a slice of accounts holds in memory at once, about. */
const fillsPerSlice = 1_000_000, accountsPerSlice = 2_000

const Plan = z.object({ done: z.number(), upto: z.number(), last_run: z.number(), until: z.number(), touched: z.number() })
const Weight = z.object({ fills: z.number(), accounts: z.number() })

export interface TraderRun { readonly accounts: number; readonly trips: number; readonly upto: number }

/** Walks and judges what is new up to segment `upto` (what enrich has finished when null). Repeating it changes nothing; null: nothing is new. One at a time. */
export const computeTraders = async (store: Store, { chain, upto = null }: { readonly chain: string; readonly upto?: number | null }): Promise<TraderRun | null> => {
  const [plan] = await store.query(planSql, { chain, upto: upto ?? newest }, Plan)
  if (plan === undefined || plan.touched === 0) return null
  // Rows of a later run win over those of an earlier one, so it is above those too that were ended before they landed, under whatever clock.
  const [walk] = await store.query(lastWalk, { chain }, z.object({ run: z.number() }))
  const run = Math.max(Date.now(), plan.last_run + 1, (walk?.run ?? 0) + 1)
  const base = { chain, run, done: plan.done, upto: plan.upto, until: plan.until }
  await store.execute(walks, base)
  const [{ fills, accounts } = { fills: 0, accounts: 0 }] = await store.query(weight, base, Weight)
  const slices = Math.max(1, Math.ceil(fills / fillsPerSlice), Math.ceil(accounts / accountsPerSlice))
  let trips = 0
  for (const statement of walked) for (let slice = 0; slice < slices; slice += 1) trips = await store.execute(statement, { ...base, slices, slice })
  await store.execute(retire, base)
  for (const statement of judged) for (let slice = 0; slice < slices; slice += 1) await store.execute(statement, { ...base, slices, slice })
  await store.execute(land, { ...base, accounts })
  return { accounts, trips, upto: plan.upto }
}
