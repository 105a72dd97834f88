/** The API without its cache of answers: every question is asked of the store. Settings come from the environment; prints its URL. */
import { pino } from 'pino'
import { startApi } from '../../../api/main.js'
import type { Operation } from '../../../api/operation.js'
import { operations } from '../../../api/registry.js'
import { parseConfig } from '../../../schemas/config.js'

const config = parseConfig(process.env)
const uncached = operations.map(({ cacheSeconds: _, ...operation }): Operation => operation as Operation)
const api = await startApi({ ...config, PORT: 0 }, { clickhouseUrl: config.CLICKHOUSE_URL ?? '', redisUrl: config.REDIS_URL ?? '', log: pino({ level: 'warn' }), operations: uncached })
process.stdout.write(`${api.url}\n`)
process.once('SIGTERM', () => { void api.close().then(() => process.exit(0)) })
