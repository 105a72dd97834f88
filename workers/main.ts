/** A worker process: `npm run worker -- --stages ingest,normalize` (all stages when none are named). */
import { createServer, type Server } from 'node:http'
import { openStore } from '../schemas/clickhouse.js'
import { giveUp, parseOptions, told } from '../schemas/command.js'
import { parseConfig } from '../schemas/config.js'
import { AppError, messageOf } from '../schemas/errors.js'
import { openLog } from '../schemas/log.js'
import { checkSchema } from '../schemas/migrations.js'
import { StageName, stageNames } from '../schemas/primitives.js'
import { registry } from './metrics.js'
import { startWorkers } from './start.js'

const stagesFrom = (text: string | undefined): readonly StageName[] => {
  if (text === undefined) return stageNames
  return text.split(',').map((name) => {
    const parsed = StageName.safeParse(name.trim())
    if (!parsed.success) throw new AppError('BAD_ARGUMENT', `--stages: '${name}' is not a stage (known: ${stageNames.join(', ')})`)
    return parsed.data
  })
}

const serveMetrics = (port: number, host: string): Promise<Server> => new Promise((resolve, reject) => {
  const server = createServer((_request, response) => {
    registry.metrics().then((text) => { response.setHeader('content-type', registry.contentType); response.end(text) }, () => { response.statusCode = 500; response.end() })
  })
  server.once('error', (fault) => { reject(new AppError('PORT_TAKEN', `METRICS_PORT ${port} on ${host} cannot be listened on: ${fault.message}`)) })
  server.listen(port, host, () => { resolve(server) })
})

const main = async (): Promise<void> => {
  const { values } = parseOptions('npm run worker [-- --stages ingest,normalize,enrich,index,alert]', { stages: { type: 'string' } })
  const config = parseConfig(process.env)
  const stages = stagesFrom(values.stages)
  const logStore = config.CLICKHOUSE_URL === undefined ? undefined : openStore(config.CLICKHOUSE_URL, config.CLICKHOUSE_DATABASE, { connections: 2 })
  const { log, flush } = openLog(config, 'worker', logStore)
  const server = config.METRICS_PORT === undefined ? undefined : await serveMetrics(config.METRICS_PORT, config.HOST)
  if (logStore !== undefined) {
    try {
      const newer = await checkSchema(logStore)
      if (newer.length > 0) log.warn({ migrations: newer }, 'the database was migrated by a newer version')
    } catch (thrown) {
      // An outage is waited out, at the start as later.
      if (!(thrown instanceof AppError) || thrown.retry !== 'wait') throw thrown
      log.warn({ reason: told(thrown) }, 'ClickHouse does not answer: waiting for it')
    }
  }
  const running = await startWorkers(config, stages, log)
  let draining = false
  const drain = (signal: string): void => {
    if (draining) return
    draining = true
    log.info({ signal }, 'draining')
    // Past the deadline the process just ends: jobs under way are found stalled and run again, which changes nothing.
    setTimeout(() => { process.exit(1) }, config.SHUTDOWN_SECONDS * 1_000).unref()
    server?.close()
    running.drain().then(() => flush()).then(() => logStore?.close()).then(() => { process.exit(0) }, (thrown: unknown) => { process.stderr.write(`${messageOf(thrown)}\n`); process.exit(1) })
  }
  process.on('SIGTERM', () => { drain('SIGTERM') })
  process.on('SIGINT', () => { drain('SIGINT') })
}

main().catch(giveUp)
