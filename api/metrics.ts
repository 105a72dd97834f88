/** What /metrics shows of the API. */
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'

export interface Metrics {
  readonly registry: Registry
  request(operation: string, status: number, seconds: number): void
  cache(outcome: 'hit' | 'miss'): void
  inFlight(change: 1 | -1): void
}

export const openMetrics = (): Metrics => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({ name: 'hydrophone_api_requests_total', help: 'Requests by operation and status', labelNames: ['operation', 'status'], registers: [registry] })
  const durations = new Histogram({ name: 'hydrophone_api_request_seconds', help: 'Time to answer, by operation', labelNames: ['operation'], buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10], registers: [registry] })
  const cached = new Counter({ name: 'hydrophone_api_cache_total', help: 'Answers taken from memory or made', labelNames: ['outcome'], registers: [registry] })
  const flying = new Gauge({ name: 'hydrophone_api_requests_in_flight', help: 'Requests being answered', registers: [registry] })
  return {
    registry,
    request: (operation, status, seconds) => { requests.inc({ operation, status }); durations.observe({ operation }, seconds) },
    cache: (outcome) => { cached.inc({ outcome }) },
    inFlight: (change) => { flying.inc(change) },
  }
}
