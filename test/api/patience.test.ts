/** Requests that come too slowly, or never end: their connections are ended, and nothing is logged as a failure of ours. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { pino } from 'pino'
import { startService, type Service } from './support/service.js'

/** Sends `head`, then a byte every 20 ms, until the other side hangs up; resolves to all it said. */
const trickle = (url: string, head: string): Promise<string> => new Promise((resolve) => {
  const { hostname, port } = new URL(url)
  let answer = ''
  const socket = connect(Number(port), hostname, () => { socket.write(head) })
  const timer = setInterval(() => { socket.write('a') }, 20)
  socket.on('data', (data) => { answer += data.toString() })
  socket.on('error', () => undefined)
  socket.on('end', () => { socket.end() })
  socket.on('close', () => { clearInterval(timer); resolve(answer) })
})

describe('slow requests', function () {
  this.timeout(60_000)
  const lines: string[] = []
  let service: Service
  before(async () => { service = await startService({}, { patience: { head: 300, whole: 600 }, log: pino({ level: 'warn' }, { write: (line: string) => { lines.push(line) } }) }) })
  after(() => service.stop())

  it('heads that never end get 408', async () => {
    const answer = await trickle(service.api.url, 'GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: ')
    assert.match(answer, /^HTTP\/1.1 408[\s\S]*X-Request-Id: [\w-]+[\s\S]*"REQUEST_TIMEOUT"/)
  })

  it('bodies that never end get 408, and no line in the log', async () => {
    const head = `POST /v1/pipeline/backfill HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.adminKey}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`
    assert.match(await trickle(service.api.url, head), /^HTTP\/1.1 408[\s\S]*"REQUEST_TIMEOUT"/)
    assert.deepEqual(lines, [])
    assert.equal((await service.call('GET /health', { key: null })).status, 200)
  })

  it('bodies that break off leave nothing behind', async () => {
    const { hostname, port } = new URL(service.api.url)
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => { socket.write(`POST /v1/pipeline/backfill HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.adminKey}\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{`, () => { socket.destroy() }) })
      socket.on('close', () => { resolve() })
    })
    const { metrics } = service.api.parts
    while (!/requests_total\{operation="backfill",status="499"\} 2/.test(await metrics.registry.metrics())) await new Promise((resolve) => { setTimeout(resolve, 10) })
    assert.match(await metrics.registry.metrics(), /requests_in_flight 0/)
    assert.deepEqual(lines, [])
  })
})
