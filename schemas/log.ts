/** One logger a process: JSON lines, readable on a terminal. Keys and authorization never reach a line. */
import { pino, type Logger } from 'pino'
import type { Config } from './config.js'

const secret = ['authorization', 'x-api-key', 'api_key', 'cookie', 'password', 'secret']
const paths = secret.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`])

/** Opens the logger of `service`; what could be a key is replaced by [redacted]. */
export const openLog = (config: Pick<Config, 'LOG_LEVEL'>, service: string): Logger => {
  const options = { level: config.LOG_LEVEL, base: { service }, redact: { paths, censor: '[redacted]' }, timestamp: pino.stdTimeFunctions.isoTime }
  return process.stdout.isTTY === true ? pino({ ...options, transport: { target: 'pino-pretty', options: { singleLine: true, ignore: 'pid,hostname' } } }) : pino(options)
}
