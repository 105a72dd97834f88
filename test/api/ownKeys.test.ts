/** Keys of an account: named, attached, exchanged, listed, revoked; what each answers and what the store holds afterwards. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { startService, type Service } from './support/service.js'

describe('own keys', function () {
  this.timeout(60_000)
  let service: Service
  before(async () => { service = await startService() })
  after(() => service.stop())

  const instant = async (): Promise<string> => (await service.call('POST /v1/keys', { key: null })).body.api_key
  const paid = async (tier = 'pro'): Promise<string> =>
    (await service.api.parts.services.keys.issue({ name: 'customer', role: 'agent', tier, rate_limit: 600, daily_cap: 1_000_000, scopes: ['read'], source_ip: '' })).key
  const works = async (key: string): Promise<boolean> => (await service.call('GET /v1/auth/me', { key })).status === 200
  const mine = async (key: string) => (await service.call('GET /v1/keys/mine', { key })).body.keys as { public_id: string; name: string; tier: string; revoked_at: string | null; last_used_at: string | null; prefix: string; origin: string }[]
  const idOf = (key: string): string => key.slice(4, 12)

  it('an instant key has every field of the specification', async () => {
    const { body, headers } = await service.call('POST /v1/keys', { key: null })
    assert.deepEqual(Object.keys(body).sort(), ['api_key', 'daily_cap', 'expires_at', 'rate_limit', 'scopes', 'tier', 'usage'])
    assert.deepEqual([body.tier, body.rate_limit, body.daily_cap], ['free', 100_000, 1_000_000])
    assert.ok(body.scopes.includes('read'))
    // What a tier adds is no scope of those below it.
    const { tiers } = (await service.call('GET /v1/billing/tiers', { key: null })).body
    assert.deepEqual([body.scopes.includes('chat'), tiers.filter((tier: any) => tier.scopes.includes('chat')).map((tier: any) => tier.id)], [false, ['pro', 'compliance', 'enterprise']])
    const days = (Date.parse(body.expires_at) - Date.parse(headers.get('date') ?? '')) / 86_400_000
    assert.ok(days > 89.99 && days < 90.01)
    const { url } = service.api
    assert.deepEqual([body.usage.docs, body.usage.agents_landing, body.usage.discovery_manifest], [`${url}/redoc`, `${url}/agents.md`, `${url}/.well-known/mcp.json`])
    for (const document of [body.usage.docs, body.usage.agents_landing, body.usage.discovery_manifest]) assert.equal((await fetch(document)).status, 200, document)
    assert.deepEqual(body.usage.mcp.config.mcpServers.hydrophone, { type: 'http', url: `${url}/mcp`, headers: { 'X-API-Key': body.api_key } })
  })

  it('are listed in pages, each cursor for its account alone', async () => {
    const [owner, stranger] = [await paid(), await paid()]
    for (const name of ['one', 'two', 'three']) assert.equal((await service.call('POST /v1/keys/named', { key: owner, body: { name } })).status, 200)
    const all = await mine(owner)
    assert.equal(all.length, 4)
    const paged: unknown[] = []
    for (let next = ''; ;) {
      const { body } = await service.call(`GET /v1/keys/mine?limit=1${next}`, { key: owner })
      paged.push(...body.keys.map((one: any) => one.public_id))
      if (!body.has_more) break
      next = `&cursor=${body.next_cursor}`
      assert.equal((await service.call(`GET /v1/keys/mine?limit=1${next}`, { key: stranger })).body.detail.error, 'INVALID_CURSOR')
    }
    assert.deepEqual(paged, all.map((one) => one.public_id))
  })

  it('named keys are made by paid tiers, have their tier and share their quota', async () => {
    const call = (key: string | null, body: unknown) => service.call('POST /v1/keys/named', { key, body })
    assert.deepEqual([(await call(null, { name: 'x' })).status, (await call(await instant(), { name: 'x' })).body.error.code], [401, 'TIER_REQUIRED'])
    const owner = await paid()
    for (const name of ['', ' x', 'x\n', 'a'.repeat(65), 1]) assert.equal((await call(owner, { name })).status, 422, String(name))
    const { status, body } = await call(owner, { name: 'night job' })
    assert.deepEqual([status, body.name, body.tier, body.rate_limit], [200, 'night job', 'pro', 600])
    const left = async (key: string) => Number((await service.call('GET /v1/billing/tiers', { key })).headers.get('x-ratelimit-remaining'))
    assert.equal(await left(owner), await left(body.api_key) + 1, 'one bucket')
    assert.deepEqual((await mine(owner)).map(({ name }) => name), ['night job', 'customer'])
    const admins = await call(service.adminKey, { name: 'robot' })
    assert.equal((await service.call('GET /v1/auth/me', { key: admins.body.api_key })).body.role, 'agent', 'no role is handed on')
    assert.equal((await service.call(`POST /v1/keys/${idOf(service.adminKey)}/revoke`, { key: admins.body.api_key })).status, 404, 'nor does an agent end an admin')
  })

  it('an attached key is listed and revoked by its account, and sees only itself', async () => {
    const [owner, key, stranger] = [await paid(), await instant(), await paid()]
    const attach = (as: string, body: unknown) => service.call('POST /v1/keys/attach', { key: as, body })
    assert.equal((await attach(await instant(), { key })).body.error.code, 'TIER_REQUIRED')
    assert.equal((await attach(owner, { key: 'hyd_short' })).status, 422)
    assert.equal((await attach(owner, { key: `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}` })).status, 404)
    for (let turn = 0; turn < 2; turn++) assert.deepEqual((await attach(owner, { key })).body.status, 'attached')
    assert.equal((await attach(stranger, { key })).body.error.code, 'KEY_ATTACHED')
    assert.equal((await attach(owner, { key: stranger })).body.error.code, 'KEY_ATTACHED')
    assert.deepEqual((await mine(owner)).map(({ public_id: id }) => id), [idOf(key), idOf(owner)])
    assert.deepEqual((await mine(key)).map(({ public_id: id }) => id), [idOf(key)])
    assert.equal((await service.call(`POST /v1/keys/${idOf(owner)}/revoke`, { key })).status, 404)
    assert.equal((await service.call(`POST /v1/keys/${idOf(key)}/revoke`, { key: stranger })).status, 404)
    const first = await service.call(`POST /v1/keys/${idOf(key)}/revoke`, { key: owner })
    const again = await service.call(`POST /v1/keys/${idOf(key)}/revoke`, { key: owner })
    assert.deepEqual([first.status, again.status, again.body.revoked_at], [200, 200, first.body.revoked_at])
    assert.equal(await works(key), false)
  })

  it('an exchanged key has the same rights, quota and end; the old one ends after a minute', async () => {
    const old = await instant()
    assert.equal((await service.call('POST /v1/keys/exchange', { key: null })).status, 401)
    const { status, body } = await service.call('POST /v1/keys/exchange', { key: old, body: {} })
    assert.equal(status, 200)
    assert.ok(await works(old) && await works(body.api_key))
    const [before, after] = [(await mine(old))[0], (await mine(body.api_key))[0]] as unknown as { expires_at: string; tier: string; scopes: string[]; rate_limit: number }[]
    assert.deepEqual([before?.expires_at, after?.tier, after?.scopes, after?.rate_limit], [body.replaces.expires_at, before?.tier, before?.scopes, before?.rate_limit])
    const end = Date.parse(body.replaces.expires_at) - Date.now()
    assert.ok(end > 0 && end <= 60_000)
    const chain = await Promise.all(Array.from({ length: 8 }, () => service.call('POST /v1/keys/exchange', { key: old })))
    assert.equal(chain.filter((answer) => answer.status === 200).length, 4, 'five an hour for a key and those it came from')
    const { keys } = service.api.parts.services
    const records = await Promise.all([old, body.api_key as string].map((key) => keys.find(idOf(key))))
    assert.deepEqual(new Set(records.map((record) => record?.quota)), new Set([idOf(old)]), 'and no fresh quota by it')
    assert.equal(await keys.issueInstant({ ...records[0]!, source_ip: '127.0.0.1' }, 0), null)
  })

  it('what a key wrote stays its own when it is exchanged, and no other key finds it', async () => {
    const [key, other] = [await instant(), await instant()]
    const { body: tag } = await service.call('POST /v1/tags', { key, body: { event_id: 'e1', label: 'mine' } })
    const next = (await service.call('POST /v1/keys/exchange', { key })).body.api_key as string
    const seen = async (as: string): Promise<number> => (await service.call('GET /v1/tags/event/e1', { key: as })).body.tags.length
    assert.deepEqual([await seen(next), await seen(other)], [1, 0])
    assert.equal((await service.call(`DELETE /v1/tags/${tag.tag_id}`, { key: other })).status, 404)
    assert.equal((await service.call(`DELETE /v1/tags/${tag.tag_id}`, { key: next })).status, 204)
  })

  it('a revocation wins over every change made beside it', async () => {
    const { keys } = service.api.parts.services
    const { key, record } = await keys.issue({ name: 'x', role: 'agent', tier: 'free', rate_limit: 1, daily_cap: 0, scopes: [], source_ip: '' })
    await keys.revoke(record)
    for (let turn = 0; turn < 3; turn++) await keys.change({ ...record, version: record.version + turn }, { account: 'A' })
    await service.store.execute('OPTIMIZE TABLE access_keys FINAL')
    assert.notEqual((await keys.find(idOf(key)))?.revoked_at, null)
  })

  it('lists never show a secret, and say when a key was last used', async () => {
    const owner = await paid('enterprise')
    const named = (await service.call('POST /v1/keys/named', { key: owner, body: { name: 'quiet' } })).body.api_key as string
    const { text } = await service.call('GET /v1/keys/mine', { key: owner })
    for (const key of [owner, named]) assert.ok(!text.includes(key.slice(12)) && text.includes(`hyd_${idOf(key)}`))
    const used = async () => Object.fromEntries((await mine(owner)).map(({ name, last_used_at: at }) => [name, at]))
    assert.equal((await used())['quiet'], null)
    await works(named)
    const seen = (await used())['quiet']
    assert.ok(seen)
    await service.api.parts.services.keys.close()
    assert.equal((await used())['quiet'], seen, 'also once it is written down')
    const { _meta: { empty }, ...none } = (await service.call('GET /v1/keys/mine', { key: null })).body
    assert.deepEqual([none, empty.is_successful_empty], [{ count: 0, keys: [], next_cursor: null, has_more: false }, false], 'nobody was asked about')
  })

  it('every write is in the audit log, by public id and without a secret', async () => {
    const [owner, key] = [await paid(), await instant()]
    await service.call('POST /v1/keys/named', { key: owner, body: { name: 'audited' } })
    await service.call('POST /v1/keys/attach', { key: owner, body: { key } })
    await service.call('POST /v1/keys/exchange', { key })
    await service.call(`POST /v1/keys/${idOf(key)}/revoke`, { key: owner })
    const rows = await service.store.query('SELECT actor, action, subject, detail, outcome FROM audit WHERE actor IN ({owner:String}, {key:String}) ORDER BY at, action', { owner: idOf(owner), key: idOf(key) },
      z.object({ actor: z.string(), action: z.string(), subject: z.string(), detail: z.string(), outcome: z.string() }))
    assert.deepEqual(rows.map(({ actor, action, outcome }) => [actor, action, outcome]), [
      [idOf(owner), 'create_named_key', 'ok'], [idOf(owner), 'attach_key', 'ok'], [idOf(key), 'exchange_key', 'ok'], [idOf(owner), 'revoke_key', 'ok'],
    ])
    assert.equal(rows[1]?.subject, idOf(key))
    assert.ok(rows[1]?.detail.includes(idOf(key)) && !rows.some(({ detail }) => detail.includes(key.slice(12))))
  })
})
