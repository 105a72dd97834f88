/** Limits over two processes, with Redis and after it was killed; and the headers that tell of them, on every answer. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeKey } from '../../api/keyFormat.js'
import { freePort } from '../../scripts/embedded/ports.js'
import { startRedis } from '../../scripts/embedded/redis.js'
import { clickhouseUrl, redisUrl } from '../support/servers.js'
import { startScript } from '../support/run.js'
import { message, post, session, usual } from '../mcp/support/client.js'
import { startService, type Service } from './support/service.js'

const keyOf = async (service: Service, limit: number, daily = 0): Promise<string> =>
  (await service.api.parts.services.keys.issue({ name: 'x', role: 'agent', tier: 'free', rate_limit: limit, daily_cap: daily, scopes: [], source_ip: '' })).key

/** How often each status came, of `count` calls at once spread over `urls`. */
const spread = async (urls: readonly string[], key: string, count: number): Promise<Record<number, number>> => {
  const found: Record<number, number> = {}
  await Promise.all(Array.from({ length: count }, async (_, index) => {
    const answer = await fetch(`${urls[index % urls.length]}/v1/billing/tiers`, { headers: { 'X-API-Key': key } })
    await answer.arrayBuffer()
    found[answer.status] = (found[answer.status] ?? 0) + 1
  }))
  return found
}

/** A Redis of the test's own, and two services that share it. */
const withRedis = async (environment: Record<string, string>, work: (services: readonly [Service, Service], kill: () => Promise<void>) => Promise<void>): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), 'hydrophone-limits-'))
  const redis = await startRedis(directory)
  const one = await startService(environment, { redisUrl: redis.url })
  const two = await startService({ ...environment, CLICKHOUSE_DATABASE: one.database, QUEUE_PREFIX: one.api.parts.config.QUEUE_PREFIX }, { redisUrl: redis.url })
  try { await work([one, two], redis.kill) } finally {
    await one.stop()
    await two.stop()
    await redis.kill()
    rmSync(directory, { recursive: true, force: true })
  }
}

describe('limits over processes', function () {
  this.timeout(90_000)

  it('are exact for 1,000 calls at once to two processes, by the minute and by the day', async () => {
    const service = await startService()
    const { QUEUE_PREFIX } = service.api.parts.config
    const port = await freePort()
    const other = startScript('api/main.ts', [], { PORT: String(port), CLICKHOUSE_URL: await clickhouseUrl(), REDIS_URL: await redisUrl(), CLICKHOUSE_DATABASE: service.database, QUEUE_PREFIX })
    try {
      await other.says('listening')
      const urls = [service.api.url, `http://127.0.0.1:${port}`]
      assert.deepEqual(await spread(urls, await keyOf(service, 250), 1_000), { 200: 250, 429: 750 })
      assert.deepEqual(await spread(urls, await keyOf(service, 100_000, 300), 1_000), { 200: 300, 429: 700 })
    } finally { other.child.kill('SIGTERM'); await other.ended; await service.stop() }
  })

  it('a key revoked in one process is refused by another within 5 s, though that one is using it all the time', async () => {
    const one = await startService()
    const two = await startService({ CLICKHOUSE_DATABASE: one.database })
    try {
      const { key, record } = await one.api.parts.services.keys.issue({ name: 'x', role: 'agent', tier: 'free', rate_limit: 1_000_000, daily_cap: 0, scopes: [], source_ip: '' })
      const use = async (): Promise<boolean> => { const answer = await fetch(`${two.api.url}/v1/billing/tiers`, { headers: { 'X-API-Key': key } }); await answer.arrayBuffer(); return answer.ok }
      assert.ok(await use())
      await one.api.parts.services.keys.revoke(record)
      const revoked = Date.now()
      for (let asked = Date.now(); await use(); asked = Date.now()) assert.ok(asked - revoked < 5_000, 'still let in')
    } finally { await one.stop(); await two.stop() }
  })

  it('hold for each process once Redis is killed; keys for an address are still counted by the store', async () => {
    await withRedis({ TRUSTED_PROXIES: '1', PUBLIC_RATE: '1000' }, async ([one, two], kill) => {
      const urls = [one.api.url, two.api.url]
      const ask = (service: Service) => service.call('POST /v1/keys', { key: null, headers: { 'X-Forwarded-For': '1.2.3.4' } })
      const before = await Promise.all(Array.from({ length: 30 }, () => ask(one)))
      assert.ok(before.every(({ status }) => status === 200))
      const key = await keyOf(one, 40)
      await kill()
      assert.deepEqual(await spread(urls, key, 200), { 200: 80, 429: 120 }, 'one limit in each process, no more')
      const after = await Promise.all(Array.from({ length: 80 }, (_, index) => ask(index % 2 === 0 ? one : two)))
      const given = after.filter(({ status }) => status === 200).length
      assert.ok(given === 20 || given === 21, `${given}: what is left of 50, and at most one more for the other process`)
      assert.ok(after.every(({ status, body }) => status === 200 || body.error.code === 'RATE_LIMITED'))
    })
  })

  it('made-up keys cost an address no more looks into the store than it has requests', async () => {
    const service = await startService({ PUBLIC_RATE: '5' })
    const { store } = service.api.parts
    const { query } = store
    let looks = 0
    const known = await keyOf(service, 10)
    const one = async (): Promise<boolean> => (await fetch(`${service.api.url}/v1/billing/tiers`, { headers: { 'X-API-Key': known } })).ok
    Object.assign(store, { query: (...args: Parameters<typeof query>) => { looks++; return query(...args) } })
    try {
      const answers = await Promise.all(Array.from({ length: 40 }, () => fetch(`${service.api.url}/v1/auth/me`, { headers: { 'X-API-Key': makeKey() } })))
      assert.ok(answers.filter(({ status }) => status === 429).length >= 35 && answers.every(({ status }) => status === 429 || status === 401))
      assert.equal(looks, 5)
      assert.ok(await one(), 'a key that is known is no look more')
    } finally { await service.stop() }
  })

  it('a key a process has not met yet is one look, however many come with it at once', async () => {
    const first = await startService()
    const service = await startService({ CLICKHOUSE_DATABASE: first.database, PUBLIC_RATE: '2' })
    try {
      assert.deepEqual(await spread([service.api.url], await keyOf(first, 100_000), 50), { 200: 50 })
    } finally { await first.stop(); await service.stop() }
  })

  it('are told on every answer, whatever it is', async () => {
    const service = await startService({ CORS_ORIGINS: 'https://good.example' })
    try {
      const told = (headers: Headers | Map<string, string>, what: string): void => {
        for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) assert.match(headers.get(name) ?? '', /^\d+$/, `${what}: ${name}`)
        assert.match(headers.get('ratelimit') ?? '', /^"(minute|day)";r=\d+;t=\d+$/, what)
        assert.match(headers.get('ratelimit-policy') ?? '', /^"minute";q=\d+;w=60(, "day";q=\d+;w=86400)?$/, what)
        assert.match(headers.get('x-request-id') ?? '', /^[\w-]{8,64}$/, what)
      }
      const spent = await keyOf(service, 1)
      await service.call('GET /health', { key: spent })
      const seen = new Set<number>()
      for (const [target, key, extra] of [
        ['GET /health', null], ['GET /v1/auth/me', null], ['GET /v1/auth/me', 'wrong'], ['GET /v1/nothing', null], ['GET /v1/blocks/recent?chain=ETH&limit=0', undefined], ['GET /v1/blocks/latest?chain=DOGE', undefined],
        ['GET /v1/blocks/recent?chain=ETH&cursor=x', undefined], ['DELETE /health', null], ['OPTIONS /health', null], ['GET /health', spent], ['POST /v1/pipeline/backfill', undefined], [`GET /v1/${'x'.repeat(9_000)}`, null],
        ['GET /redoc', null], ['OPTIONS /health', null, { 'Origin': 'https://good.example', 'Access-Control-Request-Method': 'GET' }],
      ] as const) {
        const { status, headers } = await service.call(target, { ...(key === undefined ? {} : { key }), ...(extra === undefined ? {} : { headers: extra }) })
        told(headers, `${target} → ${status}`)
        seen.add(status)
      }
      assert.deepEqual([...seen].sort(), [200, 204, 400, 401, 403, 404, 405, 414, 422, 429])
      const url = `${service.api.url}/mcp`
      const opened = await session(url, service.agentKey)
      for (const answer of [await post(url, opened, message('tools/list')), await post(url, usual, message('tools/list')), await post(url, { ...opened, 'X-API-Key': spent }, message('tools/list'))]) {
        told(new Map(Object.entries(answer.headers as Record<string, string>)), `MCP ${answer.status}`)
      }
    } finally { await service.stop() }
  })
})
