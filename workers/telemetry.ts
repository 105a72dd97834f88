/** BullMQ's telemetry hook onto prom-client: its own counters and durations, and one trace id carried from stage to stage. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { Span, Telemetry } from 'bullmq'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

type Attributes = Record<string, unknown>
interface Trace { readonly traceId: string }

const traces = new AsyncLocalStorage<Trace>()

/** The trace id of the job being run ('' outside of one). */
export const traceId = (): string => traces.getStore()?.traceId ?? ''

const labels = ['queue', 'job_name'] as const
const pick = (attributes: Attributes = {}) => ({ queue: String(attributes['bullmq.queue.name'] ?? attributes['bullmq.queue'] ?? ''), job_name: String(attributes['bullmq.job.name'] ?? '') })
const nameOf = (name: string): string => name.replace(/[^a-zA-Z0-9_]/g, '_')

const span: Span<Trace> = {
  setSpanOnContext: (context) => context, setAttribute: () => undefined, setAttributes: () => undefined, addEvent: () => undefined, recordException: () => undefined, end: () => undefined,
}

/** The metric of that name, made on first use: every worker and queue of a process shares it. */
const shared = <Metric>(register: Registry, name: string, make: () => Metric): Metric => (register.getSingleMetric(name) as Metric | undefined) ?? make()

export const telemetry = (register: Registry): Telemetry<Trace> => ({
  tracer: { startSpan: () => span },
  contextManager: {
    with: (context: Trace, run) => traces.run(context, run) as ReturnType<typeof run>,
    active: () => traces.getStore() ?? { traceId: randomBytes(8).toString('hex') },
    root: () => ({ traceId: randomBytes(8).toString('hex') }),
    getMetadata: (context: Trace) => context.traceId,
    fromMetadata: (_active, metadata) => ({ traceId: metadata }),
  },
  meter: {
    createCounter: (name, options) => {
      const counter = shared(register, nameOf(name), () => new Counter({ name: nameOf(name), help: options?.description ?? name, labelNames: labels, registers: [register] }))
      return { add: (value, attributes) => { counter.inc(pick(attributes), value) } }
    },
    createHistogram: (name, options) => {
      const histogram = shared(register, nameOf(name), () => new Histogram({ name: nameOf(name), help: options?.description ?? name, labelNames: labels, buckets: [10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000], registers: [register] }))
      return { record: (value, attributes) => { histogram.observe(pick(attributes), value) } }
    },
    createGauge: (name, options) => {
      const gauge = shared(register, nameOf(name), () => new Gauge({ name: nameOf(name), help: options?.description ?? name, labelNames: labels, registers: [register] }))
      return { record: (value, attributes) => { gauge.set(pick(attributes), value) } }
    },
  },
})
