/** Closes the days of signed reports that are over: the Merkle root of each, signed, for ever. */
import { z } from 'zod'
import { openAttestation } from '../../schemas/attest/keys.js'
import { rootOfDay, statementOf } from '../../schemas/attest/reportDay.js'
import type { Store } from '../../schemas/clickhouse.js'
import { loadSql } from '../../schemas/sql.js'

const openDays = loadSql(import.meta.url, 'open_days.sql')
const lastDay = loadSql(import.meta.url, 'last_day.sql')
const Open = z.object({ day: z.string(), leaves: z.array(z.string()) })
/** A report lands within moments of its time: a day this long over gets no more of them. */
const graceMs = 600_000

/** Closes every day that was over ten minutes before `now` (Unix milliseconds) and before the server's time, the oldest first. Repeating it changes nothing; null: there was none. */
export const closeDays = async (store: Store, now: number): Promise<{ readonly days: number; readonly reports: number } | null> => {
  const open = await store.query(openDays, { now, grace: graceMs }, Open)
  if (open.length === 0) return null
  const signer = await (await openAttestation(store)).signer()
  for (const { day, leaves } of open) {
    const [before] = await store.query(lastDay, {}, z.object({ statement: z.string() }))
    const statement = statementOf(day, leaves, before?.statement ?? null)
    const row = { day, tree_size: leaves.length, root: rootOfDay(leaves), leaves, statement, key_id: signer.key_id, public_key: signer.point, signature: signer.ed25519(statement), closed_at: new Date().toISOString() }
    await store.insertSurely('report_days', [row], `report-day|${day}`, async () => (await store.query('SELECT d.statement AS statement FROM report_days AS d WHERE d.day = toDate({day:String}) LIMIT 1', { day }, z.object({ statement: z.string() }))).length > 0)
  }
  return { days: open.length, reports: open.reduce((sum, { leaves }) => sum + leaves.length, 0) }
}
