/** Things an operator must see, in ClickHouse; the newest row of an id counts. */
import type { Store } from '../schemas/clickhouse.js'
import { loadSql } from '../schemas/sql.js'

export interface Incident { readonly id: string; readonly chain: string; readonly kind: string; readonly severity: 'info' | 'warning' | 'critical'; readonly summary: string; readonly detail?: string; readonly closed?: boolean }

const incidentSql = loadSql(import.meta.url, 'incident.sql')

/** Opens an incident (or records one that is over already); one that is open stays opened when it was. */
export const openIncident = async (store: Store, { detail = '', closed = false, ...incident }: Incident): Promise<void> => { await store.execute(incidentSql, { ...incident, detail, closed }) }

/** Closes an open incident, where it was last said `quietMs` ago at least; nothing happens when there is none. */
export const closeIncident = async (store: Store, id: string, quietMs = 0): Promise<void> => {
  await store.execute(`INSERT INTO incidents SELECT id, chain, kind, severity, summary, detail, opened_at, greatest(now64(3, 'UTC'), opened_at), greatest(now64(6, 'UTC'), at + toIntervalMicrosecond(1))
    FROM incidents FINAL WHERE id = {id:String} AND closed_at IS NULL AND ({quiet:UInt32} = 0 OR at <= now64(6, 'UTC') - toIntervalMillisecond({quiet:UInt32}))`, { id, quiet: quietMs })
}
