/** What the operator asked for, kept in ClickHouse and applied to BullMQ's queue pause: the wish survives the loss of Redis. */
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Store } from '../schemas/clickhouse.js'
import { told } from '../schemas/command.js'
import { stageNames, type StageName } from '../schemas/primitives.js'
import { loadSql } from '../schemas/sql.js'
import type { Queues } from './queues.js'

const controlsSql = loadSql(import.meta.url, 'controls.sql'), wishSql = loadSql(import.meta.url, 'control_wish.sql')
const Row = z.object({ name: z.string(), state: z.string(), reason: z.string() })

export type PipelineState = 'running' | 'paused' | 'stopped'
export interface Controls { readonly pipeline: PipelineState; readonly pausedStages: ReadonlySet<StageName>; /** chain → reason it stands still */ readonly halted: ReadonlyMap<string, string> }

export const readControls = async (store: Store, signal?: AbortSignal): Promise<Controls> => {
  const rows = await store.query(controlsSql, {}, Row, {}, signal)
  const whole = rows.find((row) => row.name === 'pipeline')?.state
  return {
    pipeline: whole === 'paused' || whole === 'stopped' ? whole : 'running',
    pausedStages: new Set(stageNames.filter((name) => rows.some((row) => row.name === `stage:${name}` && row.state === 'paused'))),
    halted: new Map(rows.filter((row) => row.name.startsWith('chain:') && row.state === 'halted').map((row) => [row.name.slice(6), row.reason])),
  }
}

/** Writes down what was decided about `name` (pipeline, stage:<name>, chain:<id>): it counts from now on. */
export const writeControl = async (store: Store, name: string, state: string, by: string, reason = ''): Promise<void> => { await store.execute(wishSql, { name, state, reason, by }) }

/** Whether a stage may not take work now. */
export const isPaused = (controls: Controls, stage: StageName): boolean => controls.pipeline !== 'running' || controls.pausedStages.has(stage)

/** Makes the queues' pause equal to the wish; resolves to the stages that were changed. */
export const applyControls = async (queues: Queues, controls: Controls): Promise<StageName[]> => {
  const changed: StageName[] = []
  for (const name of stageNames) {
    const wanted = isPaused(controls, name)
    if (await queues[name].isPaused() === wanted) continue
    if (wanted) await queues[name].pause()
    else await queues[name].resume()
    changed.push(name)
  }
  return changed
}

export interface ControlsWatch { /** The wish as last read; a second old at most while ClickHouse answers. */ current(): Controls; stop(): void }

/** Milliseconds between looks at the operator's wish. */
const watchMs = 500
/** Milliseconds for which it is waited for, and between two warnings that it cannot be read. */
const readMs = 10_000, warnMs = 10_000

/** Keeps the queues' pause equal to the wish, and the wish at hand for the runner: after the loss of Redis a queue forgets its pause. */
export const watchControls = (store: Store, queues: Queues, log: Logger, patienceMs = readMs): ControlsWatch => {
  // Until the wish was read once, nothing runs, and no stage is given jobs: it may have been paused for days.
  let current: Controls = { pipeline: 'stopped', pausedStages: new Set(stageNames), halted: new Map() }
  let busy = false
  let quietUntil = 0
  const look = async (): Promise<void> => {
    current = await readControls(store, AbortSignal.timeout(patienceMs))
    for (const stage of await applyControls(queues, current)) log.info({ stage }, isPaused(current, stage) ? 'paused' : 'resumed')
  }
  const lookOnce = (): void => {
    if (busy) return
    busy = true
    look().catch((thrown: unknown) => {
      if (performance.now() < quietUntil) return
      quietUntil = performance.now() + warnMs
      log.warn({ reason: told(thrown) }, 'the controls cannot be read: the last wish stands')
    }).finally(() => { busy = false })
  }
  lookOnce()
  const timer = setInterval(lookOnce, watchMs)
  return { current: () => current, stop: () => { clearInterval(timer) } }
}
