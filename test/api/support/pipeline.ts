/** A pipeline control that remembers what it was asked. */
import type { Backfill } from '../../../workers/backfillState.js'
import type { PipelineControl } from '../../../workers/control.js'
import { stageNames } from '../../../schemas/primitives.js'

export interface FakePipeline extends PipelineControl { readonly asked: unknown[][] }

export const fakePipeline = (): FakePipeline => {
  const asked: unknown[][] = []
  const ordered: Backfill = { target: 't1', chain: 'ETH', from: 1, to: 4, requestedBy: 'op', requestedAt: '2026-01-01T00:00:00.000Z', indexed: 1, givenUp: 0, held: 0, withdrawnBy: '', withdrawnAt: null }
  let state: 'running' | 'paused' | 'stopped' = 'running'
  return {
    asked, state: () => Promise.resolve(state),
    stages: () => Promise.resolve(stageNames.map((stage) => ({ stage, status: state, processed: 1, errors: 0, pending: 2, waiting: 2, active: 0, delayed: 0, failed: 0, throughput: null, latencyMs: null, uptimeSeconds: 3 }))),
    set: (wanted, by) => { state = wanted; asked.push(['set', wanted, by]); return Promise.resolve() },
    setStage: (stage, paused, by) => { asked.push(['setStage', stage, paused, by]); return Promise.resolve() },
    backfill: (request) => { asked.push(['backfill', request]); return Promise.resolve({ accepted: !request.dryRun, target: 't1', blocks: request.to - request.from + 1, alreadyIndexed: 0, dryRun: request.dryRun }) },
    backfills: () => Promise.resolve([ordered]), backfillOf: (target) => Promise.resolve({ ...ordered, target }),
    withdraw: (target, by) => { asked.push(['withdraw', target, by]); return Promise.resolve({ ...ordered, target, withdrawnBy: by, withdrawnAt: '2026-01-01T00:00:01.000Z' }) },
    deadLetters: () => Promise.resolve({ count: 1, oldestAgeSeconds: 5, letters: [{ id: 'ETH-1', chain: 'ETH', stage: 'enrich', from: 1, to: 2, code: 'X', cause: 'why', endpoint: '', attempts: 8, firstAt: '2026-01-01T00:00:00.000Z', at: '2026-01-01T00:00:01.000Z' }] }),
    redrive: (id, by) => { asked.push(['redrive', id, by]); return Promise.resolve(id === null || id === 'ETH-1' ? 1 : id === 'ETH-0' ? 0 : null) },
    redisConnected: () => true, writable: () => Promise.resolve(true), close: () => Promise.resolve(),
  }
}
