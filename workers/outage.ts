/** Something the pipeline needs and that may be away: an incident is opened when that lasts, and closed when it answers again. */
import type { Store } from '../schemas/clickhouse.js'
import { closeIncident, openIncident, type Incident } from './incidents.js'

export interface Outage { /** It answered. */ good(): Promise<void>; /** It did not, for this reason. */ bad(reason: string): Promise<void>; /** It is not asked now: what was counted of its silence is none. */ rest(): void }

/** `afterMs`: milliseconds of failing before an operator is told. An incident that a dead process left open is closed by the first answer. */
export const watchOutage = (store: Store, incident: Incident, afterMs: number): Outage => {
  let since: number | undefined
  let open: boolean | undefined
  return {
    good: async () => {
      since = undefined
      if (open === false) return
      await closeIncident(store, incident.id)
      open = false
    },
    bad: async (reason) => {
      // By a clock that nobody sets: one that was set forward is no outage.
      since ??= performance.now()
      if (open === true || performance.now() - since < afterMs) return
      await openIncident(store, { ...incident, detail: reason })
      open = true
    },
    rest: () => { since = undefined },
  }
}
