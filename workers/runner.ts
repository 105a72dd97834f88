/**
 * One wrapper runs every stage: parse the job, ask the ledger whether there is anything to do, run, write the ledger and hand on. A batch may be
 * at the next stage before its landing is written, but it lands there after it: whoever finds a stage landed knows that all before it are.
 * It may die anywhere: each step asks the ledger first, and what may have been begun before writes only what is not there.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { DelayedError, UnrecoverableError, Worker, type Job } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { Config } from '../schemas/config.js'
import type { Store } from '../schemas/clickhouse.js'
import { AppError, messageOf, unavailable } from '../schemas/errors.js'
import { whileUnderWay, type UnderWay } from '../schemas/givingWay.js'
import { processAilment } from '../schemas/machine.js'
import { batchKey, isTip, type BatchRef } from '../schemas/primitives.js'
import type { Ledger } from '../stages/ledger/ledger.js'
import { stageAfter, stageBefore } from '../stages/pipeline.js'
import { applyRollback } from '../stages/rollback.js'
import type { ChainModule, Outcome, Stage } from '../stages/stage.js'
import { tellAilment } from './ailing.js'
import type { Bounds } from './backfill.js'
import { isPaused, type ControlsWatch } from './controls.js'
import { bury, deadId, revive } from './deadLetters.js'
import { counted } from './idle.js'
import { openLocks, type Held, type Locks } from './locks.js'
import * as metrics from './metrics.js'
import { jobOptions, Pointer, pointerTo, type Queues } from './queues.js'
import type { RedisStart } from './redisStart.js'
import { rollbacksToSweep, sweep } from './sweep.js'
import { telemetry, traceId } from './telemetry.js'
import { openWaits, waitMs, type Waits } from './waits.js'

export interface Parts {
  readonly config: Config
  readonly store: Store
  readonly ledger: Ledger
  readonly queues: Queues
  readonly redis: Redis
  readonly redisStart: RedisStart
  readonly controls: Pick<ControlsWatch, 'current'>
  readonly chains: ReadonlyMap<string, ChainModule>
  readonly log: Logger
  /** How far a backfill runs ahead of its last stage. */
  readonly bounds: Bounds
  /** New blocks on their way through the stages of this process: what can wait gives way to them. */
  readonly underWay: UnderWay
  /** Called between any two statements; tests kill the process here. */
  readonly checkpoint: (where: string) => Promise<void>
}

/** Milliseconds from one look to the next at what should be there any moment. */
const lookMs = 20

const add = async (parts: Parts, stage: Stage, batch: BatchRef, again: boolean): Promise<void> => {
  // Of no account to the job's attempts: handing on is done again when Redis is back.
  try { await parts.queues[stage.name].add(stage.name, pointerTo(batch, again), jobOptions(batch, stage.attempts, parts.config.JOB_BACKOFF_MS)) } catch (thrown) { throw unavailable('Redis', thrown) }
}

/** Queues what the landing of `stage` made possible. Landing is written before asking, so of two neighbours at least one sees both. `again`: it may have been possible before; `handed`: the next stage has its job already. */
const handOn = async (parts: Parts, stage: Stage, batch: BatchRef, again: boolean, handed = false): Promise<void> => {
  const next = stageAfter(stage.name)
  if (next !== undefined && !handed && (!next.ordered || await parts.ledger.isNext(batch, next.name))) await add(parts, next, batch, again)
  if (stage.ordered) {
    const above = await parts.ledger.above(batch, 'normalize')
    if (above !== null && await parts.ledger.isNext(above, stage.name)) await add(parts, stage, above, again)
  }
}

/** Whether there is anything to do: a rollback ended the batch, or this stage of it has landed; ahead: the stage before has not landed yet, early: and this one waits for that, as it counts landings or has been tried before. */
type Standing = 'open' | 'ahead' | 'early' | 'orphaned' | 'landed'
const isWork = (found: Standing): boolean => found === 'open' || found === 'ahead'
const standing = async ({ ledger }: Parts, stage: Stage, batch: BatchRef, again: boolean): Promise<Standing> => {
  const [orphaned, landed] = await Promise.all([ledger.endedBy(batch), ledger.landed(batch)])
  if (orphaned.length > 0) return 'orphaned'
  if (landed.has(stage.name)) return 'landed'
  const before = stageBefore(stage.name)
  return before === undefined || landed.has(before.name) ? 'open' : again || stage.counts ? 'early' : 'ahead'
}

/** Resolves to whether there was anything to do. */
const runBatch = async (parts: Parts, stage: Stage, batch: BatchRef, module: ChainModule, again: boolean, isHeld: () => void, isOwn: () => Promise<void>, log: Logger): Promise<boolean> => {
  const { ledger } = parts
  const where = { stage: stage.name, chain: batch.chain }
  const next = stageAfter(stage.name), before = stageBefore(stage.name)
  const notYet = (): AppError => new AppError('NOT_LANDED', `${batchKey(batch)} has not landed ${before?.name ?? ''}`, { retry: 'wait' })
  const orphaned = (): void => { metrics.batches.inc({ ...where, outcome: 'orphaned' }) }
  // Asked beside what the stage reads first, but by a retry, which may be one of many: nothing is written before the answer is there, for whatever writes passes a checkpoint.
  const asked = standing(parts, stage, batch, again)
  asked.catch(() => undefined)
  // That the batch below has landed the next stage is taken back by nothing but a rollback, which ends this batch too.
  const early = !again && next !== undefined && !next.counts && (!next.ordered || ledger.isNext(batch, next.name).catch(() => false))
  const open = async (): Promise<void> => { if (!isWork(await asked)) throw new AppError('NOT_OPEN', `${batchKey(batch)} is not to be worked on`, { retry: 'never' }) }
  const checkpoint = async (at: string): Promise<void> => { await open(); await parts.checkpoint(at); await isOwn(); isHeld() }
  const started = performance.now()
  const work = (): Promise<Outcome> => stage.run(batch, { config: parts.config, store: parts.store, log, chain: module, again, checkpoint, isHeld })
  const toSweep = rollbacksToSweep(parts, stage, batch, again)
  const swept = async (): Promise<void> => {
    const [rollbacks = []] = await Promise.all([toSweep, open()])
    for (const rollback of rollbacks) await sweep(parts.store, module, rollback, true)
  }
  const run = again || toSweep !== undefined ? swept().then(work) : work()
  run.catch(() => undefined)
  let found: Standing
  // What it still reads is read to its end: a job that is over leaves nothing behind.
  try { found = await asked } catch (thrown) { await run.catch(() => undefined); throw thrown }
  if (!isWork(found)) {
    await run.catch(() => undefined)
    if (found === 'early') throw notYet()
    if (found === 'orphaned') orphaned()
    else { await parts.checkpoint(`before handing on ${stage.name}`); await handOn(parts, stage, batch, true) }
    return false
  }
  const outcome = await run
  await parts.checkpoint(`before landing ${stage.name}`)
  await isOwn()
  isHeld()
  const milliseconds = performance.now() - started
  // All beside the landing, whose write waits for the disk. The next stage needs the rows and asks for itself whether a rollback ended the batch.
  // Whoever dies between the two is given this stage's job again, which finds its rows there; the next one waits for that with its own landing.
  let unanswered = false
  const handing = (async (): Promise<boolean> => {
    if (next === undefined || !(await early)) return false
    if (!(await add(parts, next, batch, false).then(() => true, () => false))) { unanswered = true; return false }
    await parts.checkpoint(`handed on before landing ${stage.name}`)
    return true
  })()
  // A rollback may have passed while this batch was writing: then its rows are the auditor's, swept here at once, and that it landed counts for nothing.
  const asking = ledger.endedBy(batch)
  const landing = (async (): Promise<void> => {
    // It is being written, here or by another worker: its disk may be slow.
    if (before !== undefined && found === 'ahead') for (const until = performance.now() + waitMs; !(await ledger.hasLanded(batch, before.name)); await sleep(lookMs)) if (performance.now() > until) throw notYet()
    await ledger.land(batch, stage.name, outcome, milliseconds)
  })()
  landing.catch(() => undefined)
  const [handed, ended] = await Promise.all([handing, asking]).catch(async (thrown: unknown) => { await landing.catch(() => undefined); throw thrown })
  if (ended.length > 0) {
    await landing.catch(() => undefined)
    for (const rollback of ended) await applyRollback(parts.store, module, rollback)
    orphaned()
    return true
  }
  await landing
  metrics.batches.inc({ ...where, outcome: 'landed' })
  metrics.blocks.inc(where, batch.to - batch.from + 1)
  metrics.rows.inc(where, outcome.rows)
  metrics.received.inc(where, outcome.bytes)
  metrics.duration.observe(where, milliseconds / 1_000)
  log.info({ rows: outcome.rows, bytes: outcome.bytes, milliseconds: Math.round(milliseconds) }, 'landed')
  await parts.checkpoint(`before handing on ${stage.name}`)
  await handOn(parts, stage, batch, again || unanswered, handed)
  return true
}

const process = (parts: Parts, stage: Stage, locks: Locks, waits: Waits) => async (job: Job<unknown>, token?: string): Promise<void> => {
  const held = locks.take(job.id ?? '')
  try { await workOn(parts, stage, held, waits, job, token) } finally { held.drop() }
}

const workOn = async (parts: Parts, stage: Stage, held: Held, waits: Waits, job: Job<unknown>, token?: string): Promise<void> => {
  const parsed = Pointer.safeParse(job.data)
  if (!parsed.success) throw new UnrecoverableError(`The job is not a pointer to a batch: ${parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; ')}`)
  const { again: given = false, ...batch } = parsed.data
  // A queue that lost its pause with Redis gives out jobs until it is paused again: they wait here.
  if (isPaused(parts.controls.current(), stage.name)) {
    await job.moveToDelayed(Date.now() + waitMs, token)
    throw new DelayedError()
  }
  const module = parts.chains.get(batch.chain)
  const lock = parts.queues[stage.name].toKey(`${job.id ?? ''}:lock`)
  // Of a Redis that was emptied, or lost what it had, another worker is given the job at once, long before the lock would have run out.
  const isOwn = async (): Promise<void> => {
    const owner = await parts.redis.get(lock).catch((thrown: unknown) => { throw unavailable('Redis', thrown) })
    if (owner !== token) throw new AppError('JOB_LOST', `Redis has no lock of this worker on ${job.id ?? ''}: it was emptied, or another worker has the job`, { retry: 'wait' })
  }
  const log = parts.log.child({ stage: stage.name, chain: batch.chain, batch: batchKey(batch), traceId: traceId() }), started = performance.now()
  try {
    if (module === undefined) throw new AppError('NO_CHAIN', `This worker has no node for ${batch.chain}`, { retry: 'wait' })
    const chain = module, run = (): Promise<boolean> => runBatch(parts, stage, batch, chain, given || job.attemptsStarted > 1 || job.stalledCounter > 0 || parts.redisStart.isBefore(job.timestamp), held.check, isOwn, log)
    // Segments of a venue come every other second: what gave way to them would never go on.
    if (await (isTip(batch) && chain.together === undefined ? whileUnderWay(parts.underWay, run) : run())) waits.worked(batch.chain)
    if (job.attemptsStarted > 1) await revive(parts.store, [deadId(stage.name, batch)])
  } catch (cause) {
    let thrown: unknown = processAilment(cause) ?? cause
    // Whoever took it over may have ended what ran here: that is no failure of the batch.
    try { held.check() } catch (lost) { thrown = lost }
    const decision = thrown instanceof AppError ? thrown.retry : 'attempt'
    metrics.batches.inc({ stage: stage.name, chain: batch.chain, outcome: decision === 'wait' ? 'waited' : 'failed' })
    if (thrown instanceof AppError && decision === 'wait' && !(await waits.hasFailed(thrown, module, job.attemptsStarted, performance.now() - started))) {
      tellAilment(log, thrown)
      log.debug({ reason: messageOf(thrown) }, 'waits')
      await job.moveToDelayed(Date.now() + waitMs, token)
      throw new DelayedError()
    }
    const last = decision === 'never' || job.attemptsMade + 1 >= stage.attempts
    log[last ? 'error' : 'warn']({ code: thrown instanceof AppError ? thrown.code : 'UNEXPECTED', attempt: job.attemptsMade + 1, endpoint: thrown instanceof AppError ? thrown.endpoint : '' }, messageOf(thrown))
    if (last) await bury(parts.store, stage.name, batch, job.attemptsMade + 1, thrown)
    // BullMQ keeps its message: that of an error not of ours may quote a node's URL.
    throw decision === 'never' ? new UnrecoverableError(messageOf(thrown)) : thrown instanceof AppError ? thrown : new Error(messageOf(thrown))
  }
}

/** Starts a worker of `stage`; its errors are logged at most once a second. */
export const startStage = (parts: Parts, stage: Stage, connection: Redis): Worker => {
  const locks = openLocks(parts.config.JOB_LOCK_MS)
  const worker = new Worker<unknown>(stage.name, counted(connection, process(parts, stage, locks, openWaits(parts.queues[stage.name]))), {
    connection, prefix: parts.config.QUEUE_PREFIX, concurrency: stage.concurrency, telemetry: telemetry(metrics.registry),
    // A killed worker's job must come back however often it happens; what keeps failing is counted by attempts.
    lockDuration: parts.config.JOB_LOCK_MS, stalledInterval: Math.max(500, Math.round(parts.config.JOB_LOCK_MS / 3)), maxStalledCount: 10_000,
  })
  worker.on('locksRenewed', ({ jobIds }) => { locks.renewed(jobIds) })
  let quietUntil = 0
  worker.on('error', (error) => {
    if (performance.now() < quietUntil) return
    quietUntil = performance.now() + 1_000
    parts.log.warn({ stage: stage.name, reason: error.message }, 'queue error')
  })
  worker.on('stalled', (id) => { metrics.stalled.inc({ stage: stage.name }); parts.log.warn({ stage: stage.name, batch: id }, 'a worker died or hung with this job; it runs again') })
  return worker
}
