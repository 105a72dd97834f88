/** A worker process: `npm run worker -- --stages ingest,normalize` (all stages when none are named). */
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'
import { openStore } from '../schemas/clickhouse.js'
import { parseConfig } from '../schemas/config.js'
import { AppError, messageOf } from '../schemas/errors.js'
import { openLog } from '../schemas/log.js'
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

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: { stages: { type: 'string' } }, strict: true })
  const config = parseConfig(process.env)
  const stages = stagesFrom(values.stages)
  const logStore = config.CLICKHOUSE_URL === undefined ? undefined : openStore(config.CLICKHOUSE_URL, config.CLICKHOUSE_DATABASE, { connections: 2 })
  const { log, flush } = openLog(config, 'worker', logStore)
  const running = await startWorkers(config, stages, log)
  const server = config.METRICS_PORT === undefined ? undefined : createServer((_request, response) => {
    registry.metrics().then((text) => { response.setHeader('content-type', registry.contentType); response.end(text) }, () => { response.statusCode = 500; response.end() })
  }).listen(config.METRICS_PORT, config.HOST)
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

main().catch((thrown: unknown) => {
  process.stderr.write(`${messageOf(thrown)}\n`)
  process.exit(1)
})
