import assert from 'node:assert/strict'
import { request } from 'node:http'
import { pino } from 'pino'
import { z } from 'zod'
import { openAnswerCache } from '../../api/answerCache.js'
import { within } from '../../api/deadline.js'
import { operation } from '../../api/operation.js'
import { startService, type Service } from './support/service.js'

const slow = (name: string, route: `GET /${string}`, cacheSeconds?: number) => operation({
  name, route, auth: 'key', lane: 'system', tool: false, summary: 'A query of 18 seconds.', ...(cacheSeconds === undefined ? {} : { cacheSeconds }), input: z.object({}), output: z.object({}),
  run: async (_input, ask) => { await ask.store.query(`SELECT '${name} probe' AS name, sleepEachRow(1) FROM numbers(18) SETTINGS max_block_size = 1`, {}, z.unknown()); return {} },
})
const operations = [slow('slow_plain', 'GET /v1/test/plain'), slow('slow_shared', 'GET /v1/test/shared', 60)]
const running = "SELECT count() AS count FROM system.processes WHERE position(query, {probe:String}) > 0 AND position(query, 'system.processes') = 0"

describe('work nobody waits for', function () {
  this.timeout(60_000)
  let service: Service
  const lines: { operation?: string; status?: number; tier?: string; key?: string; traceId?: string; milliseconds?: number }[] = []
  before(async () => {
    const log = pino({ level: 'info' }, { write: (line: string) => { lines.push(JSON.parse(line) as typeof lines[number]) } })
    service = await startService({}, { operations, mounts: () => [], log })
  })
  after(() => service.stop())

  const ask = (path: string) => {
    const sent = request(service.api.url + path, { headers: { 'X-API-Key': service.agentKey, 'X-Request-Id': 'request-of-a-test' } })
    sent.on('error', () => undefined).end()
    return sent
  }
  const until = async (probe: string, count: number): Promise<void> => {
    while ((await service.store.query(running, { probe: `${probe} probe` }, z.object({ count: z.coerce.number() })))[0]?.count !== count) await new Promise((resolve) => setImmediate(resolve))
  }

  it('ends on the server when the caller of a route goes; the log says who left, never the key', async () => {
    const sent = ask('/v1/test/plain')
    await until('slow_plain', 1)
    sent.destroy()
    await until('slow_plain', 0)
    const line = lines.find(({ operation: name }) => name === 'slow_plain')
    assert.deepEqual([line?.status, line?.tier, line?.key, line?.traceId, typeof line?.milliseconds], [499, 'free', service.agentKey.slice(4, 12), 'request-of-a-test', 'number'])
    assert.ok(!JSON.stringify(lines).includes(service.agentKey))
  })

  it('ends, where it is shared, when the last caller goes', async () => {
    const both = [ask('/v1/test/shared'), ask('/v1/test/shared')]
    await until('slow_shared', 1)
    while (!/in_flight 2/.test(await service.api.parts.metrics.registry.metrics())) await new Promise((resolve) => setImmediate(resolve))
    both[0]?.destroy()
    while (!lines.some(({ operation: name }) => name === 'slow_shared')) await new Promise((resolve) => setImmediate(resolve))
    await until('slow_shared', 1)
    both[1]?.destroy()
    await until('slow_shared', 0)
  })

  it('is given up after its time, and told so', async () => {
    const seen: AbortSignal[] = []
    await assert.rejects(within(new AbortController().signal, (signal) => { seen.push(signal); return new Promise(() => undefined) }, 5), { status: 503 })
    assert.equal(seen[0]?.aborted, true)
  })

  it('is kept for its seconds, also where the clock is set back meanwhile', async () => {
    const clock = Date.now
    let back = 0
    Date.now = () => clock() - back
    try {
      const cache = openAnswerCache(1_000_000)
      await cache.share('key', 0.05, new AbortController().signal, () => Promise.resolve({ value: 1, text: '1' }))
      back = 3_600_000
      await new Promise((resolve) => { setTimeout(resolve, 100) })
      assert.equal(cache.ready('key'), undefined)
    } finally { Date.now = clock }
  })

  it('is begun anew for who comes after the last has gone; an answer that is there is given at once', async () => {
    const cache = openAnswerCache(1_000_000)
    const [first, second] = [new AbortController(), new AbortController()]
    const signals: AbortSignal[] = []
    const stuck = cache.share('key', 60, first.signal, (unwanted) => { signals.push(unwanted); return new Promise((_resolve, reject) => { unwanted.addEventListener('abort', () => { reject(new Error('gone')) }) }) })
    assert.equal(cache.ready('key'), undefined)
    first.abort()
    await assert.rejects(stuck, /gone/)
    await cache.share('key', 60, second.signal, (unwanted) => { signals.push(unwanted); return Promise.resolve({ value: 1, text: '1' }) })
    second.abort()
    assert.deepEqual(signals.map(({ aborted }) => aborted), [true, false])
    assert.equal(cache.ready('key')?.text, '1')
  })
})
