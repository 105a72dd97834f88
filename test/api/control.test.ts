import assert from 'node:assert/strict'
import { z } from 'zod'
import { isRefusal } from './support/refusal.js'
import { writeControl } from '../../workers/controls.js'
import { seed } from './support/seed.js'
import { startService, type Service } from './support/service.js'

describe('orders', () => {
  let service: Service
  before(async function () { this.timeout(90_000); service = await startService() })
  after(() => service.stop())
  const admin = () => ({ key: service.adminKey })

  it('reach the pipeline and are written down', async () => {
    const by = service.adminKey.slice(4, 12)
    for (const [path, asked] of [
      ['pause', ['set', 'paused', by]], ['resume', ['set', 'running', by]], ['stop', ['set', 'stopped', by]], ['start', ['set', 'running', by]],
      ['stage/enrich/pause', ['setStage', 'enrich', true, by]], ['stage/enrich/resume', ['setStage', 'enrich', false, by]], ['redrive', ['redrive', null, by]], ['backfill/t1/withdraw', ['withdraw', 't1', by]],
    ] as const) {
      const { status, body } = await service.call(`POST /v1/pipeline/${path}`, admin())
      assert.equal(status, 200)
      assert.deepEqual(service.pipeline.asked.at(-1), asked)
      if (path !== 'redrive' && !path.startsWith('backfill')) assert.ok(Object.values(body).every((value) => typeof value === 'string'))
    }
    assert.equal((await service.call('POST /v1/pipeline/stop')).status, 403)
    assert.equal((await service.call('POST /v1/pipeline/stop', { key: null })).status, 401)
    const lines = await service.store.query('SELECT action, actor, role, subject, outcome FROM audit ORDER BY at', {}, z.object({ action: z.string(), actor: z.string(), role: z.string(), subject: z.string(), outcome: z.string() }))
    assert.deepEqual(lines.map(({ action }) => action), ['pause_pipeline', 'resume_pipeline', 'stop_pipeline', 'start_pipeline', 'pause_stage', 'resume_stage', 'redrive', 'withdraw_backfill', 'stop_pipeline'])
    assert.deepEqual(lines.map(({ subject }) => subject), ['', '', '', '', 'enrich', 'enrich', '', 't1', ''])
    assert.deepEqual(lines.pop(), { action: 'stop_pipeline', actor: service.agentKey.slice(4, 12), role: 'agent', subject: '', outcome: 'ROLE_REQUIRED' })
    assert.ok(lines.every(({ actor, role, outcome }) => actor === by && role === 'admin' && outcome === 'ok'))
  })

  it('are what every answer after them says, kept ones too', async () => {
    await seed(service.store, 1_000, 3)
    const { pipeline } = service, { set, setStage } = pipeline
    Object.assign(pipeline, { set: (state: string, by: string) => writeControl(service.store, 'pipeline', state, by), setStage: (name: string, paused: boolean, by: string) => writeControl(service.store, `stage:${name}`, paused ? 'paused' : 'running', by) })
    const warned = async (pattern: RegExp): Promise<boolean[]> => Promise.all(['blocks/latest?chain=ETH', 'network/summary?chain=ETH'].map(async (path) => (await service.call(`GET /v1/${path}`)).body.coverage_status.warnings.some((text: string) => pattern.test(text))))
    for (const [path, pattern, expected] of [['pause', /is paused/, true], ['resume', /is paused/, false], ['stop', /is stopped/, true], ['start', /is stopped/, false], ['stage/enrich/pause', /enrich/, true], ['stage/enrich/resume', /enrich/, false]] as const) {
      await service.call(`POST /v1/pipeline/${path}`, admin())
      assert.deepEqual(await warned(pattern), [expected, expected], path)
    }
    Object.assign(pipeline, { set, setStage })
  })

  it('of one letter that is none say so', async () => {
    const { status, body } = await service.call('POST /v1/pipeline/redrive', { ...admin(), body: { id: 'ETH-2' } })
    assert.deepEqual([status, body.error.code, body.error.message], [404, 'NOT_FOUND', "Dead letter 'ETH-2' not found"])
    assert.deepEqual((await service.call('POST /v1/pipeline/redrive', { ...admin(), body: { id: 'ETH-1' } })).body.redriven, 1)
    // One that was put back before, as who got no answer asks again.
    assert.deepEqual((await service.call('POST /v1/pipeline/redrive', { ...admin(), body: { id: 'ETH-0' } })).body.redriven, 0)
  })

  it('backfill: 5,000 blocks, once in 10 seconds, dry runs, live chains', async () => {
    const ask = (body: object) => service.call('POST /v1/pipeline/backfill', { ...admin(), body })
    assert.equal((await ask({ chain: 'ETH', from_block: 1, to_block: 5_001 })).status, 422)
    assert.equal((await ask({ chain: 'ETH', from_block: 9, to_block: 1 })).status, 422)
    assert.equal((await ask({ chain: 'SOL', from_block: 1, to_block: 1 })).status, 422)
    assert.equal((await ask({ chain: 'BTC', from_block: 0, to_block: 30 })).status, 422, 'no node of it was ever seen')
    assert.equal((await ask({ chain: 'HL', from_block: 1, to_block: 1 })).body.detail.error, 'CHAIN_NO_BLOCKS')
    const done = await ask({ chain: 'ETH', from_block: 1, to_block: 5_000, dry_run: true })
    assert.deepEqual([done.status, done.body.blocks, done.body.accepted], [200, 5_000, false])
    const again = await ask({ chain: 'ETH', from_block: 1, to_block: 2 })
    assert.deepEqual([again.status, again.body.error.code], [429, 'RATE_LIMITED'])
    assert.ok(Number(again.headers.get('retry-after')) <= 10)
    isRefusal(again.headers, 'backfill', 1, 10)
  })

  it('of one key do not touch another', async () => {
    const a = (await service.call('POST /v1/keys', { key: null })).body.api_key as string
    const b = (await service.call('POST /v1/keys', { key: null })).body.api_key as string
    const refused = await service.call(`POST /v1/keys/${b.slice(4, 12)}/revoke`, { key: a })
    const absent = await service.call('POST /v1/keys/AAAAAAAA/revoke', { key: a })
    assert.deepEqual([refused.status, refused.body], [404, absent.body])
    assert.equal((await service.call(`POST /v1/keys/${b.slice(4, 12)}/revoke`, { key: null })).status, 401)
    const { body: me } = await service.call('GET /v1/auth/me', { key: b })
    assert.equal((await service.call(`POST /v1/keys/${me.api_key_id}/revoke`, admin())).status, 200)
    assert.equal((await service.call('GET /v1/auth/me', { key: b })).status, 401)
  })
})
