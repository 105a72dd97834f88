/** What the operator asked for, kept in ClickHouse and applied to BullMQ's queue pause: the wish survives the loss of Redis. */
import { z } from 'zod'
import type { Store } from '../schemas/clickhouse.js'
import { stageNames, type StageName } from '../schemas/primitives.js'
import { loadSql } from '../schemas/sql.js'
import type { Queues } from './queues.js'

const controlsSql = loadSql(import.meta.url, 'controls.sql')
const Row = z.object({ name: z.string(), state: z.string(), reason: z.string() })

export type PipelineState = 'running' | 'paused' | 'stopped'
export interface Controls { readonly pipeline: PipelineState; readonly pausedStages: ReadonlySet<StageName>; /** chain → reason it stands still */ readonly halted: ReadonlyMap<string, string> }

export const readControls = async (store: Store): Promise<Controls> => {
  const rows = await store.query(controlsSql, {}, Row)
  const whole = rows.find((row) => row.name === 'pipeline')?.state
  return {
    pipeline: whole === 'paused' || whole === 'stopped' ? whole : 'running',
    pausedStages: new Set(stageNames.filter((name) => rows.some((row) => row.name === `stage:${name}` && row.state === 'paused'))),
    halted: new Map(rows.filter((row) => row.name.startsWith('chain:') && row.state === 'halted').map((row) => [row.name.slice(6), row.reason])),
  }
}

/** Makes the queues' pause equal to the wish; resolves to the stages that were changed. */
export const applyControls = async (queues: Queues, controls: Controls): Promise<StageName[]> => {
  const changed: StageName[] = []
  for (const name of stageNames) {
    const wanted = controls.pipeline !== 'running' || controls.pausedStages.has(name)
    if (await queues[name].isPaused() === wanted) continue
    if (wanted) await queues[name].pause()
    else await queues[name].resume()
    changed.push(name)
  }
  return changed
}
