import assert from 'node:assert/strict'
import { z } from 'zod'
import { checkRegistry } from '../../api/checkRegistry.js'
import { needsKey } from '../../api/invoke.js'
import { operation, type Operation } from '../../api/operation.js'
import { describe as describeApi } from '../../api/openapi.js'
import { operations } from '../../api/registry.js'
import { check } from './support/service.js'

const sound = operation({ name: 'one', route: 'GET /one', auth: 'public', lane: 'system', tool: true, summary: 'One.', input: z.object({}), output: z.object({ n: z.number().int() }), run: () => Promise.resolve({ n: 1 }) })

describe('the description', () => {
  const described = JSON.parse(JSON.stringify(describeApi(operations, 'http://x')))

  it('has every operation, with its parameters, security and errors', () => {
    assert.equal(described.openapi, '3.1.0')
    for (const one of operations) {
      const [method = '', path = ''] = one.route.split(' ')
      const entry = described.paths[path]?.[method.toLowerCase()]
      assert.equal(entry?.operationId, one.name)
      for (const parameter of entry.parameters ?? []) assert.ok(parameter.description, `${one.name}.${parameter.name}`)
      assert.equal(entry.security.some((way: object) => Object.keys(way).length === 0), !needsKey(one))
      for (const status of ['401', '422', '429', 'default']) assert.ok(entry.responses[status], `${one.name} ${status}`)
    }
  })

  it('is what the test client holds answers against', () => {
    const wrong = (body: unknown, status = 200) => () => { check(described, 'GET', '/v1/keys/mine', { status, body, text: '' }) }
    assert.doesNotThrow(wrong({ count: 0, keys: [], next_cursor: null, has_more: false, _meta: { sources: [], tool_version: '1' } }))
    assert.throws(wrong({ count: 'none', keys: [] }))
    assert.throws(wrong({ count: 0, keys: [], next_cursor: null, has_more: false, _meta: { sources: [], tool_version: '1' }, secret: 1 }))
    assert.throws(wrong({ error: { message: 'no code' } }, 401))
  })
})

describe('the registry', () => {
  const refuses = (changes: object, reason: RegExp) => { assert.throws(() => { checkRegistry([sound, { ...sound, name: 'two', route: 'GET /two', ...changes } as unknown as Operation]) }, reason) }

  it('is sound', () => { checkRegistry(operations) })
  it('refuses what would mislead', () => {
    refuses({ name: 'one' }, /used twice/)
    refuses({ aliases: ['one'] }, /used twice/)
    refuses({ route: 'GET /one' }, /used twice/)
    refuses({ route: 'GET /{gone}' }, /not in the input/)
    refuses({ input: z.object({ n: z.number() }) }, /no description/)
    refuses({ input: z.object({ n: z.union([z.number(), z.string()]).describe('n') }) }, /union/)
    refuses({ writes: true, cacheSeconds: 1 }, /not cached/)
    refuses({ tier: 'pro' }, /a free key reaches every tool/)
    refuses({ media: 'application/pdf' }, /no tool/)
  })
})
