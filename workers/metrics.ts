/** What a worker tells Prometheus, per stage and chain. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

export const registry = new Registry()
collectDefaultMetrics({ register: registry })

const labelNames = ['stage', 'chain'] as const
export const batches = new Counter({ name: 'hydrophone_batches_total', help: 'Batches a stage has finished', labelNames: [...labelNames, 'outcome'], registers: [registry] })
export const blocks = new Counter({ name: 'hydrophone_blocks_total', help: 'Blocks a stage has finished', labelNames, registers: [registry] })
export const rows = new Counter({ name: 'hydrophone_rows_total', help: 'Rows a stage has written', labelNames, registers: [registry] })
export const received = new Counter({ name: 'hydrophone_received_bytes_total', help: 'Bytes received from nodes', labelNames, registers: [registry] })
export const duration = new Histogram({ name: 'hydrophone_batch_seconds', help: 'Time a stage took for a batch', labelNames, buckets: [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30], registers: [registry] })
export const head = new Gauge({ name: 'hydrophone_head_block', help: 'Newest block of the nodes', labelNames: ['chain'], registers: [registry] })
export const planned = new Gauge({ name: 'hydrophone_planned_block', help: 'Highest block in the plan', labelNames: ['chain'], registers: [registry] })
export const full = new Gauge({ name: 'hydrophone_store_full', help: '1: ClickHouse refused this process a write within a minute, its disk being full, over its quota or read-only, or its files at their limit', registers: [registry] })
export const rollbacks = new Counter({ name: 'hydrophone_rollbacks_total', help: 'Reorgs rolled back', labelNames: ['chain'], registers: [registry] })
export const stalled = new Counter({ name: 'hydrophone_stalled_total', help: 'Jobs found without a living worker', labelNames: ['stage'], registers: [registry] })
export const waiting = new Gauge({ name: 'hydrophone_queue_jobs', help: 'Jobs in a queue by state', labelNames: ['stage', 'state'], registers: [registry] })
