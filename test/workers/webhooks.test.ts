/** Webhooks sent to real receivers on this machine: signed, again and again for a day, and unharmed by what receivers do. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Queue } from 'bullmq'
import { pino } from 'pino'
import { z } from 'zod'
import { parseConfig } from '../../schemas/config.js'
import { openOutbound } from '../../schemas/outbound.js'
import { deliver } from '../../workers/monitoring/deliver.js'
import { dispatch } from '../../workers/monitoring/dispatch.js'
import { startMonitoring } from '../../workers/monitoring/monitoring.js'
import { fewestAttempts, lifetimeMs, nextAttempt } from '../../workers/monitoring/retries.js'
import { askerConnection, readyWithin, workerConnection } from '../../workers/queues.js'
import type { Parts } from '../../workers/runner.js'
import { startService, type Service } from '../api/support/service.js'
import { at } from '../enrich/handmade.js'
import { randomName, redisUrl } from '../support/servers.js'

interface Got { readonly id: string; readonly timestamp: string; readonly signatures: string[]; readonly body: string; readonly url: string }
const signed = (secret: string, { id, timestamp, body }: Got): string => `v1,${createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64')).update(`${id}.${timestamp}.${body}`).digest('base64')}`

describe('webhooks', function () {
  this.timeout(120_000)
  let service: Service, key: string, list: string, url: string, seq = 0
  const got: Got[] = []
  let answer = (_: IncomingMessage, response: ServerResponse): void => { response.end('fine') }
  const receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => { body += chunk.toString() }).on('end', () => {
      got.push({ id: String(request.headers['webhook-id']), timestamp: String(request.headers['webhook-timestamp']), signatures: String(request.headers['webhook-signature']).split(' '), body, url: request.url ?? '' })
      answer(request, response)
    }).on('error', () => undefined)
    response.on('error', () => undefined)
  })
  // Who is never answered is waited for shortly, whoever answers is given time: receivers are in this process too.
  const outbound = openOutbound({ loopback: true, milliseconds: 10_000 }), impatient = openOutbound({ loopback: true, milliseconds: 700 })
  const call = (target: string, body?: unknown) => service.call(target, { key, ...(body === undefined ? {} : { body }) })
  const make = async (path: string): Promise<any> => (await call('POST /v1/monitoring/webhooks', { url: `${url}${path}` })).body
  /** One event in the feed of the key. */
  const tell = (count = 1, owner = key.slice(4, 12)) => service.store.insert('watch_alerts', Array.from({ length: count }, () => ({ owner, seq: ++seq, list_id: list, event: 'listed', severity: 'critical', chain: 'ETH', address: at('a1'), register: 'OFAC_SDN', list_version: 'v1', entry_id: '7', entity_name: 'X', at: new Date().toISOString() })))
  const only = async (webhook: string) => { const found = (await dispatch(service.store, webhook))[0]; assert.ok(found !== undefined); return found }
  const log = async (webhook: string) => (await call(`GET /v1/monitoring/webhooks/${webhook}/deliveries`)).body.deliveries.map((one: any) => [one.attempt, one.outcome, one.status, one.error])

  before(async () => {
    service = await startService({ WEBHOOKS_TO_LOOPBACK: 'true' })
    key = (await service.api.parts.services.keys.issue({ name: 'one', role: 'agent', tier: 'compliance', rate_limit: 1_000_000, daily_cap: 0, scopes: ['read'], source_ip: '' })).key
    await new Promise<void>((resolve) => { receiver.listen(0, '127.0.0.1', resolve) })
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
    list = (await call('POST /v1/monitoring/lists', { name: 'x', addresses: [at('a1')] })).body.list_id
  })
  beforeEach(() => { got.length = 0; answer = (_, response) => { response.end('fine') } })
  after(async () => { receiver.closeAllConnections(); receiver.close(); await outbound.close(); await impatient.close(); await service.stop() })

  it('go to public https only, belong to their key, and show their secret once', async () => {
    const strict = await startService()
    try {
      for (const wrong of ['http://example.com/', 'https://127.0.0.1/', 'https://10.0.0.1/', 'https://user:x@example.com/', 'https://example.com:444/', `${url}/`, 'nonsense']) {
        const { status, body } = await strict.call('POST /v1/monitoring/webhooks', { key: strict.adminKey, body: { url: wrong } })
        assert.deepEqual([status, body.error.code], [422, 'URL_REFUSED'], wrong)
        assert.deepEqual([/^Give an https URL/.test(body.error.hint), body.error.details[0].loc], [true, ['body', 'url']])
      }
      assert.equal((await strict.call('POST /v1/monitoring/webhooks', { key: strict.adminKey, body: { url: 'https://hooks.example.com/a' } })).status, 201)
    } finally { await strict.stop() }
    assert.equal((await service.call('POST /v1/monitoring/webhooks', { body: { url: 'https://hooks.example.com/' } })).body.error.code, 'TIER_REQUIRED')
    const made = await make('/secret')
    assert.match(made.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    const shown = await call('GET /v1/monitoring/webhooks')
    assert.ok(!shown.text.includes('whsec_') && shown.body.count === 1)
    for (const target of [`DELETE /v1/monitoring/webhooks/${made.webhook_id}`, `POST /v1/monitoring/webhooks/${made.webhook_id}/rotate`, `POST /v1/monitoring/webhooks/${made.webhook_id}/resume`, `GET /v1/monitoring/webhooks/${made.webhook_id}/deliveries`])
      assert.equal((await service.call(target, { key: service.adminKey })).status, 404, target)
    assert.equal((await call('POST /v1/monitoring/webhooks', { url: 'https://hooks.example.com/', list_ids: [`wl_${'0'.repeat(16)}`] })).status, 404)
    const lines = await service.store.query("SELECT detail FROM audit WHERE action = 'create_webhook'", {}, z.object({ detail: z.string() }))
    assert.ok(lines.length > 0 && lines.every(({ detail }) => !detail.includes('http') && !detail.includes('whsec_')))
    const table = await service.store.query('SELECT toString(tuple(*)) AS text FROM webhooks', {}, z.object({ text: z.string() }))
    assert.ok(table.every(({ text }) => !text.includes(made.secret.slice(6))))
    assert.equal((await call(`DELETE /v1/monitoring/webhooks/${made.webhook_id}`)).status, 204)
  })

  it('carry what is in the feed, signed as Standard Webhooks has it; a message is delivered once', async () => {
    const { webhook_id: id, secret } = await make('/a')
    await tell(2)
    const pointer = await only(id)
    assert.equal((await deliver(pointer, service.store, outbound))?.outcome, 'delivered')
    assert.equal(await deliver(pointer, service.store, outbound), null)
    const [first] = got
    assert.ok(first !== undefined && got.length === 1)
    assert.deepEqual(first.signatures, [signed(secret, first)])
    assert.ok(Math.abs(Number(first.timestamp) - Date.now() / 1_000) < 60 && first.id === pointer.message)
    const { type, data } = JSON.parse(first.body)
    assert.deepEqual([type, data.webhook_id, data.alerts], ['monitoring.alerts', id, (await call('GET /v1/monitoring/alerts?after=0')).body.alerts])
    assert.deepEqual([await dispatch(service.store, id), await log(id)], [[], [[1, 'delivered', 200, '']]])
    await tell(120)
    assert.equal((await deliver(await only(id), service.store, outbound))?.outcome, 'delivered')
    assert.equal((await deliver(await only(id), service.store, outbound))?.outcome, 'delivered')
    assert.deepEqual(got.slice(1).map(({ body }) => JSON.parse(body).data.alerts.length), [100, 20])
    assert.equal((await call(`DELETE /v1/monitoring/webhooks/${id}`)).status, 204)
  })

  it('go on after a killed ClickHouse came back with tokens alone: a message is made, and an attempt told', async () => {
    const { webhook_id: id } = await make('/alone')
    await tell()
    await only(id)
    await service.store.execute('DELETE FROM webhook_messages WHERE webhook_id = {id:String}', { id })
    const pointer = await only(id)
    assert.equal((await deliver(pointer, service.store, outbound))?.outcome, 'delivered')
    await service.store.execute('DELETE FROM webhook_attempts WHERE webhook_id = {id:String}', { id })
    assert.equal((await deliver(pointer, service.store, outbound))?.outcome, 'delivered', 'nobody knows of the first')
    assert.equal(await deliver(pointer, service.store, outbound), null)
    assert.deepEqual([await dispatch(service.store, id), await log(id), got.length], [[], [[1, 'delivered', 200, '']], 2])
    assert.equal((await call(`DELETE /v1/monitoring/webhooks/${id}`)).status, 204)
  })

  it('are signed with two secrets for a day after one was rotated', async () => {
    const { webhook_id: id, secret: before } = await make('/rotated')
    const rotated = (await call(`POST /v1/monitoring/webhooks/${id}/rotate`)).body
    assert.ok(rotated.secret !== before && Date.parse(rotated.previous_secret_until) > Date.now())
    await tell()
    const pointer = await only(id)
    answer = (_, response) => { response.writeHead(500).end() }
    await deliver(pointer, service.store, outbound)
    answer = (_, response) => { response.end() }
    await deliver(pointer, service.store, outbound, () => Date.now() + 86_400_000 + 60_000)
    const [two, one] = got
    assert.ok(two !== undefined && one !== undefined)
    assert.deepEqual([two.signatures, one.signatures], [[signed(rotated.secret, two), signed(before, two)], [signed(rotated.secret, one)]])
    assert.deepEqual([one.id, one.body], [two.id, two.body])
    await call(`DELETE /v1/monitoring/webhooks/${id}`)
  })

  it('are signed with every secret whose day is not over, however often one was rotated', async () => {
    const made = await make('/often')
    const secrets = [made.secret]
    for (let times = 0; times < 10; times += 1) secrets.unshift((await call(`POST /v1/monitoring/webhooks/${made.webhook_id}/rotate`)).body.secret)
    await tell()
    await deliver(await only(made.webhook_id), service.store, outbound)
    const [first] = got
    assert.ok(first !== undefined)
    assert.deepEqual(first.signatures, secrets.slice(0, 10).map((secret) => signed(secret, first)))
    await call(`DELETE /v1/monitoring/webhooks/${made.webhook_id}`)
  })

  it('have their day from the first attempt on, and ten attempts at least', async () => {
    const { webhook_id: id } = await make('/late')
    await tell()
    const pointer = await only(id)
    answer = (_, response) => { response.writeHead(500).end() }
    const late = Date.now() + 2 * lifetimeMs
    const outcomes = []
    for (let attempt = 0; attempt < 10; attempt += 1) outcomes.push((await deliver(pointer, service.store, outbound, () => late + (attempt === 0 ? 0 : lifetimeMs)))?.outcome)
    assert.deepEqual(outcomes, [...Array.from({ length: 9 }, () => 'failed'), 'dead'])
    await call(`DELETE /v1/monitoring/webhooks/${id}`)
  })

  it('are unharmed by receivers that redirect, answer without end, never answer, hang up or refuse; one message waits at a time', async () => {
    const { webhook_id: id } = await make('/hostile')
    await tell()
    const pointer = await only(id)
    const hostile: readonly (readonly [typeof answer, unknown[]])[] = [
      [(_, response) => { response.writeHead(302, { location: `${url}/inside` }).end() }, [302, 'A redirect, which is not followed']],
      [(_, response) => { response.writeHead(503); const flood = (): void => { while (!response.destroyed && response.write('x'.repeat(65_536))); response.once('drain', flood) }; flood() }, [503, 'HTTP 503']],
      [() => undefined, [null, 'No answer in time']],
      [(request) => { request.socket.destroy() }, [null, 'No connection']],
      [(_, response) => { response.writeHead(404, { 'x-long': 'y'.repeat(20_000) }).end() }, [null, 'No connection']],
    ]
    for (const [one, [, error]] of hostile) {
      answer = one
      assert.equal((await deliver(pointer, service.store, error === 'No answer in time' ? impatient : outbound))?.outcome, 'failed')
      await tell()
      assert.deepEqual(await dispatch(service.store, id), [])
    }
    assert.deepEqual(await log(id), hostile.map(([, [status, error]], index) => [index + 1, 'failed', status, error]).reverse())
    assert.ok(!got.some(({ url: path }) => path === '/inside') && new Set(got.map(({ id: message }) => message)).size === 1)
    answer = (_, response) => { response.end() }
    await deliver(pointer, service.store, outbound)
    await deliver(await only(id), service.store, outbound)
    assert.equal(JSON.parse(got.at(-1)?.body ?? '').data.alerts.length, hostile.length)
    await call(`DELETE /v1/monitoring/webhooks/${id}`)
  })

  it('are sent again over a day, further and further apart, then given up with an incident; they are switched on again by hand', async () => {
    let [now, waits, attempt] = [0, 0, 0]
    for (let next = nextAttempt(1, 0, 0, () => 0.5); next !== null; next = nextAttempt(++attempt, now, 0, () => 0.5)) { assert.ok(next - now >= waits * 0.9 || next === lifetimeMs); waits = next - now; now = next }
    assert.ok(now === lifetimeMs && attempt > 8 && attempt < 16)
    assert.notEqual(nextAttempt(3, 0, 0), nextAttempt(3, 0, 0))
    const { webhook_id: id } = await make('/dead')
    await tell()
    const pointer = await only(id)
    answer = (_, response) => { response.writeHead(500).end() }
    for (let tries = 1; tries < fewestAttempts; tries += 1) assert.equal((await deliver(pointer, service.store, outbound))?.outcome, 'failed')
    assert.equal((await deliver(pointer, service.store, outbound, () => Date.now() + lifetimeMs + 1))?.outcome, 'dead')
    const state = async () => { const found = (await call('GET /v1/monitoring/webhooks')).body.webhooks.find((one: any) => one.webhook_id === id); return [found.state, found.last_outcome, found.reason] }
    assert.deepEqual(await state(), ['disabled', 'dead', 'nothing was taken for a day: HTTP 500'])
    const open = () => service.store.query("SELECT kind FROM incidents FINAL WHERE closed_at IS NULL AND id = {id:String}", { id: `webhook-${id}` }, z.object({ kind: z.string() }))
    assert.deepEqual(await open(), [{ kind: 'webhook_dead' }])
    await tell()
    assert.deepEqual(await dispatch(service.store, id), [])
    assert.equal((await call(`POST /v1/monitoring/webhooks/${id}/resume`)).body.state, 'active')
    assert.deepEqual(await open(), [])
    answer = (_, response) => { response.writeHead(410).end() }
    assert.equal((await deliver(await only(id), service.store, outbound))?.outcome, 'dead')
    assert.equal((await state())[0], 'disabled')
    assert.deepEqual(await open(), [{ kind: 'webhook_dead' }])
    assert.equal((await call(`DELETE /v1/monitoring/webhooks/${id}`)).status, 204)
    assert.deepEqual(await open(), [], 'nobody could switch on again what is gone')
  })

  it('a message under way waits while its key has no tier for it, and is sent when it has one again', async () => {
    const { keys } = service.api.parts.services
    const move = async (tier: string) => { const found = await keys.find(key.slice(4, 12)); assert.ok(found !== null); await keys.change(found, { tier }) }
    const { webhook_id: id } = await make('/lapsed')
    await tell(2)
    const pointer = await only(id)
    answer = (_, response) => { response.writeHead(500).end() }
    const earlier = Date.now() - 3_600_000
    assert.equal((await deliver(pointer, service.store, outbound, () => earlier))?.outcome, 'failed')
    answer = (_, response) => { response.end() }
    await move('pro')
    assert.deepEqual([await deliver(pointer, service.store, outbound), await dispatch(service.store, id)], [null, []])
    assert.equal(got.length, 1, 'nothing is sent to who is not watching')
    await move('compliance')
    assert.deepEqual(await log(id), [[1, 'failed', 500, 'HTTP 500']], 'what was not tried is no attempt')
    const [again] = await dispatch(service.store, id)
    assert.deepEqual(again, { ...pointer, attempt: 2 })
    assert.equal((await deliver(pointer, service.store, outbound))?.outcome, 'delivered')
    assert.deepEqual([JSON.parse(got.at(-1)?.body ?? '').data.alerts.length, await dispatch(service.store, id)], [2, []])
    await call(`DELETE /v1/monitoring/webhooks/${id}`)
  })

  it('a message under way ends with its webhook', async () => {
    const { webhook_id: id } = await make('/ended')
    await tell()
    const pointer = await only(id)
    await call(`DELETE /v1/monitoring/webhooks/${id}`)
    assert.equal((await deliver(pointer, service.store, outbound))?.outcome, 'cancelled')
    assert.equal(got.length, 0)
  })

  it('of a clock that was set back since do not wait for it: whose job is there goes at once, and whose job is lost is found', async () => {
    const { webhook_id: id } = await make('/back'), clock = Date.now, hour = 3_600_000, [connection, redis] = [workerConnection(await redisUrl()), askerConnection(await redisUrl())]
    await tell()
    const pointer = await only(id), config = parseConfig({ QUEUE_PREFIX: randomName('q'), WEBHOOKS_TO_LOOPBACK: 'true', MONITOR_EVERY_SECONDS: '1' }), queue = new Queue('webhooks', { connection: redis, prefix: config.QUEUE_PREFIX })
    answer = (_, response) => { response.writeHead(500).end() }
    try {
      await readyWithin(redis, 5_000)
      assert.equal((await deliver(pointer, service.store, outbound, () => clock() + hour))?.outcome, 'failed')
      assert.deepEqual(await dispatch(service.store, id), [{ ...pointer, attempt: 2 }])
      Date.now = () => clock() + hour
      await queue.add('send', { webhook: pointer.webhook, message: pointer.message }, { jobId: `${pointer.message}-2`, delay: 5_000, removeOnComplete: true })
      Date.now = clock
      const sent = new Promise<void>((resolve) => { answer = (_, response) => { response.end(); resolve() } })
      const stop = startMonitoring({ config, log: pino({ level: 'silent' }), store: service.store, redis, chains: new Map() } as unknown as Parts, connection)
      try { await Promise.race([sent, new Promise((_, reject) => setTimeout(() => { reject(new Error('it waits for the clock')) }, 10_000))]) } finally { await stop() }
    } finally { Date.now = clock; await queue.close(); connection.disconnect(); redis.disconnect() }
    await call(`DELETE /v1/monitoring/webhooks/${id}`)
  })

  it('run by the queues, and what Redis lost is found again in the store', async () => {
    const { webhook_id: id } = await make('/queued')
    await tell()
    // A message whose job is gone, from an hour ago.
    await service.store.insert('webhook_messages', [{ webhook_id: id, owner: key.slice(4, 12), from_seq: seq, to_seq: seq, message_id: 'msg_lost', alerts: 1, body: '{"lost":true}', created_at: new Date(Date.now() - 3_600_000).toISOString() }])
    await tell(3)
    const [connection, redis] = [workerConnection(await redisUrl()), askerConnection(await redisUrl())]
    await readyWithin(redis, 5_000)
    const config = parseConfig({ QUEUE_PREFIX: randomName('q'), WEBHOOKS_TO_LOOPBACK: 'true', MONITOR_EVERY_SECONDS: '1' })
    const all = new Promise<void>((resolve) => { answer = (_, response) => { response.end(); if (got.length === 2) resolve() } })
    const stop = startMonitoring({ config, log: pino({ level: 'silent' }), store: service.store, redis, chains: new Map() } as unknown as Parts, connection)
    await all
    await stop()
    connection.disconnect()
    redis.disconnect()
    assert.deepEqual(got.map(({ body }) => (JSON.parse(body).lost === true ? 'lost' : JSON.parse(body).data.alerts.length)), ['lost', 3])
  })
})
