import assert from 'node:assert/strict'
import { standingStill } from '../../scripts/up/ordered.js'
import { stageNames } from '../../schemas/primitives.js'
import type { StageStatus } from '../../workers/control.js'

type State = StageStatus['status']
const controlOf = (state: State, paused: readonly string[] = []) => ({
  state: () => Promise.resolve(state),
  stages: () => Promise.resolve(stageNames.map((stage): StageStatus => ({ stage, status: paused.includes(stage) ? 'paused' : state, processed: 0, errors: 0, pending: 0, waiting: 0, active: 0, delayed: 0, failed: 0, throughput: null, latencyMs: null, uptimeSeconds: null }))),
})

describe('a start after an order to stand still', () => {
  it('says what stands still and how it goes on; nothing where all runs', async () => {
    const said = (state: State, paused?: readonly string[]) => standingStill(controlOf(state, paused), 'http://here')
    assert.equal(await said('running'), null)
    assert.match(await said('paused') ?? '', /^The pipeline is paused by order: .*'http:\/\/here\/v1\/pipeline\/resume'$/)
    assert.match(await said('stopped') ?? '', /^The pipeline is stopped by order: .*'http:\/\/here\/v1\/pipeline\/start'$/)
    assert.match(await said('running', ['enrich']) ?? '', /^enrich is paused by order: .*\/stage\/enrich\/resume'$/)
    assert.match(await said('running', ['enrich', 'alert']) ?? '', /^enrich and alert are paused by order/)
  })
})
