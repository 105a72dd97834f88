import assert from 'node:assert/strict'
import { request } from 'node:http'
import { z } from 'zod'
import { startService, type Service } from '../api/support/service.js'
import { initialize, message, modern, post, session, usual } from './support/client.js'
import { probe } from './support/operations.js'

describe('MCP endpoint', () => {
  const { operations, seen } = probe()
  let service: Service
  let url: string
  let key: Record<string, string>
  const newKey = async (limit = 1_000): Promise<string> =>
    (await service.api.parts.services.keys.issue({ name: 'other', role: 'agent', tier: 'free', rate_limit: limit, daily_cap: 0, scopes: ['read'], source_ip: '' })).key
  before(async function () { this.timeout(90_000); service = await startService({}, { operations }); url = `${service.api.url}/mcp`; key = { 'X-API-Key': service.agentKey } })
  after(() => service.stop())

  it('asks for a key, and says where to get one', async () => {
    for (const [headers, code] of [[{}, 'AUTH_REQUIRED'], [{ 'X-API-Key': 'hyd_wrong' }, 'AUTH_INVALID'], [{ Authorization: 'Bearer nothing' }, 'AUTH_INVALID']] as const) {
      const answer = await post(url, { ...usual, ...headers }, initialize)
      assert.deepEqual([answer.status, answer.body.error.code], [401, code])
      assert.match(String(answer.headers['www-authenticate']), /^Bearer resource_metadata="http:\/\/[^"]+\/\.well-known\/oauth-protected-resource\/mcp"/)
      assert.ok(answer.body.error.docs)
    }
  })

  it('serves the metadata that a refusal names', async () => {
    const refused = await post(url, usual, initialize)
    const at = /resource_metadata="([^"]+)"/.exec(String(refused.headers['www-authenticate']))?.[1] ?? ''
    const answer = await fetch(at)
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'application/json; charset=utf-8'])
    const { resource, bearer_methods_supported: methods, authorization_servers: servers } = await answer.json() as Record<string, unknown>
    assert.deepEqual([resource, methods, servers], [url, ['header'], undefined])
  })

  it('names the header that is missing', async () => {
    for (const accept of [undefined, '*/*', 'application/json']) {
      const answer = await post(url, { 'Content-Type': 'application/json', ...key, ...(accept === undefined ? {} : { Accept: accept }) }, initialize)
      assert.equal(answer.status, 406)
      assert.match(answer.body.error.message, /Accept: application\/json, text\/event-stream/)
    }
    assert.equal((await post(url, { ...usual, ...key, 'Content-Type': 'text/plain' }, initialize)).status, 415)
    const without = await post(url, { ...usual, ...key }, message('tools/list'))
    assert.equal(without.status, 400)
    assert.match(without.body.error.message, /Mcp-Session-Id/)
    const { headers: { 'Mcp-Method': _, ...rest }, body } = modern('tools/list')
    const unnamed = await post(url, { ...rest, ...key }, body)
    assert.deepEqual([unnamed.status, unnamed.body.error.code], [400, -32020])
  })

  it('refuses foreign origins and hosts, and takes pages of this machine', async () => {
    for (const headers of [{ Origin: 'http://evil.example' }, { Origin: 'null' }, { Host: 'evil.example' }, { Host: 'evil.example', Origin: 'http://evil.example' }]) {
      assert.equal((await post(url, { ...usual, ...key, ...headers }, initialize)).status, 403, JSON.stringify(headers))
    }
    assert.equal((await post(url, { ...usual, ...key, Origin: 'http://localhost:5173' }, initialize)).status, 200)
  })

  it('refuses versions, bodies and methods it does not know', async () => {
    const open = await session(url, service.agentKey)
    assert.equal((await post(url, { ...open, 'MCP-Protocol-Version': '1999-01-01' }, message('tools/list'))).status, 400)
    const future = modern('tools/list')
    future.headers['MCP-Protocol-Version'] = '2099-01-01'
    ;(future.body.params as { _meta: Record<string, unknown> })._meta['io.modelcontextprotocol/protocolVersion'] = '2099-01-01'
    const unsupported = await post(url, { ...future.headers, ...key }, future.body)
    assert.deepEqual([unsupported.status, unsupported.body.error.code], [400, -32022])
    assert.ok(unsupported.body.error.data.supported.includes('2026-07-28'))
    assert.equal((await post(url, open, '{"jsonrpc"')).body.error.code, -32700)
    assert.equal((await post(url, open, [message('tools/list'), message('tools/list')])).body.error.code, -32600)
    assert.equal((await post(url, { ...usual, ...key, 'Content-Length': String(5 * 1024 * 1024) }, 'x'.repeat(5 * 1024 * 1024)).catch(() => ({ status: 413 }))).status, 413)
    const get = await post(url, open, undefined, 'GET')
    assert.deepEqual([get.status, get.headers['allow']], [405, 'POST, DELETE'])
    assert.equal((await post(url, open, message('no/such/method'))).body.error.code, -32601)
    const gone = modern('no/such/method')
    const missing = await post(url, { ...gone.headers, ...key }, gone.body)
    assert.deepEqual([missing.status, missing.body.error.code], [404, -32601])
  })

  it('binds a session to who opened it, until it is ended', async () => {
    const mine = await session(url, service.agentKey)
    assert.match(mine['Mcp-Session-Id'] ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    const accepted = await post(url, mine, { jsonrpc: '2.0', method: 'notifications/initialized' })
    assert.deepEqual([accepted.status, accepted.text], [202, ''])
    const foreign = { ...mine, 'X-API-Key': await newKey() }
    assert.equal((await post(url, foreign, message('tools/list'))).status, 404)
    assert.equal((await post(url, foreign, undefined, 'DELETE')).status, 404)
    const { 'X-API-Key': _, ...bare } = mine
    assert.equal((await post(url, bare, message('tools/list'))).status, 401)
    assert.equal((await post(url, mine, message('tools/list'))).status, 200)
    assert.equal((await post(url, mine, undefined, 'DELETE')).status, 204)
    assert.equal((await post(url, mine, message('tools/list'))).status, 404)
  })

  it('refuses a lane that is none, and parameters it does not know', async () => {
    for (const [query, status, code] of [['lanes=whales,ocean', 400, 'UNKNOWN_LANE'], ['max_tokens=5', 400, 'BAD_MAX_TOKENS'], ['max_tokens=0005', 400, 'BAD_MAX_TOKENS'], ['max_tokens=20001', 400, 'BAD_MAX_TOKENS'], ['key=1', 422, 'VALIDATION_ERROR']] as const) {
      const answer = await post(`${url}?${query}`, { ...usual, ...key }, initialize)
      assert.deepEqual([answer.status, answer.body.error.code], [status, code])
    }
  })

  it('counts calls against the key, as REST does', async () => {
    const small = { 'X-API-Key': await newKey(2) }
    const first = await post(url, { ...usual, ...small }, initialize)
    assert.equal(first.headers['x-ratelimit-remaining'], '1')
    await post(url, { ...usual, ...small }, initialize)
    const refused = await post(url, { ...usual, ...small }, initialize)
    assert.deepEqual([refused.status, refused.body.error.code], [429, 'RATE_LIMITED'])
  })

  it('stops the work when the caller goes, cancels or ends the session', async () => {
    const open = await session(url, service.agentKey)
    const wait = message('tools/call', { name: 'wait_forever', arguments: {} }, 77)
    const start = async (headers: Record<string, string>, body: unknown) => {
      const before = seen.started
      const sent = request(url, { method: 'POST', headers })
      sent.on('error', () => undefined).on('response', (answer) => { answer.resume().on('error', () => undefined) })
      sent.end(JSON.stringify(body))
      while (seen.started === before) await new Promise((resolve) => setImmediate(resolve))
      return sent
    }
    const stopped = async (count: number): Promise<void> => { while (seen.aborted < count) await new Promise((resolve) => setImmediate(resolve)) }
    ;(await start(open, wait)).destroy()
    await stopped(1)
    const call = modern('tools/call', { name: 'wait_forever', arguments: {} }, 'wait_forever')
    ;(await start({ ...call.headers, ...key }, call.body)).destroy()
    await stopped(2)
    await start(open, wait)
    assert.equal((await post(url, open, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 77 } })).status, 202)
    await stopped(3)
    await start(open, wait)
    await post(url, open, undefined, 'DELETE')
    await stopped(4)
  })

  it('ends the query on the server when the caller goes', async function () {
    // Left alone, the query runs longer than this test may.
    this.timeout(12_000)
    const running = async (): Promise<number> => (await service.store.query(
      "SELECT count() AS queries FROM system.processes WHERE query LIKE '%slow probe%' AND query NOT LIKE '%processes%' AND current_database = {database:String}", { database: service.database }, z.object({ queries: z.coerce.number() })))[0]?.queries ?? 0
    const call = modern('tools/call', { name: 'count_slowly', arguments: {} }, 'count_slowly')
    const sent = request(url, { method: 'POST', headers: { ...call.headers, ...key } })
    sent.on('error', () => undefined).end(JSON.stringify(call.body))
    while (await running() === 0) await new Promise((resolve) => setImmediate(resolve))
    sent.destroy()
    while (await running() > 0) await new Promise((resolve) => setImmediate(resolve))
  })
})
