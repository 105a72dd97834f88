/** The loop that keeps the pipeline honest: heads and plans often; rescue and audit every so often. */
import { messageOf } from '../schemas/errors.js'
import type { ChainModule } from '../stages/stage.js'
import { closeIncident, openIncident } from './incidents.js'
import { openChainPlanner } from './planner.js'
import type { Parts } from './runner.js'

const rescueMs = 30_000
const auditMs = 10_000
/** Milliseconds without a head after which an operator is told. */
const silentMs = 30_000

/** A key that is gone when Redis was emptied: then every job is given again at once. */
const aliveKey = (prefix: string): string => `${prefix}:alive`

const every = (milliseconds: number) => {
  let due = 0
  return { isDue: (): boolean => Date.now() >= due, done: (): void => { due = Date.now() + milliseconds } }
}

/** Starts conducting `module`; the returned function stops it after the step under way. */
export const conduct = (parts: Parts, module: ChainModule): (() => Promise<void>) => {
  const chain = module.chain.id
  const planner = openChainPlanner(parts, module)
  const rescue = every(rescueMs), audit = every(auditMs)
  let running = true
  let lastHead = Date.now()
  let alarmed = false
  let quietUntil = 0

  const step = async (): Promise<void> => {
    const { redis } = parts
    const lost = await redis.exists(aliveKey(parts.config.QUEUE_PREFIX)) === 0
    if (lost || rescue.isDue()) {
      await planner.rescue()
      await redis.set(aliveKey(parts.config.QUEUE_PREFIX), '1')
      rescue.done()
    }
    if (audit.isDue()) { await planner.audit(); audit.done() }
    const wish = parts.controls.current()
    if (wish.pipeline !== 'running' || wish.halted.has(chain)) return
    await planner.tick()
    lastHead = Date.now()
    if (alarmed) { alarmed = false; await closeIncident(parts.store, `head|${chain}`) }
  }

  const loop = async (): Promise<void> => {
    while (running) {
      const started = Date.now()
      try { await step() } catch (thrown) {
        if (Date.now() >= quietUntil) { parts.log.warn({ chain, reason: messageOf(thrown) }, 'the planner waits'); quietUntil = Date.now() + 5_000 }
        if (!alarmed && Date.now() - lastHead > silentMs) {
          alarmed = true
          await openIncident(parts.store, { id: `head|${chain}`, chain, kind: 'no_head', severity: 'critical', summary: `${chain}: no head for ${silentMs / 1_000} s`, detail: messageOf(thrown) }).catch(() => { alarmed = false })
        }
      }
      const rest = module.pollMs - (Date.now() - started)
      if (running && rest > 0) await new Promise((resolve) => setTimeout(resolve, rest))
    }
  }
  const done = loop()
  return async () => { running = false; await done }
}
