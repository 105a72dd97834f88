/** Log lines into ClickHouse: buffered, sent once a second, dropped (and counted) rather than ever holding up the service. */
import type { DestinationStream } from 'pino'
import type { Store } from './clickhouse.js'

const levels: Readonly<Record<number, string>> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }
const limit = 5_000

const text = (value: unknown): string => (typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value))

/** A pino stream whose lines land in logs_service; `flush` sends the rest and stops the timer. */
export const logLines = (store: Store, service: string): { stream: DestinationStream; flush: () => Promise<void> } => {
  let buffer: object[] = []
  let dropped = 0
  const send = async (): Promise<void> => {
    const rows = buffer
    buffer = []
    if (rows.length === 0) return
    try { await store.insert('logs_service', rows) } catch { dropped += rows.length }
  }
  const timer = setInterval(() => { void send() }, 1_000)
  timer.unref()
  return {
    stream: {
      write: (line) => {
        if (buffer.length >= limit) { dropped += 1; return }
        const { level, time, msg, service: _service, stage, chain, batch, traceId, ...rest } = JSON.parse(line) as Record<string, unknown>
        if (dropped > 0) { rest['lines_dropped_before'] = dropped; dropped = 0 }
        buffer.push({
          at: new Date(Number(time)).toISOString(), level: levels[Number(level)] ?? 'info', service, message: text(msg), trace_id: text(traceId),
          stage: text(stage), chain: text(chain), batch: text(batch), metadata: JSON.stringify(rest),
        })
      },
    },
    flush: async () => { clearInterval(timer); await send() },
  }
}
