/** Something the pipeline needs and that may be away: an incident is opened when that lasts, and closed when it answers again. */
import type { Store } from '../schemas/clickhouse.js'
import { closeIncident, openIncident, type Incident } from './incidents.js'

export interface Outage { /** It answered. */ good(): Promise<void>; /** It did not, for this reason. */ bad(reason: string): Promise<void>; /** It is not asked now: what was counted of its silence is none. */ rest(): void }

/**
 * `afterMs`: milliseconds of failing before an operator is told. An incident that a dead process left open is closed by the first answer to one that begins, or by a later one:
 * who lives and gets none says so every `againMs`, and who gets some looks as often whether one is open of which that was not said lately.
 */
export const watchOutage = (store: Store, incident: Incident, afterMs: number, againMs = 60_000): Outage => {
  // By a clock that nobody sets, as all here: one that was set forward is no outage.
  let since: number | undefined
  let open: boolean | undefined
  /** When what is open, or closed, is written or looked at again. */
  let due = -Infinity
  const is = (state: boolean): void => { open = state; due = performance.now() + againMs }
  return {
    good: async () => {
      since = undefined
      if (open === false && performance.now() < due) return
      await closeIncident(store, incident.id, open === false ? againMs * 2.5 : 0)
      is(false)
    },
    bad: async (reason) => {
      since ??= performance.now()
      if (open === true ? performance.now() < due : performance.now() - since < afterMs) return
      await openIncident(store, { ...incident, detail: reason })
      is(true)
    },
    rest: () => { since = undefined },
  }
}
