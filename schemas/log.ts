/** One logger a process: JSON lines, readable on a terminal, and with a store also rows of logs_service. Keys never reach a line. */
import { pino, type Logger, type StreamEntry } from 'pino'
import pretty from 'pino-pretty'
import type { Config } from './config.js'
import { logLines } from './logLines.js'
import type { Store } from './clickhouse.js'
import { lineWithoutSecrets } from './secrets.js'

const secret = ['authorization', 'x-api-key', 'api_key', 'cookie', 'password', 'secret']
const paths = secret.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`])

export interface Log { readonly log: Logger; /** Sends what is buffered for the store; call it before the process ends. */ flush(): Promise<void> }

/** Opens the logger of `service`; what could be a key is replaced by [redacted], what a node's URL keeps secret by [hidden]. Lines from info up also land in `store`. */
export const openLog = (config: Pick<Config, 'LOG_LEVEL' | 'LOG_TO_STORE'>, service: string, store?: Store): Log => {
  const level = config.LOG_LEVEL
  const lines = store !== undefined && config.LOG_TO_STORE ? logLines(store, service) : undefined
  const shown = process.stdout.isTTY === true ? pretty({ singleLine: true, ignore: 'pid,hostname' }) : pino.destination({ dest: 1, sync: false })
  // A full disk or a closed pipe costs log lines, not the process.
  shown.on('error', () => undefined)
  const streams: StreamEntry[] = level === 'silent' ? [] : [{ level, stream: shown }]
  if (lines !== undefined) streams.push({ level: 'info', stream: lines.stream })
  const all = pino.multistream(streams)
  // The whole line: an error quotes its causes, and a cause quotes what a node wrote.
  const log = pino({ level, base: { service }, redact: { paths, censor: '[redacted]' }, hooks: { streamWrite: lineWithoutSecrets } }, all)
  return { log, flush: async () => { await lines?.flush() } }
}
