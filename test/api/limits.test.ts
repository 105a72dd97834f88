import assert from 'node:assert/strict'
import { redisUrl } from '../support/servers.js'
import { openDoor } from './support/door.js'
import { isRefusal } from './support/refusal.js'
import { startService, type Service } from './support/service.js'

const statuses = async (service: Service, key: string | null, count: number): Promise<Record<number, number>> => {
  const found: Record<number, number> = {}
  await Promise.all(Array.from({ length: count }, async () => {
    const answer = await fetch(`${service.api.url}/v1/billing/tiers`, { headers: key === null ? {} : { 'X-API-Key': key } })
    await answer.arrayBuffer()
    found[answer.status] = (found[answer.status] ?? 0) + 1
  }))
  return found
}
const keyOf = async (service: Service, limit: number, daily = 0): Promise<string> =>
  (await service.api.parts.services.keys.issue({ name: 'x', role: 'agent', tier: 'free', rate_limit: limit, daily_cap: daily, scopes: [], source_ip: '' })).key

describe('limits', function () {
  this.timeout(60_000)

  it('let exactly 100 of 1,000 concurrent calls through, and say so', async () => {
    const service = await startService()
    try {
      const key = await keyOf(service, 100)
      assert.deepEqual(await statuses(service, key, 1_000), { 200: 100, 429: 900 })
      const { status, headers, body } = await service.call('GET /v1/billing/tiers', { key })
      assert.deepEqual([status, body.error.code, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')], [429, 'RATE_LIMITED', '100', '0'])
      const reset = Number(headers.get('x-ratelimit-reset')) - Date.now() / 1_000
      assert.ok(reset > 0 && reset <= 61 && Number(headers.get('retry-after')) >= 1)
      assert.match(headers.get('ratelimit-policy') ?? '', /^"minute";q=100;w=60/)
    } finally { await service.stop() }
  })

  it('count a day too, and callers without a key by address', async () => {
    const service = await startService({ PUBLIC_RATE: '7' })
    try {
      assert.deepEqual(await statuses(service, await keyOf(service, 1_000, 5), 12), { 200: 5, 429: 7 })
      const anonymous = await statuses(service, null, 20)
      assert.ok((anonymous[200] ?? 0) <= 7 && (anonymous[429] ?? 0) >= 13)
      const refused = await fetch(`${service.api.url}/v1/auth/me`, { headers: { 'X-API-Key': 'wrong' } })
      assert.equal(refused.status, 429, 'guessing keys is counted by address')
    } finally { await service.stop() }
  })

  it('say which window refused, whichever did', async () => {
    const service = await startService({ PUBLIC_RATE: '3' })
    const ask = async (key: string, path = '/health') => (await service.call(`GET ${path}`, { key })).headers
    try {
      // The minute is at its end with the last request of the day.
      const both = await keyOf(service, 2, 1)
      await ask(both)
      isRefusal(await ask(both), 'day', 1, 86_400)
      const spent = await keyOf(service, 1, 9)
      await ask(spent)
      const headers = await ask(spent)
      isRefusal(headers, 'minute', 1, 60)
      assert.equal(headers.get('ratelimit-policy'), '"minute";q=1;w=60, "day";q=9;w=86400')
      const key = await keyOf(service, 1_000)
      for (let time = 0; time < 5; time++) await service.call('POST /v1/keys/exchange', { key })
      const { status, headers: last } = await service.call('POST /v1/keys/exchange', { key })
      assert.equal(status, 429)
      isRefusal(last, 'exchange', 5, 3_600)
      assert.ok(last.get('ratelimit-policy')?.startsWith('"minute";q=1000;w=60, '))
    } finally { await service.stop() }
  })

  it('are drawn from one bucket in every process, to the last one', async () => {
    const service = await startService()
    const other = await startService({ QUEUE_PREFIX: service.api.parts.config.QUEUE_PREFIX })
    try {
      const take = async (index: number) => {
        // Some at once, some in later turns: both how many are counted together and who counts them vary.
        for (let turns = index % 7; turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve))
        return (index % 2 === 0 ? service : other).api.parts.services.limits.take('day', 'x', 10_000, 86_400)
      }
      const verdicts = await Promise.all(Array.from({ length: 12_000 }, (_, index) => take(index)))
      const left = verdicts.filter((verdict) => verdict.allowed).map((verdict) => verdict.remaining).sort((a, b) => a - b)
      assert.deepEqual(left, Array.from({ length: 10_000 }, (_, index) => index), 'each of 10,000 is given once')
      assert.ok(verdicts.every((verdict) => verdict.allowed || verdict.remaining === 0))
    } finally { await service.stop(); await other.stop() }
  })

  it('hold in memory while Redis is away; keys and revocation still work', async () => {
    const door = await openDoor(await redisUrl())
    const service = await startService({}, { redisUrl: door.url })
    try {
      const key = await keyOf(service, 10)
      door.cut()
      assert.deepEqual(await statuses(service, key, 50), { 200: 10, 429: 40 })
      const made = await service.call('POST /v1/keys', { key: null })
      assert.equal(made.status, 200)
      assert.equal((await service.call(`POST /v1/keys/${(made.body.api_key as string).slice(4, 12)}/revoke`, { key: made.body.api_key })).status, 200)
      assert.equal((await service.call('GET /v1/auth/me', { key: made.body.api_key })).status, 401)
    } finally { await service.stop(); door.close() }
  })

  it('give 50 keys a day to an address, also to a fresh Redis, and believe only trusted proxies', async () => {
    const service = await startService({ TRUSTED_PROXIES: '1' })
    const ask = (ip: string) => service.call('POST /v1/keys', { key: null, headers: { 'X-Forwarded-For': `9.9.9.9, ${ip}` } })
    try {
      const answers = await Promise.all(Array.from({ length: 60 }, () => ask('1.2.3.4')))
      assert.equal(answers.filter(({ status }) => status === 200).length, 50)
      isRefusal((await ask('1.2.3.4')).headers, 'new_key', 50, 86_400)
      assert.equal((await ask('1.2.3.5')).status, 200)
      const fresh = await startService({ CLICKHOUSE_DATABASE: service.database, TRUSTED_PROXIES: '1' })
      try {
        const { status, body, headers } = await fresh.call('POST /v1/keys', { key: null, headers: { 'X-Forwarded-For': '1.2.3.4' } })
        assert.deepEqual([status, body.error.code], [429, 'RATE_LIMITED'])
        isRefusal(headers, 'new_key', 50, 86_400)
        // A day after the first of them was made, and no sooner.
        const wait = Number(headers.get('retry-after'))
        assert.ok(wait > 85_000 && wait <= 86_400, String(wait))
      } finally { await fresh.stop() }
    } finally { await service.stop() }
  })
})
