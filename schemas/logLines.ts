/** Log lines into ClickHouse: buffered, sent once a second, dropped (and counted) rather than ever holding up the service. */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { DestinationStream } from 'pino'
import type { Store } from './clickhouse.js'
import { loadSql } from './sql.js'

const insertLines = loadSql(import.meta.url, 'logLines.sql')
const limit = 5_000

/** A pino stream whose lines land in logs_service, cut into columns there; `flush` sends the rest, waits for what is on its way, and stops the timer. */
export const logLines = (store: Store, service: string): { stream: DestinationStream; flush: () => Promise<void> } => {
  let buffer: string[] = []
  let dropped = 0
  const under = new Set<Promise<void>>()
  const sendLines = async (): Promise<void> => {
    if (dropped > 0) { buffer.push(`${JSON.stringify({ level: 40, time: Date.now(), msg: 'log lines were dropped', lines: dropped })}\n`); dropped = 0 }
    const lines = buffer
    buffer = []
    if (lines.length === 0) return
    try { await store.insertStream(insertLines.text, Readable.from([Buffer.from(lines.join(''))]), { service }, randomUUID()) } catch { dropped += lines.length }
  }
  const send = (): Promise<void> => {
    const sending = sendLines().finally(() => { under.delete(sending) })
    under.add(sending)
    return sending
  }
  const timer = setInterval(() => { void send() }, 1_000)
  timer.unref()
  return {
    stream: { write: (line) => { if (buffer.length >= limit) dropped += 1; else buffer.push(line) } },
    flush: async () => { clearInterval(timer); await Promise.all([...under, send()]) },
  }
}
