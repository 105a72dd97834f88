/** The leaderboard is asked for at once and then again: its bytes are kept as they came, and whatever its host does, nothing else suffers and it is asked again. */
import assert from 'node:assert/strict'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Heard } from '../../../stages/ingest/hyperliquid/journal.js'
import { openLeaderboard, type LeaderboardPace } from '../../../stages/ingest/hyperliquid/leaderboard.js'
import { until } from '../../support/pipeline.js'

const body = '{"leaderboardRows":[{"ethAddress":"0x1111111111111111111111111111111111111111","displayName":"名前 \\u202e"}]}\n'
type Answer = (response: ServerResponse) => void
const whole: Answer = (response) => { response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body) }

describe('asking for the leaderboard of Hyperliquid', function () {
  this.timeout(60_000)
  let server: Server, asked: { method: string; url: string }[], answers: Answer[]
  const heard: Heard[] = [], failed: string[] = []
  beforeEach(async () => {
    asked = []
    answers = []
    heard.length = failed.length = 0
    server = createServer((request, response) => { asked.push({ method: request.method ?? '', url: request.url ?? '' }); (answers.shift() ?? whole)(response) })
    await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  })
  afterEach(() => { server.closeAllConnections(); server.close() })

  /** Asks until `enough`, a thousandth of the usual time apart. */
  const asking = async (enough: () => boolean, pace: Partial<LeaderboardPace> = {}, url = '/Mainnet/leaderboard'): Promise<void> => {
    const leaderboard = openLeaderboard(`http://127.0.0.1:${(server.address() as AddressInfo).port}${url}`, (one) => { heard.push(one) }, (reason) => { failed.push(reason) }, { everyMs: 600_000, againMs: 50, ...pace })
    try { await until(() => Promise.resolve(enough()), `${failed.join('; ')}: it was not enough`, 20) } finally { await leaderboard.close() }
  }

  it('keeps the bytes as they came, as an answer to a question, and asks again when it is time', async () => {
    await asking(() => heard.length >= 2, { everyMs: 100 })
    assert.deepEqual(asked.slice(0, 2), Array.from({ length: 2 }, () => ({ method: 'GET', url: '/Mainnet/leaderboard' })))
    for (const { kind, request, payload, endpoint, at } of heard) {
      assert.deepEqual([kind, request, payload.toString('utf8')], ['info', '{"type":"leaderboard"}', body])
      assert.ok(/^127\.0\.0\.1:\d+#1$/.test(endpoint) && Math.abs(Date.now() - at) < 60_000)
    }
    assert.deepEqual(failed, [])
  })

  const faults: readonly (readonly [string, Answer, RegExp])[] = [
    ['a 429', (response) => { response.writeHead(429).end('slow down') }, /leaderboard: HTTP 429/],
    ['a fault of the server', (response) => { response.writeHead(503).end() }, /HTTP 503/],
    ['a redirect, which is not followed', (response) => { response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end() }, /HTTP 302/],
    ['a page', (response) => { response.writeHead(200, { 'content-type': 'text/html' }).end('<html>busy</html>') }, /17 bytes that are not JSON/],
    ['nothing', (response) => { response.writeHead(200).end() }, /0 bytes that are not JSON/],
    ['an answer cut short of what was declared', (response) => { response.writeHead(200, { 'content-length': 5_000 }).write(body.slice(0, 60)); setTimeout(() => response.destroy(), 20) }, /leaderboard: /],
    ['an answer cut short with nothing declared', (response) => { response.end(body.slice(0, 60)) }, /60 bytes that are not JSON, or not all of it/],
    ['no answer', (response) => { response.destroy() }, /leaderboard: /],
    ['an answer declared too large', (response) => { response.writeHead(200, { 'content-length': 5_000 }).write('{') }, /larger than 1000 bytes/],
    ['an answer without end', (response) => { response.writeHead(200).write('{'); const more = setInterval(() => { response.write(' '.repeat(100)) }, 2); response.on('close', () => { clearInterval(more) }) }, /larger than 1000 bytes/],
    ['an answer that drips', (response) => { response.writeHead(200).write('{'); const more = setInterval(() => { response.write(' ') }, 50); response.on('close', () => { clearInterval(more) }) }, /leaderboard: /],
  ]
  for (const [what, answer, says] of faults) {
    it(`${what} is told, nothing of it is kept, and it is asked again`, async () => {
      answers = [answer]
      await asking(() => heard.length === 1, { maxBytes: 1_000, wholeMs: 1_000 })
      assert.deepEqual([failed.length, asked.length, heard[0]?.payload.toString('utf8')], [1, 2, body])
      assert.match(failed[0] ?? '', says)
    })
  }

  it('the longer it fails the less often it is asked', async () => {
    answers = Array.from({ length: 50 }, () => (response) => { response.writeHead(500).end() })
    const times: number[] = []
    await asking(() => { if (asked.length > times.length) times.push(Date.now()); return times.length === 4 }, { againMs: 600 })
    const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    assert.ok((waits[0] ?? 0) >= 500 && (waits[1] ?? 0) >= 1_100 && (waits[2] ?? 0) >= 2_300, waits.join(' '))
  })

  it('what is secret in the address is never told', async () => {
    answers = [(response) => { response.writeHead(401).end() }]
    const { port } = server.address() as AddressInfo
    const leaderboard = openLeaderboard(`http://reader:leaf-mould-77@127.0.0.1:${port}/board?key=Kx9vw2Qe`, (one) => { heard.push(one) }, (reason) => { failed.push(reason) }, { againMs: 50 })
    try { await until(() => Promise.resolve(heard.length === 1), 'it did not ask again') } finally { await leaderboard.close() }
    assert.deepEqual([asked[0]?.url, /leaf-mould-77|Kx9vw2Qe|reader/.test(`${failed.join()} ${heard[0]?.endpoint ?? ''}`)], ['/board?key=Kx9vw2Qe', false])
  })

  it('who closes it does not wait for an answer', async () => {
    answers = [() => undefined]
    const before = Date.now()
    await asking(() => asked.length === 1)
    assert.ok(Date.now() - before < 5_000)
    assert.deepEqual([heard, failed], [[], []])
  })
})
