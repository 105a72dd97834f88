/** The API: opens its parts, listens, drains. `npm run api` runs it alone; `up` and tests call startApi. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { openStore } from '../schemas/clickhouse.js'
import { giveUp, parseOptions } from '../schemas/command.js'
import { parseConfig, type Config } from '../schemas/config.js'
import { AppError } from '../schemas/errors.js'
import { openLog } from '../schemas/log.js'
import { checkSchema } from '../schemas/migrations.js'
import { openPipelineControl, type PipelineControl } from '../workers/control.js'
import { createApp } from './app.js'
import { openAttestation } from '../schemas/attest/keys.js'
import type { Mount, Parts } from './context.js'
import { openCoverage } from './coverage.js'
import { openCursors } from './cursors.js'
import { openInvoke } from './invoke.js'
import { openKeys } from './keys.js'
import { openLimits } from './limits.js'
import { openMetrics } from './metrics.js'
import { openOwed } from './owed.js'
import { mounts } from './mounts.js'
import type { Operation } from './operation.js'
import { operations as registered } from './registry.js'
import { connectRedis } from './redis.js'
import { openAnalysts } from './sql/analysts.js'
import { openRefusals } from './unparsed.js'

export interface ApiOptions {
  readonly clickhouseUrl: string
  readonly redisUrl: string
  readonly log: Logger
  readonly pipeline?: PipelineControl
  /** Parts of the site beside the registry, given the API's parts to share; default: those of mounts.ts. */
  readonly mounts?: (parts: Omit<Parts, 'mounts'>) => readonly Mount[]
  readonly bearer?: Parts['bearer']
  readonly operations?: readonly Operation[]
  /** Parse every answer by its output schema; default: where NODE_ENV is test. */
  readonly validate?: boolean
  /** Milliseconds within which the head of a request, and all of it, must have arrived, and within which a caller must take some of an answer that lies ready; default 10 s, 30 s and 60 s. */
  readonly patience?: { readonly head: number; readonly whole: number; readonly unread?: number }
}
/** Milliseconds for lines of the audit log that are still owed when the last request has ended: half of what a process has then (writeMs). */
const owedMs = 1_500

export interface Api { readonly url: string; readonly parts: Parts; close(): Promise<void> }

const listen = (server: Server, port: number, host: string): Promise<number> => new Promise((resolve, reject) => {
  server.once('error', (fault: NodeJS.ErrnoException) => {
    reject(fault.code === 'EADDRINUSE' ? new AppError('PORT_TAKEN', `Port ${port} on ${host} is taken by another program. Set PORT to a free one.`, { cause: fault })
      : new AppError('HOST_UNUSABLE', `Port ${port} on ${host} cannot be listened on: ${fault.message}. Set HOST to an address of this machine, and PORT to one this user may listen on.`, { cause: fault }))
  })
  server.listen(port, host, () => { const at = server.address(); resolve(typeof at === 'object' && at !== null ? at.port : port) })
})

/** Starts the API on config.PORT (0: any free port); rejects with PORT_TAKEN. `close` waits for answers under way. */
export const startApi = async (config: Config, options: ApiOptions): Promise<Api> => {
  const { log } = options
  const redis = await connectRedis(options.redisUrl, log)
  const store = openStore(options.clickhouseUrl, config.CLICKHOUSE_DATABASE, { readOnly: true })
  const writer = openStore(options.clickhouseUrl, config.CLICKHOUSE_DATABASE, { connections: 4 })
  const metrics = openMetrics()
  const services = {
    keys: openKeys(store, writer, Date.now, log), cursors: await openCursors(config, writer), pipeline: options.pipeline ?? openPipelineControl(writer, options.redisUrl, config.QUEUE_PREFIX),
    coverage: openCoverage(store), limits: openLimits(redis, config), analysts: openAnalysts(options.clickhouseUrl, config.CLICKHOUSE_DATABASE, store, writer), attestation: await openAttestation(writer),
  }
  const owed = openOwed(log)
  const validate = options.validate ?? process.env['NODE_ENV'] === 'test'
  const base = { config, redisUrl: options.redisUrl, redis, log, store, writer, services, metrics, invoke: openInvoke(metrics, { validate, owed }), operations: options.operations ?? registered, bearer: options.bearer }
  const parts: Parts = { ...base, mounts: options.mounts?.(base) ?? mounts.map((mount) => mount(base)) }
  const close = async (): Promise<void> => {
    await Promise.all(parts.mounts.map(async (mount) => { await mount.close?.() }))
    redis.disconnect()
    if (options.pipeline === undefined) await services.pipeline.close()
    await Promise.all([owed.close(owedMs), services.keys.close(), services.analysts.close()])
    await Promise.all([store.close(), writer.close()])
  }
  const app = createApp(parts).callback()
  const { head, whole, unread = 60_000 } = options.patience ?? { head: 10_000, whole: 30_000 }
  /** Ends the connection of a caller who takes nothing of what lies ready. One for whom nothing lies ready waits for us: a long statement, a stream without news. */
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    response.setTimeout(unread, () => { if (response.writableLength > 0) response.destroy() })
    void app(request, response)
  }
  // Node looks for late requests only every half minute unless told otherwise.
  // A request without a host is refused by us, as everything else: Node's own refusal has no request id.
  const server = createServer({ requireHostHeader: false, headersTimeout: head, requestTimeout: whole, connectionsCheckingInterval: Math.min(head, 2_000), keepAliveTimeout: 65_000 }, handle)
  const { unparsed, tunnel } = openRefusals(services.limits, config.PUBLIC_RATE)
  server.on('clientError', unparsed)
  server.on('connect', (_request, socket) => { tunnel(socket) })
  server.on('checkExpectation', handle)
  let port: number
  try {
    port = await listen(server, config.PORT, config.HOST)
  } catch (thrown) {
    await close()
    throw thrown
  }
  const host = config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST
  return {
    url: `http://${host}:${port}`, parts,
    close: async () => {
      const ended = new Promise<void>((resolve) => { server.close(() => { resolve() }) })
      // A connection kept alive is idle again once its last answer is out, and would be waited for.
      const sweep = setInterval(() => { server.closeIdleConnections() }, 50)
      const deadline = setTimeout(() => { server.closeAllConnections() }, config.SHUTDOWN_SECONDS * 1_000)
      await ended
      clearInterval(sweep)
      clearTimeout(deadline)
      await close()
    },
  }
}

/** Milliseconds for lines of the log and counts of keys after the last request has ended or was cut off. */
const writeMs = 3_000

const run = async (): Promise<void> => {
  parseOptions('npm run api   (settings come from the environment)', {})
  const config = parseConfig(process.env)
  if (config.CLICKHOUSE_URL === undefined || config.REDIS_URL === undefined) throw new AppError('BAD_ENVIRONMENT', 'The API alone needs CLICKHOUSE_URL and REDIS_URL. `npm run up` starts everything.')
  const logStore = openStore(config.CLICKHOUSE_URL, config.CLICKHOUSE_DATABASE, { connections: 2 })
  const { log, flush } = openLog(config, 'api', logStore)
  const newer = await checkSchema(logStore)
  if (newer.length > 0) log.warn({ migrations: newer }, 'the database was migrated by a newer version')
  const api = await startApi(config, { clickhouseUrl: config.CLICKHOUSE_URL, redisUrl: config.REDIS_URL, log })
  let draining = false
  const stop = (signal: string): void => {
    if (draining) return
    draining = true
    log.info({ signal }, 'draining')
    // Requests have their time; what is written after them may wait for a store that is silent.
    setTimeout(() => { process.exit(1) }, config.SHUTDOWN_SECONDS * 1_000 + writeMs).unref()
    void api.close().then(flush).then(() => logStore.close()).then(() => process.exit(0))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // Last: who reads it may end this process at once.
  log.info({ url: api.url }, 'listening')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) run().catch(giveUp)
