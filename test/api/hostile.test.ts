/** What arrives from people who mean harm or do not look: always an envelope, never a 5xx. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { startService, type Service } from './support/service.js'

const raw = (url: string, text: string): Promise<string> => new Promise((resolve, reject) => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname, () => socket.write(text))
  let answer = ''
  socket.on('data', (data) => { answer += data.toString() })
  socket.on('close', () => { resolve(answer) })
  socket.on('error', reject)
})

describe('hostile requests', () => {
  let service: Service
  before(async function () { this.timeout(90_000); service = await startService({ CORS_ORIGINS: 'https://good.example,https://Written.example:443/ ,http://other.example:8081/page' }) })
  after(() => service.stop())
  const post = (body: string, headers: Record<string, string> = {}, path = '/v1/pipeline/backfill') =>
    service.call(`POST ${path}`, { key: service.adminKey, body, headers })

  it('bodies: too large, not JSON, too deep, not an object, of another type, compressed', async () => {
    const code = async (answer: ReturnType<typeof post>) => { const { status, body } = await answer; return [status, body.error.code] }
    assert.deepEqual(await code(post(`{"chain":"${'x'.repeat(1024 * 1024)}"}`)), [413, 'PAYLOAD_TOO_LARGE'])
    assert.deepEqual(await code(post('{"chain":')), [422, 'VALIDATION_ERROR'])
    assert.deepEqual(await code(post('['.repeat(500_000))), [422, 'VALIDATION_ERROR'])
    for (const text of ['[]', 'null', '1', '"x"']) assert.deepEqual(await code(post(text)), [422, 'VALIDATION_ERROR'])
    assert.deepEqual(await code(post('{"__proto__":{"role":"admin"},"chain":"ETH"}')), [422, 'VALIDATION_ERROR'])
    assert.deepEqual(await code(post('a=b', { 'Content-Type': 'application/x-www-form-urlencoded' })), [415, 'UNSUPPORTED_MEDIA_TYPE'])
    assert.deepEqual(await code(post('{}', { 'Content-Encoding': 'gzip' })), [415, 'UNSUPPORTED_MEDIA_TYPE'])
    assert.deepEqual(await code(post('{"x":1}', {}, '/v1/pipeline/pause')), [422, 'VALIDATION_ERROR'])
  })

  it('a body with more strangers than anybody reads: the first 20 are named, each in 64 characters, and the rest counted', async () => {
    const names = Array.from({ length: 40_000 }, (_, index) => `stranger_${index}`)
    const { status, body, text } = await post(JSON.stringify(Object.fromEntries(names.map((name) => [name, 1]))), {}, '/v1/keys')
    assert.deepEqual([status, body.error.code, body.error.details.map(({ loc }: { loc: unknown[] }) => loc[1])], [422, 'VALIDATION_ERROR', names.slice(0, 20)])
    assert.match(body.error.message, /stranger_0, .*stranger_19 and 39980 more$/)
    assert.ok(text.length < 6_000, `${text.length} characters`)
    const long = await post(JSON.stringify({ ['x'.repeat(500_000)]: 1 }), {}, '/v1/keys')
    assert.deepEqual([long.status, long.body.error.details[0].loc], [422, ['body', 'x'.repeat(64)]])
    assert.ok(long.text.length < 1_000, `${long.text.length} characters`)
    const items = await post(JSON.stringify({ name: 'x', addresses: Array.from({ length: 900 }, () => 1) }), {}, '/v1/monitoring/lists')
    assert.deepEqual([items.status, items.body.error.details.length], [422, 20])
  })

  it('paths: bad percent-encoding, null bytes, dots, very long', async () => {
    for (const path of ['/v1/blocks/%zz', '/v1/blocks/%', '/v1/blocks/%C0%80', '/v1/blocks/ETH/%00', '/v1/blocks/ETH/1%2F2', `/v1/blocks/${'x'.repeat(4_000)}`, '/%2e%2e/%2e%2e/etc/passwd', '//', '/v1//blocks']) {
      const { status, body } = await service.call(`GET ${path}`)
      assert.ok(status === 404 || status === 422, `${path} → ${status}`)
      assert.ok(body.error ?? body.detail, path)
    }
    assert.equal((await service.call("GET /v1/blocks/ETH' OR 1=1 --")).body.detail.error, 'UNKNOWN_CHAIN')
    assert.equal((await service.call('GET /v1/blocks/DOGE%00')).body.detail.error, 'UNKNOWN_CHAIN')
  })

  it('methods and headers', async () => {
    const wrong = await service.call('DELETE /v1/blocks/latest')
    assert.deepEqual([wrong.status, wrong.body.error.code], [405, 'METHOD_NOT_ALLOWED'])
    assert.match(wrong.headers.get('allow') ?? '', /GET, HEAD/)
    const head = await service.call('HEAD /v1/billing/tiers', { key: null })
    assert.deepEqual([head.status, head.text], [200, ''])
    assert.equal((await service.call('OPTIONS /v1/billing/tiers', { key: null })).status, 204)
    assert.match(await raw(service.api.url, `GET /health HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(20_000)}\r\n\r\n`), /^HTTP\/1.1 431[\s\S]*"HEADERS_TOO_LARGE"/)
    const named = async (id: string): Promise<string | null> => (await fetch(`${service.api.url}/health`, { headers: { 'X-Request-Id': id } })).headers.get('x-request-id')
    assert.equal(await named('request-of-a-test'), 'request-of-a-test')
    assert.doesNotMatch(await named(service.agentKey) ?? '', /hyd_/)
    assert.match(await raw(service.api.url, 'NONSENSE\r\n\r\n'), /^HTTP\/1.1 400[\s\S]*"BAD_REQUEST"/)
    assert.match(await raw(service.api.url, 'GET /health HTTP/1.1\r\nHost: evil"><script>\r\nConnection: close\r\n\r\n'), /^HTTP\/1.1 200/)
  })

  it('says nothing of the inside when the inside fails', async () => {
    const broken = await startService()
    try {
      await broken.store.execute('DROP TABLE chunks')
      const { status, body, text } = await broken.call('GET /v1/feed/block/ETH/1')
      assert.equal(status, 200, text)
      const failed = await broken.call('GET /v1/dashboard/chains')
      assert.deepEqual([failed.status, failed.body.error.code], [500, 'INTERNAL'])
      assert.equal(failed.body.error.request_id, failed.headers.get('x-request-id'))
      assert.ok(!/chunks|SELECT|Table/i.test(failed.text), failed.text)
      assert.ok(body)
    } finally { await broken.stop() }
  })

  it('lets listed origins in, and no others', async () => {
    const origin = async (from: string) => (await service.call('GET /health', { key: null, headers: { Origin: from } })).headers.get('access-control-allow-origin')
    assert.equal(await origin('https://good.example'), 'https://good.example')
    // However they are written, browsers write an origin in one way.
    for (const from of ['https://written.example', 'http://other.example:8081']) {
      assert.equal(await origin(from), from)
      assert.equal((await service.call('POST /mcp', { headers: { Origin: from }, body: {} })).status, 406, 'let in, and then told of the header that is missing')
    }
    assert.equal(await origin('https://evil.example'), null)
    const preflight = await service.call('OPTIONS /v1/keys', { key: null, headers: { 'Origin': 'https://good.example', 'Access-Control-Request-Method': 'POST' } })
    assert.equal(preflight.status, 204)
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /X-API-Key/)
    const foreign = await service.call('OPTIONS /v1/keys', { key: null, headers: { 'Origin': 'https://evil.example', 'Access-Control-Request-Method': 'POST' } })
    assert.deepEqual([foreign.status, [...foreign.headers.keys()].filter((name) => name.startsWith('access-control-'))], [204, []])
  })

  it('puts the headers of safety and of limits on every answer', async () => {
    for (const [path, key] of [['/health', null], ['/v1/nothing', null], ['/v1/auth/me', null], ['/v1/auth/me', 'wrong'], ['/v1/blocks/latest', undefined], ['/openapi.json', null]] as const) {
      const { headers } = await service.call(`GET ${path}`, key === undefined ? {} : { key })
      for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-request-id', 'x-content-type-options', 'content-security-policy']) assert.ok(headers.get(name) !== null, `${path}: ${name}`)
    }
  })
})
