/** Starting and draining a worker process's parts: which stages, one conductor per chain when it ingests, metrics. */
import type { Logger } from 'pino'
import { afterBatches, afterQuestions, openStore } from '../schemas/clickhouse.js'
import type { Config } from '../schemas/config.js'
import { givingWay, openUnderWay } from '../schemas/givingWay.js'
import { AppError } from '../schemas/errors.js'
import type { StageName } from '../schemas/primitives.js'
import { openChains } from '../stages/chains.js'
import { openLedger } from '../stages/ledger/ledger.js'
import { pipeline } from '../stages/pipeline.js'
import { usualBounds } from './backfill.js'
import { conduct } from './conductor.js'
import { watchControls } from './controls.js'
import { reportHealth } from './heartbeat.js'
import { letGo } from './idle.js'
import { startMonitoring } from './monitoring/monitoring.js'
import { askerConnection, letIn, openQueues, workerConnection } from './queues.js'
import { watchRoom } from './room.js'
import { startStage, type Parts } from './runner.js'
import { watchRedisStart } from './redisStart.js'
import { startSchedule } from './schedule.js'
import { historyTasks, slowTasks, tasks } from './tasks.js'

export interface Running { /** Stops taking jobs, lets those under way end, closes connections. */ drain(): Promise<void>; readonly parts: Parts }

/** Runs `stages` in this process until drained. `checkpoint` is called between statements (tests make it fail); `bounds` are those of a backfill. */
export const startWorkers = async (config: Config, stages: readonly StageName[], log: Logger, checkpoint: Parts['checkpoint'] = async () => undefined, bounds = usualBounds): Promise<Running> => {
  if (config.CLICKHOUSE_URL === undefined || config.REDIS_URL === undefined) throw new AppError('BAD_ENVIRONMENT', 'A worker needs CLICKHOUSE_URL and REDIS_URL (npm run up starts both and sets them).')
  let quietUntil = 0
  const onError = (error: Error): void => {
    if (performance.now() < quietUntil) return
    quietUntil = performance.now() + 5_000
    log.warn({ reason: error.message }, 'Redis does not answer')
  }
  // Those who conduct never wait for Redis: what they cannot ask now they ask again, and what they cannot queue is in the ledger.
  const asking = askerConnection(config.REDIS_URL)
  asking.on('error', onError)
  await letIn(asking, 5_000)
  const own = openStore(config.CLICKHOUSE_URL, config.CLICKHOUSE_DATABASE, { connections: 24, nice: afterQuestions })
  const room = watchRoom(own, asking, config.QUEUE_PREFIX, log), store = room.through(own)
  // Looks at one place, and lines for it, that a batch waits for at every step: they give way to nobody.
  const atHand = room.through(openStore(config.CLICKHOUSE_URL, config.CLICKHOUSE_DATABASE, { connections: 8 }))
  const underWay = openUnderWay()
  // What is done on a schedule looks back, and monitoring at what has passed: batches and questions come before it, and none of its statements begins while a new block is under way.
  const behind = givingWay(room.through(openStore(config.CLICKHOUSE_URL, config.CLICKHOUSE_DATABASE, { connections: 4, nice: afterBatches })), underWay)
  const ending = new AbortController()
  const connection = workerConnection(config.REDIS_URL)
  connection.on('error', onError)
  const queues = openQueues(asking, config.QUEUE_PREFIX, onError)
  const modules = openChains(config, (chain, reason) => { log.warn({ chain, reason }, 'a question to the source of a chain failed, or was answered otherwise than expected') })
  const controls = watchControls(store, queues, log)
  const parts: Parts = { config, store, ledger: openLedger(atHand), queues, redis: asking, redisStart: watchRedisStart(asking), controls, chains: new Map(modules.map((module) => [module.chain.id, module])), log, bounds, underWay, checkpoint }
  const workers = pipeline.filter((stage) => stages.includes(stage.name)).map((stage) => startStage(parts, stage, connection))
  const stopConducting = stages.includes('ingest') ? modules.map((module) => conduct(parts, module)) : []
  const stopReporting = reportHealth(parts, stages)
  const scheduled = { ...parts, store: behind }
  const schedules = stages.includes('index') ? [
    startSchedule(tasks(config, ending.signal, underWay), scheduled, connection), startSchedule(historyTasks(config, ending.signal), scheduled, connection, 'history-schedule'),
    startSchedule(slowTasks(config), scheduled, connection, 'slow-schedule'),
  ] : []
  const stopMonitoring = stages.includes('alert') ? startMonitoring(parts, connection, behind) : async () => undefined
  log.info({ stages, chains: modules.map((module) => module.chain.id) }, 'working')
  return {
    parts,
    drain: async () => {
      ending.abort()
      stopReporting()
      room.stop()
      controls.stop()
      const closed = new AbortController()
      void letGo(connection, asking, closed.signal)
      // Side by side: no more jobs are taken while a conductor waits for what it asked its node, and no worker begins to close when the connection is cut already, which it would not get over.
      await Promise.all([...stopConducting.map((stop) => stop()), ...workers.map((worker) => worker.close()), ...schedules.map((stop) => stop()), stopMonitoring()])
      await Promise.all(Object.values(queues).map((queue) => queue.close()))
      await Promise.all(modules.map((module) => module.source.close()))
      closed.abort()
      connection.disconnect()
      asking.disconnect()
      await Promise.all([store.close(), atHand.close(), behind.close()])
    },
  }
}
