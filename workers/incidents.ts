/** Things an operator must see, in ClickHouse; the newest row of an id counts. */
import type { Store } from '../schemas/clickhouse.js'

export interface Incident { readonly id: string; readonly chain: string; readonly kind: string; readonly severity: 'info' | 'warning' | 'critical'; readonly summary: string; readonly detail?: string; readonly closed?: boolean }

/** Opens an incident (or records one that is over already). */
export const openIncident = (store: Store, incident: Incident): Promise<void> => {
  const now = new Date().toISOString()
  return store.insert('incidents', [{
    id: incident.id, chain: incident.chain, kind: incident.kind, severity: incident.severity, summary: incident.summary, detail: incident.detail ?? '',
    opened_at: now, closed_at: incident.closed === true ? now : null, at: now,
  }])
}

/** Closes an open incident; nothing happens when there is none. */
export const closeIncident = async (store: Store, id: string): Promise<void> => {
  await store.execute(`INSERT INTO incidents SELECT id, chain, kind, severity, summary, detail, opened_at, now64(3), now64(6)
    FROM incidents FINAL WHERE id = {id:String} AND closed_at IS NULL`, { id })
}
