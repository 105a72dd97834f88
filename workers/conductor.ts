/** The loop that keeps the pipeline honest: heads and plans often; rescue and audit every so often. */
import { z } from 'zod'
import { AppError, messageOf } from '../schemas/errors.js'
import type { StageName } from '../schemas/primitives.js'
import type { ChainModule } from '../stages/stage.js'
import { openMarks } from './orders.js'
import { watchOutage } from './outage.js'
import { pause } from './betweenLooks.js'
import { openChainPlanner } from './planner.js'
import type { Parts } from './runner.js'

const rescueMs = 30_000
const auditMs = 10_000
/** Milliseconds without a head, or of anything else that fails, and of those without Redis, after which an operator is told. */
const tellMs = 30_000, redisMs = 10_000
/** Milliseconds of a step after which ClickHouse is asked whether it is there, as often as that: a statement is waited for many times as long. And for which that is waited for. */
const longMs = 10_000, thereMs = 5_000

/** By a clock that nobody sets, as all waits here: one that was set back by an hour must not keep a chain waiting for that hour. */
const every = (milliseconds: number) => {
  let due = 0
  return { isDue: (): boolean => performance.now() >= due, done: (): void => { due = performance.now() + milliseconds }, again: (): void => { due = 0 } }
}

/** Starts conducting `module`; the returned function stops it after the step under way. `silentMs`: of failing before an operator is told; `slowMs`: of a step before the log tells that ClickHouse does not answer. */
export const conduct = (parts: Parts, module: ChainModule, { silentMs = tellMs, sweepMs = auditMs, slowMs = longMs } = {}): (() => Promise<void>) => {
  const chain = module.chain.id
  const rescue = every(rescueMs), audit = every(sweepMs)
  const marks = openMarks(parts.redis, parts.config.QUEUE_PREFIX, chain)
  const headless = watchOutage(parts.store, { id: `head|${chain}`, chain, kind: 'no_head', severity: 'critical', summary: `${chain}: no head for ${silentMs / 1_000} s` }, silentMs)
  const failing = watchOutage(parts.store, { id: `planner|${chain}`, chain, kind: 'planner_fails', severity: 'critical', summary: `${chain}: nothing was planned for ${silentMs / 1_000} s, though its node answers` }, silentMs)
  const unswept = watchOutage(parts.store, { id: `audit|${chain}`, chain, kind: 'audit_fails', severity: 'critical', summary: `${chain}: rollbacks have not been looked after for ${silentMs / 1_000} s` }, silentMs)
  const redisless = watchOutage(parts.store, { id: `redis|${chain}`, chain, kind: 'no_redis', severity: 'critical', summary: `Redis does not answer for ${redisMs / 1_000} s: blocks of ${chain} are seen and planned, and wait` }, redisMs)
  const ending = new AbortController(), { signal } = ending
  /** Stages that were paused when jobs were given last: theirs were not. */
  let resting: ReadonlySet<StageName> = new Set()
  let quietUntil = 0
  const warn = (reason: string): void => {
    if (performance.now() < quietUntil) return
    parts.log.warn({ chain, reason }, 'the planner waits')
    quietUntil = performance.now() + 5_000
  }

  /** Whether what failed in the step under way is that no node said what the head is. */
  let silent = false
  const head = async (): ReturnType<ChainModule['source']['head']> => {
    const seen = await module.source.head().catch(async (thrown: unknown) => {
      silent = true
      await headless.bad(messageOf(thrown)).catch(() => undefined)
      throw thrown
    })
    await headless.good()
    return seen
  }
  const planner = openChainPlanner(parts, { ...module, source: { ...module.source, head } })

  /** Gives jobs again when it is time, a stage goes on or Redis was emptied, and hears of orders. Without Redis the rest of a step goes on, and this is due at once when it is back. */
  const giveJobs = async (): Promise<void> => {
    try {
      const { emptied, ordered } = await marks.look()
      if (ordered) planner.readAgain()
      const paused = parts.controls.current().pausedStages
      if (emptied || rescue.isDue() || [...resting].some((name) => !paused.has(name))) {
        await planner.rescue(paused)
        await marks.keep()
        resting = paused
        rescue.done()
      }
    } catch (thrown) {
      if (thrown instanceof AppError) throw thrown
      rescue.again()
      warn(`Redis: ${messageOf(thrown)}`)
      await redisless.bad(messageOf(thrown))
      return
    }
    await redisless.good()
  }

  /** What late writers left goes a little later then: no head waits for it, and nothing is planned on a rollback that is not carried out. */
  const lookAfter = async (): Promise<void> => {
    audit.done()
    try { await planner.audit() } catch (thrown) {
      warn(`rollbacks: ${messageOf(thrown)}`)
      await unswept.bad(messageOf(thrown)).catch(() => undefined)
      return
    }
    await unswept.good()
  }

  const step = async (): Promise<void> => {
    await giveJobs()
    if (audit.isDue()) await lookAfter()
    const wish = parts.controls.current()
    if (wish.pipeline !== 'running' || wish.halted.has(chain)) { headless.rest(); failing.rest(); return }
    await planner.tick()
    await failing.good()
  }

  /** When the step under way began. */
  let began = Infinity
  const askStore = (): void => {
    if (performance.now() - began >= slowMs) parts.store.query('SELECT 1 AS there', {}, z.object({ there: z.number() }), {}, AbortSignal.timeout(thereMs)).catch((thrown: unknown) => { warn(messageOf(thrown)) })
  }

  const loop = async (): Promise<void> => {
    // What is heard is stored whatever is ordered: only what is made of it waits. What cannot be begun here is tried again with the head.
    try { module.source.listen?.() } catch (thrown) { warn(messageOf(thrown)) }
    const asking = setInterval(askStore, slowMs)
    while (!signal.aborted) {
      const started = performance.now()
      began = started
      silent = false
      try { await step() } catch (thrown) {
        warn(messageOf(thrown))
        if (silent) failing.rest()
        else await failing.bad(messageOf(thrown)).catch(() => undefined)
      }
      began = Infinity
      const rest = module.pollMs - (performance.now() - started)
      if (rest > 0) await pause(rest, module.source.announced, warn, signal)
    }
    clearInterval(asking)
  }
  const done = loop()
  return async () => { ending.abort(); await done }
}
