/** What /metrics shows of the API. */
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'

export interface Metrics {
  readonly registry: Registry
  request(operation: string, status: number, seconds: number): void
  cache(outcome: 'hit' | 'miss'): void
  inFlight(change: 1 | -1): void
}

/** Numbers by name, until they are collected. */
const openTally = () => {
  const counts = new Map<string, number>()
  return {
    add: (name: string): void => { counts.set(name, (counts.get(name) ?? 0) + 1) },
    take: (): [string, number][] => { const taken = [...counts]; counts.clear(); return taken },
  }
}

/** Counts are kept plainly and become labels when somebody looks: labels on every request cost as much as the cache. */
export const openMetrics = (): Metrics => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const answered = openTally()
  const remembered = openTally()
  let flying = 0
  new Counter({
    name: 'hydrophone_api_requests_total', help: 'Requests by operation and status', labelNames: ['operation', 'status'], registers: [registry],
    collect() { for (const [name, count] of answered.take()) { const [operation = '', status = ''] = name.split(' '); this.inc({ operation, status }, count) } },
  })
  const durations = new Histogram({ name: 'hydrophone_api_request_seconds', help: 'Time to answer, by operation', labelNames: ['operation'], buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10], registers: [registry] })
  new Counter({
    name: 'hydrophone_api_cache_total', help: 'Answers taken from memory or made', labelNames: ['outcome'], registers: [registry],
    collect() { for (const [outcome, count] of remembered.take()) this.inc({ outcome }, count) },
  })
  new Gauge({ name: 'hydrophone_api_requests_in_flight', help: 'Requests being answered', registers: [registry], collect() { this.set(flying) } })
  return {
    registry,
    request: (operation, status, seconds) => { answered.add(`${operation} ${status}`); durations.observe({ operation }, seconds) },
    cache: (outcome) => { remembered.add(outcome) },
    inFlight: (change) => { flying += change },
  }
}
