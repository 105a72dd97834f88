/** The tasks of the schedule. Each looks back at all of the index, so it is no part of a batch. */
import { hasAccounts } from '../schemas/chains.js'
import type { Store } from '../schemas/clickhouse.js'
import type { Config } from '../schemas/config.js'
import { openUnderWay } from '../schemas/givingWay.js'
import { resting } from '../schemas/resting.js'
import { openClusterThread } from '../stages/clusters/clusterThread.js'
import type { ClusterRun } from '../stages/clusters/runClusters.js'
import { deriveLabels } from '../stages/index/classes/deriveLabels.js'
import { loadOfficial, sanctionsLists } from '../stages/enrich/registers/sanctions/loadLists.js'
import { train } from '../stages/index/predictions/train.js'
import { computeLeaders } from '../stages/leaders/computeLeaders.js'
import { closeDays } from '../stages/reports/closeDays.js'
import { giveSignals } from '../stages/signals/giveSignals.js'
import { computeTraders } from '../stages/traders/computeTraders.js'
import { closeIncident, openIncident } from './incidents.js'
import type { Task } from './schedule.js'

/** Seconds a run may cluster before it gives way to what else is scheduled. */
const clusterSeconds = 10
/** The same of looking at the perps market. */
const signalSeconds = 10
/** Milliseconds that the judging of traders rests at most between two statements: after many fills it has minutes of them, beside the newest trades that are heard and asked for. */
const restMs = 5_000
/** The same of the rules that derive classes: each of their statements takes a minute or two where the history is long. */
const historyRestMs = 120_000

/** Opens an incident where clusters may hold no more addresses, says once a minute that it is so, and closes it where they go on. */
const openCrowd = () => {
  let due = -Infinity
  return async (store: Store, chain: string, { full, height, waiting }: ClusterRun): Promise<void> => {
    const id = `clusters_full|${chain}`
    if (full === undefined) { due = -Infinity; await closeIncident(store, id); return }
    if (performance.now() < due) return
    await openIncident(store, {
      id, chain, kind: 'clusters_full', severity: 'critical', summary: `${chain}: clusters stand still at ${full} addresses, as many as they may hold`,
      detail: `${waiting} blocks above ${height} wait. Each address takes 60 to 100 bytes of memory in the worker of the index stage: raise CLUSTERS_ADDRESSES as far as there is room.`,
    })
    due = performance.now() + 60_000
  }
}

/** `ending` aborts when the worker is about to end: what rests goes on without, and what works piece by piece begins no more. `underWay`: what clusters, in their thread, give way to. */
export const tasks = (config: Config, ending = new AbortController().signal, underWay = openUnderWay()): readonly Task[] => {
  const clusters = openClusterThread(config.CLICKHOUSE_URL ?? '', config.CLICKHOUSE_DATABASE, underWay), tellFull = openCrowd()
  return [
    { name: 'traders', everySeconds: config.TRADERS_EVERY_SECONDS, run: (store, chain) => (chain === 'HL' ? computeTraders(resting(store, restMs, ending), { chain }) : Promise.resolve(null)) },
    { name: 'clusters', everySeconds: config.CLUSTERS_EVERY_SECONDS, run: async (store, chain) => {
      const run = chain === 'BTC' ? await clusters.run(chain, { seconds: clusterSeconds, most: config.CLUSTERS_ADDRESSES }) : null
      if (run === null) return null
      const { full, ...done } = run
      await tellFull(store, chain, run)
      return full !== undefined && done.blocks === 0 ? null : done
    } },
    { name: 'signals', everySeconds: config.SIGNALS_EVERY_SECONDS, run: (store, chain) => (chain === 'HL' ? giveSignals(store, { chain, now: Date.now(), seconds: signalSeconds, ending }) : Promise.resolve(null)) },
    // Reports are of every chain: whichever comes first closes the day, and the others find nothing to do.
    { name: 'report_days', everySeconds: config.REPORT_DAYS_EVERY_SECONDS, run: (store) => closeDays(store, Date.now()) },
  ]
}

/** Tasks that read all of a chain's history, hours of a large one: in a queue of their own, for a market is looked at every few seconds beside them. */
export const historyTasks = (config: Config, ending = new AbortController().signal): readonly Task[] => [
  // What registers say of every chain is noted with the rules.
  { name: 'labels', everySeconds: config.LABELS_EVERY_SECONDS, run: async (store, chain) => {
    if (!hasAccounts(chain)) return null
    const { ran, ...done } = await deriveLabels(resting(store, historyRestMs, ending), chain, { ending })
    return ran ? done : null
  } },
  { name: 'predictions', everySeconds: config.TRAIN_EVERY_SECONDS, run: async (store, chain) => {
    if (!hasAccounts(chain)) return null
    const { ran, ...done } = await train(store, chain)
    return ran ? done : null
  } },
  { name: 'leaders', everySeconds: config.LEADERS_EVERY_SECONDS, run: async (store, chain) => {
    if (!hasAccounts(chain)) return null
    const done = await computeLeaders(store, { chain, height: null })
    return done?.computed === true ? done : null
  } },
]

/** Seconds after a start at which lists are first asked for: what is bundled is old. */
const firstLook = 60

/** Tasks that wait for others' servers, minutes where these are slow: they must not keep the others waiting. */
export const slowTasks = (config: Config): readonly Task[] => [
  { name: 'sanctions', everySeconds: config.SANCTIONS_EVERY_SECONDS, firstSeconds: firstLook, whole: true, run: async (store) => {
    const done: Record<string, string> = {}
    for (const list of sanctionsLists) {
      const { register, status, reason, added, removed } = await loadOfficial(store, list)
      done[register] = status === 'accepted' ? `${added} added, ${removed} removed` : reason === '' ? status : `${status}: ${reason}`
    }
    return done
  } },
]
