/** The three shapes of an error, to the last member, on REST and on MCP; and what a key of too low a tier or role is told. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Detail } from '../../api/faults.js'
import { operation, type Operation } from '../../api/operation.js'
import { operations } from '../../api/registry.js'
import { message, post, session } from '../mcp/support/client.js'
import { startService, type Service } from './support/service.js'

const plain = { auth: 'key', lane: 'system', summary: 'For a test.', input: z.object({}), output: z.object({ done: z.literal(true) }), run: () => Promise.resolve({ done: true as const }) } as const
const probes = [
  operation({ ...plain, name: 'sign_something', route: 'POST /v1/test/sign', tier: 'compliance', tool: false, writes: true }),
  operation({ ...plain, name: 'order_something', route: 'GET /v1/test/order', role: 'admin', tool: true }),
  operation({
    ...plain, name: 'expect_something', route: 'GET /v1/test/wrong', tool: false,
    input: z.object({ whole: z.int().optional().describe('x'), share: z.number().min(0).max(1).optional().describe('x'), yes: z.boolean().optional().describe('x'), least: z.int().min(3).describe('x') }),
  }),
  operation({ ...plain, name: 'break_something', route: 'GET /v1/test/broken', tool: true, run: () => Promise.reject<{ done: true }>(new Error('SELECT secret FROM inside')) }),
] as readonly Operation[]

describe('errors', function () {
  this.timeout(60_000)
  let service: Service
  before(async () => { service = await startService({ PUBLIC_RATE: '1000' }, { operations: [...operations, ...probes] }) })
  after(() => service.stop())
  const keyOf = async (tier: string, rate = 1_000): Promise<string> =>
    (await service.api.parts.services.keys.issue({ name: 'x', role: 'agent', tier, rate_limit: rate, daily_cap: 0, scopes: [], source_ip: '' })).key

  it('A, nested: 401, 403, 405, 422, 429', async () => {
    const spent = await keyOf('free', 1)
    await service.call('GET /health', { key: spent })
    const cases = [
      ['GET /v1/auth/me', null, 401, 'AUTH_REQUIRED', []], ['GET /v1/auth/me', 'nonsense', 401, 'AUTH_INVALID', []], ['POST /v1/pipeline/backfill', undefined, 403, 'ROLE_REQUIRED', []],
      ['POST /v1/keys/named', undefined, 403, 'TIER_REQUIRED', ['hint']], ['PUT /health', null, 405, 'METHOD_NOT_ALLOWED', []], ['GET /v1/blocks/recent?chain=ETH&limit=x', undefined, 422, 'VALIDATION_ERROR', ['details', 'hint']],
      ['GET /health', spent, 429, 'RATE_LIMITED', []],
    ] as const
    for (const [target, key, status, code, more] of cases) {
      const { status: got, body, headers } = await service.call(target, key === undefined ? {} : { key })
      assert.deepEqual([got, Object.keys(body), body.error.code], [status, ['error'], code], target)
      assert.deepEqual(Object.keys(body.error).sort(), ['code', 'docs', 'message', ...more].sort(), target)
      assert.equal(body.error.docs, `${service.api.url}/redoc`)
      assert.equal(headers.has('retry-after'), status === 429)
      assert.equal(headers.has('www-authenticate'), status === 401)
      assert.equal(headers.has('allow'), status === 405)
      for (const detail of body.error.details ?? []) assert.deepEqual(Object.keys(detail).sort(), ['loc', 'msg', 'type'])
    }
    assert.match((await service.call('GET /v1/auth/me', { key: null })).body.error.message, /POST \/v1\/keys/)
  })

  it('a wrong value is told in words of the field', async () => {
    const told = async (target: string): Promise<unknown> => (await service.call(target)).body.error.details?.map(({ msg }: Detail) => msg)
    assert.deepEqual(await told('GET /v1/blocks/recent?chain=ETH&limit=1.5'), ['a whole number from 1 to 200 was expected'])
    assert.deepEqual(await told('GET /v1/test/wrong?whole=1e3&share=x&yes=1'), ['a whole number was expected', 'a number from 0 to 1 was expected', 'true or false was expected', 'least is missing: a whole number from 3 on was expected'])
    assert.deepEqual(await told('GET /v1/test/wrong?least=2'), ['Too small: expected number to be >=3'])
  })

  it('B, flat: an unknown path, whoever asks and however', async () => {
    for (const [target, key] of [['GET /v1/nothing', null], ['POST /v1/nothing', undefined], ['DELETE /nothing', undefined], ['PUT /v1/blocks', undefined]] as const) {
      const { status, body } = await service.call(target, key === undefined ? {} : { key })
      const [method, path] = target.split(' ')
      assert.deepEqual([status, body], [404, { error: 'NOT_FOUND', path, method, hint: `Paths are listed at ${service.api.url}/openapi.json` }])
    }
  })

  it('C, wrapped in detail: chains and cursors', async () => {
    for (const [target, status, code, received] of [
      ['GET /v1/blocks/latest?chain=DOGE', 404, 'UNKNOWN_CHAIN', 'DOGE'], ['GET /v1/blocks/latest?chain=HL', 404, 'CHAIN_NO_BLOCKS', 'HL'], ['GET /v1/blocks/recent?chain=ETH&cursor=x', 400, 'INVALID_CURSOR', 'x'],
    ] as const) {
      const { status: got, body } = await service.call(target)
      assert.deepEqual([got, Object.keys(body), Object.keys(body.detail).sort()], [status, ['detail'], ['error', 'hint', 'received', 'valid_chains']], target)
      assert.deepEqual([body.detail.error, body.detail.received, body.detail.valid_chains], [code, received, ['ARB', 'AVAX', 'BASE', 'BTC', 'ETH', 'MATIC', 'OP', 'SOL']])
    }
  })

  it('a tier reaches what those below it reach, and no more', async () => {
    const answers = await Promise.all(['free', 'pro', 'compliance', 'enterprise', 'made-up'].map(async (tier) => (await service.call('POST /v1/test/sign', { key: await keyOf(tier) })).status))
    assert.deepEqual(answers, [403, 403, 200, 200, 403])
    assert.equal((await service.call('POST /v1/test/sign', { key: null })).status, 401)
  })

  it('on MCP the same bodies come with isError; nothing of the inside is told', async () => {
    const url = `${service.api.url}/mcp`
    const call = async (name: string, key = service.agentKey) => (await post(url, await session(url, key), message('tools/call', { name, arguments: {} }))).body.result as { isError?: boolean; content: { text: string }[] }
    const ordered = await call('order_something')
    assert.deepEqual([ordered.isError, JSON.parse(ordered.content[0]?.text ?? '')], [true, (await service.call('GET /v1/test/order')).body])
    for (const text of [(await call('break_something')).content[0]?.text ?? '', (await service.call('GET /v1/test/broken')).text]) {
      assert.match(text, /"code":"INTERNAL".*"request_id":"[\w-]{8,64}"/)
      assert.ok(!/secret|inside|SELECT/.test(text))
    }
  })

  it('a free key reaches every tool of the service', async () => {
    const url = `${service.api.url}/mcp`
    const headers = await session(url, service.agentKey)
    for (const { name } of operations.filter(({ tool }) => tool)) {
      const { status, text } = await post(url, headers, message('tools/call', { name, arguments: {} }))
      assert.equal(status, 200, name)
      assert.ok(!/TIER_REQUIRED|ROLE_REQUIRED|AUTH_/.test(text), `${name}: ${text.slice(0, 300)}`)
    }
  })
})
