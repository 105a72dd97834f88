/** What is hardly a request: every answer has the envelope, a request id and where the sender stands with its limits. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { startService, type Service } from './support/service.js'

/** Sends `text` as it is; resolves to all that came back until the other side hung up. */
const say = (url: string, text: string): Promise<string> => new Promise((resolve, reject) => {
  const { hostname, port } = new URL(url)
  let answer = ''
  const socket = connect(Number(port), hostname, () => { socket.write(text) })
  socket.on('data', (data) => { answer += data.toString() })
  socket.on('error', reject)
  socket.on('close', () => { resolve(answer) })
})

describe('improper requests', function () {
  this.timeout(60_000)
  let service: Service
  before(async () => { service = await startService() })
  after(() => service.stop())

  const cases: readonly (readonly [name: string, text: string, status: number, code: string])[] = [
    ['no host', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'BAD_REQUEST'],
    ['two hosts', 'GET /health HTTP/1.1\r\nHost: a\r\nhost: b\r\nConnection: close\r\n\r\n', 400, 'BAD_REQUEST'],
    ['a wish nobody knows', 'GET /health HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n', 417, 'EXPECTATION_FAILED'],
    ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n', 405, 'METHOD_NOT_ALLOWED'],
    ['a method nobody knows', 'FETCH /health HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'BAD_REQUEST'],
    ['two lengths', 'POST /v1/keys HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\n', 400, 'BAD_REQUEST'],
    ['a length and chunks', 'POST /v1/keys HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400, 'BAD_REQUEST'],
    ['headers too long', `GET /health HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
    ['a URL too long', `GET /health?${'a'.repeat(9_000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, 414, 'URI_TOO_LONG'],
  ]
  for (const [name, text, status, code] of cases) {
    it(name, async () => {
      const answer = await say(service.api.url, text)
      const [head = '', body = ''] = answer.split('\r\n\r\n')
      assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `), answer)
      assert.equal(JSON.parse(body).error.code, code)
      for (const header of [/^X-Request-Id: [\w-]{8,64}$/mi, /^X-RateLimit-Limit: \d+$/mi, /^X-RateLimit-Remaining: \d+$/mi, /^X-RateLimit-Reset: \d+$/mi, /^RateLimit: "minute";r=\d+;t=\d+$/mi, /^RateLimit-Policy: "minute";q=\d+;w=60$/mi]) assert.match(head, header)
      if (status === 405) assert.match(head, /^Allow: /m)
    })
  }

  it('an old client, which names no host, is answered', async () => {
    assert.match(await say(service.api.url, 'GET /health HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 /)
  })

  it('they are counted with the other requests of their address', async () => {
    const left = async (): Promise<number> => Number((await service.call('GET /health', { key: null })).headers.get('x-ratelimit-remaining'))
    const before = await left()
    await say(service.api.url, 'FETCH /health HTTP/1.1\r\nHost: x\r\n\r\n')
    assert.equal(await left(), before - 2)
  })
})
