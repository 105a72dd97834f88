/** Requests that come too slowly, or never end: their connections are ended, and nothing is logged as a failure of ours. */
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
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

describe('answers nobody reads', function () {
  this.timeout(60_000)
  const size = 48 * 1024 * 1024
  let service: Service
  let closed = 0
  before(async () => {
    service = await startService({}, { patience: { head: 5_000, whole: 10_000, unread: 1_000 }, mounts: () => [
      { paths: ['/large'], name: 'large', auth: 'public', middleware: (ctx) => { ctx.res.once('close', () => { closed++ }); ctx.body = Buffer.alloc(size) } },
      { paths: ['/flowing'], name: 'flowing', auth: 'public', middleware: (ctx) => {
        ctx.res.once('close', () => { closed++ })
        ctx.body = Readable.from((function* () { for (let made = 0; made < size; made += 65_536) yield Buffer.alloc(65_536) })())
      } },
      { paths: ['/silent'], name: 'silent', auth: 'public', middleware: (ctx) => {
        ctx.body = Readable.from((async function* () { yield 'first,'; await new Promise((resolve) => { setTimeout(resolve, 2_500) }); yield 'last' })())
      } },
    ] })
  })
  after(() => service.stop())
  const ask = (path: string): Socket => {
    const { hostname, port } = new URL(service.api.url)
    const socket: Socket = connect(Number(port), hostname, () => { socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`) })
    return socket.on('error', () => undefined)
  }

  for (const path of ['/large', '/flowing']) it(`${path}: are not held on to`, async () => {
    closed = 0
    const socket = ask(path).pause()
    for (let waited = 0; closed === 0 && waited < 10_000; waited += 50) await new Promise((resolve) => { setTimeout(resolve, 50) })
    socket.destroy()
    assert.equal(closed, 1, 'it is still held')
  })

  it('read slowly, or with a silence between, are given whole', async () => {
    const { text } = await service.call('GET /silent', { key: null })
    assert.equal(text, 'first,last')
    const socket = ask('/large')
    let read = 0
    let since = 0
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      read += chunk.length
      since += chunk.length
      if (since > 4_000_000) { since = 0; await new Promise((resolve) => { setTimeout(resolve, 200) }) }
    }
    assert.ok(read > size, `${read} bytes`)
  })
})
