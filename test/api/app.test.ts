import assert from 'node:assert/strict'
import { startService, type Service } from './support/service.js'

describe('api', () => {
  let service: Service
  before(async function () { this.timeout(90_000); service = await startService() })
  after(() => service.stop())

  it('answers health, documents and the unknown path', async () => {
    const health = await service.call('GET /health', { key: null })
    assert.equal(health.status, 200, health.text)
    assert.equal(health.body.status, 'running')
    assert.equal((await service.call('GET /v1/health')).status, 200)
    const unknown = await service.call('GET /v1/nothing', { key: null })
    assert.equal(unknown.status, 404)
    assert.deepEqual([unknown.body.error, unknown.body.path, unknown.body.method], ['NOT_FOUND', '/v1/nothing', 'GET'])
  })

  it('makes a key that works, shows it once, and ends it', async () => {
    const made = await service.call('POST /v1/keys', { key: null })
    assert.equal(made.status, 200, made.text)
    const key = made.body.api_key as string
    assert.match(key, /^hyd_[0-9A-Za-z]{38}$/)
    const me = await service.call('GET /v1/auth/me', { key })
    assert.deepEqual([me.body.name, me.body.role, me.body.sso], ['instant-agent', 'agent', null])
    const mine = await service.call('GET /v1/keys/mine', { key })
    assert.equal(mine.body.count, 1)
    assert.ok(!mine.text.includes(key))
    assert.equal((await service.call(`POST /v1/keys/${mine.body.keys[0].public_id}/revoke`, { key })).body.status, 'revoked')
    const refused = await service.call('GET /v1/auth/me', { key })
    assert.equal(refused.status, 401)
    assert.equal(refused.body.error.code, 'AUTH_INVALID')
  })

  it('says which chains it knows, and null where nothing backs one', async () => {
    const unknown = await service.call('GET /v1/blocks/latest?chain=DOGE')
    assert.equal(unknown.status, 404)
    assert.deepEqual(unknown.body.detail.valid_chains, ['ARB', 'AVAX', 'BASE', 'BTC', 'ETH', 'MATIC', 'OP', 'SOL'])
    assert.equal((await service.call('GET /v1/blocks/HL')).body.detail.error, 'CHAIN_NO_BLOCKS')
    for (const chain of ['ARB', 'AVAX', 'BASE', 'OP', 'SOL', 'POLYGON']) {
      const { status, body } = await service.call(`GET /v1/blocks/latest?chain=${chain}`)
      assert.deepEqual([status, body.block, body.coverage_status.tier], [200, null, 'unknown'])
    }
  })
})
