/** Every operation of the served description, against callers who may not and parameters that are wrong. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { fieldsOfPath } from '../../api/routes.js'
import { operations } from '../../api/registry.js'
import { makeKey } from '../../api/keyFormat.js'
import { bodies, filled, requiredQuery } from './support/examples.js'
import { startService, type Service } from './support/service.js'

describe('refusals', () => {
  let service: Service
  let expired: string
  let revoked: string
  before(async function () {
    this.timeout(90_000)
    service = await startService()
    const { keys } = service.api.parts.services
    const common = { name: 'x', role: 'agent', tier: 'free', rate_limit: 1_000_000, daily_cap: 0, scopes: [], source_ip: '' } as const
    expired = (await keys.issue({ ...common, scopes: [], days: -1 })).key
    const gone = await keys.issue({ ...common, scopes: [] })
    await keys.revoke(gone.record)
    revoked = gone.key
  })
  after(() => service.stop())

  it('name each fault once', async () => {
    for (const path of ['/v1/blocks/ETH/100000000000000000000', '/v1/blocks/ETH?limit=100000000000000000000', '/v1/blocks/ETH?offset=100000000000000000000', '/v1/whales/recent?since=yesterday']) {
      const { status, body } = await service.call(`GET ${path}`)
      assert.deepEqual([status, body.error.details.length], [422, 1], `${path}: ${JSON.stringify(body)}`)
    }
  })

  for (const operation of operations) {
    const [method = '', path = ''] = operation.route.split(' ')
    const needed = method === 'POST' ? '' : requiredQuery(path, z.toJSONSchema(operation.input, { io: 'input' }).required ?? [])
    const target = `${method} ${filled(path)}${needed}`
    const inPath = fieldsOfPath(path)

    it(`${operation.name}: callers`, async () => {
      const body = bodies[operation.route]
      const call = async (key: string | null) => { const { status, body: answer } = await service.call(target, { key, body }); return [status, answer?.error?.code] }
      const open = operation.auth === 'public' && operation.role === undefined && operation.tier === undefined
      if (!open) assert.deepEqual(await call(null), [401, 'AUTH_REQUIRED'])
      else assert.notEqual((await call(null))[0], 500)
      for (const key of ['nonsense', makeKey(), `${service.agentKey.slice(0, -1)}!`, expired, revoked]) assert.deepEqual(await call(key), [401, 'AUTH_INVALID'], key)
      if (operation.role !== undefined) assert.deepEqual(await call(service.agentKey), [403, 'ROLE_REQUIRED'])
      else if (operation.tier !== undefined) assert.deepEqual(await call(service.agentKey), [403, 'TIER_REQUIRED'])
      else if (!open) assert.ok(![401, 403].includes((await call(service.agentKey))[0]), 'a free key reaches everything that asks for no more')
    })

    it(`${operation.name}: parameters`, async () => {
      const admin = { key: service.adminKey }
      const isPost = method === 'POST'
      const schema = z.toJSONSchema(operation.input, { io: 'input' })
      const refuse = async (name: string, value: unknown): Promise<void> => {
        const at = inPath.includes(name) ? `${method} ${filled(path, { [name]: encodeURIComponent(String(value)) })}${needed}` : isPost ? target : `${target}${target.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(String(value))}`
        const { status, body } = await service.call(at, { ...admin, body: isPost && !inPath.includes(name) ? { ...bodies[operation.route], [name]: value } : bodies[operation.route] })
        assert.deepEqual([status, body.error?.code], [422, 'VALIDATION_ERROR'], `${at} ${name}=${String(value)} → ${status} ${JSON.stringify(body)}`)
        assert.ok(body.error.details.some(({ loc }: { loc: unknown[] }) => loc.includes(name)), `${at}: the answer names ${name}`)
      }
      await refuse('nobody_knows_this', '1')
      for (const [name, field] of Object.entries(schema.properties ?? {})) {
        if (typeof field === 'boolean') continue
        if (field.type === 'integer' || field.type === 'number') {
          for (const value of ['abc', '', 'NaN', '1e999', '0x10']) if (value !== '' || !inPath.includes(name)) await refuse(name, value)
          if (field.type === 'integer') await refuse(name, isPost ? 1.5 : '1.5')
          if (field.minimum !== undefined) await refuse(name, isPost ? field.minimum - 1 : String(field.minimum - 1))
          if (field.maximum !== undefined) await refuse(name, isPost ? field.maximum * 2 : String(field.maximum * 2))
        } else if (field.format === 'date-time') {
          for (const value of ['yesterday', '', '2026-13-01T00:00:00Z', '1969-01-01T00:00:00Z', '9999-01-01T00:00:00Z']) await refuse(name, value)
        } else if (field.type === 'boolean') {
          await refuse(name, 'perhaps')
        } else if (field.enum !== undefined || field.pattern !== undefined) {
          await refuse(name, 'no such thing ?!')
        }
        if (!isPost && !inPath.includes(name)) {
          const twice = await service.call(`${method} ${filled(path)}?${name}=ETH&${name}=ETH`, admin)
          assert.equal(twice.status, 422)
        }
        if (name === 'chain' && operation.name !== 'list_tiers') {
          const others = requiredQuery(path, (schema.required ?? []).filter((one) => one !== 'chain'))
          const strange = inPath.includes('chain') ? `${method} ${filled(path, { chain: 'PLUTO' })}${others}` : isPost ? target : `${method} ${filled(path)}${others === '' ? '?' : `${others}&`}chain=PLUTO`
          const { status, body } = await service.call(strange, { ...admin, body: isPost ? { ...bodies[operation.route], chain: 'PLUTO' } : undefined })
          assert.deepEqual([status, body.detail?.error, body.detail?.received], [404, 'UNKNOWN_CHAIN', 'PLUTO'])
        }
        if (name === 'cursor') {
          for (const cursor of ['', 'x', 'a.b', '%00', 'e30.AAAAAAAAAAAAAAAAAAAAAA', 'a'.repeat(3_000)]) {
            const { status, body } = await service.call(`${target}${target.includes('?') ? '&' : '?'}cursor=${cursor}`, admin)
            assert.deepEqual([status, body.detail?.error], [400, 'INVALID_CURSOR'], cursor)
          }
        }
      }
    })
  }
})
