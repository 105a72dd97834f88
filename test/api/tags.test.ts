import assert from 'node:assert/strict'
import { z } from 'zod'
import { startApi, type Api } from '../../api/main.js'
import type { Ask } from '../../api/operation.js'
import { readTags } from '../../api/operations/tags/tag.js'
import { ending } from '../support/endings.js'
import { clickhouseUrl } from '../support/servers.js'
import { startService, type Service } from './support/service.js'

const address = `0x${'Ab'.repeat(20)}`

describe('tags', () => {
  let service: Service
  let second: Api
  let other: string
  const tag = async (body: object, key?: string) => service.call('POST /v1/tags', { body, ...(key === undefined ? {} : { key }) })
  before(async function () {
    this.timeout(90_000)
    service = await startService()
    second = await startApi(service.api.parts.config, { clickhouseUrl: await clickhouseUrl(), redisUrl: service.api.parts.redisUrl, log: service.api.parts.log, pipeline: service.pipeline, validate: true })
    other = (await service.api.parts.services.keys.issue({ name: 'other', role: 'agent', tier: 'free', rate_limit: 1_000_000, daily_cap: 0, scopes: [], source_ip: '' })).key
  })
  after(ending(() => second, () => service))

  it('are made once, however often they are sent, and listed by event and by address', async () => {
    const first = await tag({ event_id: 'e1', label: 'wash trade', note: 'look again', chain: 'eth', address })
    assert.equal(first.status, 201)
    assert.deepEqual([first.body.event_id, first.body.label, first.body.note, first.body.chain, first.body.address], ['e1', 'wash trade', 'look again', 'ETH', address.toLowerCase()])
    assert.ok(Number.isSafeInteger(first.body.tag_id))
    const again = await tag({ event_id: 'e1', label: 'wash trade', note: 'sure now', chain: 'ETH', address })
    assert.deepEqual([again.body.tag_id, again.body.note, again.body.created_at], [first.body.tag_id, 'sure now', first.body.created_at])
    await tag({ event_id: 'e1', label: 'later' })
    const { body } = await service.call('GET /v1/tags/event/e1')
    assert.deepEqual([body.count, body.tags.map((one: any) => [one.label, one.address])], [2, [['later', null], ['wash trade', address.toLowerCase()]]])
    const { labels } = (await service.call('GET /v1/tags/labels')).body
    assert.deepEqual(labels.map((one: any) => [one.chain, one.address, one.label, one.note]), [['ETH', address.toLowerCase(), 'wash trade', 'sure now']])
  })

  it('leave no word of theirs in the audit log', async () => {
    await tag({ event_id: 'e8', label: 'Aunt Mary', note: 'owes me', chain: 'ETH', address: `0x${'e8'.repeat(20)}` })
    const [line] = await service.store.query("SELECT detail FROM audit WHERE action = 'create_tag' AND subject = 'e8'", {}, z.object({ detail: z.string() }))
    assert.equal(line?.detail, '{"event_id":"e8","chain":"ETH"}')
  })

  it('are about the address as its chain writes it, whatever way it was given, and are found by it', async () => {
    const segwit = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', all = `0x${'cd'.repeat(20)}`
    const upper = (await tag({ event_id: 'e9', label: 'theirs', chain: 'BTC', address: segwit.toUpperCase() })).body
    const any = (await tag({ event_id: 'e9', label: 'anywhere', chain: 'ALL', address: all })).body
    assert.deepEqual([[upper.chain, upper.address], [any.chain, any.address]], [['BTC', segwit], ['ETH', all]])
    assert.equal((await tag({ event_id: 'e9', label: 'theirs', chain: 'BTC', address: segwit })).body.tag_id, upper.tag_id)
    for (const [path, label] of [[`BTC/${segwit}`, 'theirs'], [`ETH/${all}`, 'anywhere'], [`ALL/${all}`, 'anywhere']] as const) assert.deepEqual((await service.call(`GET /v1/labels/${path}`)).body.own.map((one: any) => one.label), [label], path)
    for (const { tag_id: id } of [upper, any]) assert.equal((await service.call(`DELETE /v1/tags/${id}`)).status, 204)
  })

  it('belong to their key: another key sees none and takes none away', async () => {
    const { tag_id: id } = (await tag({ event_id: 'e2', label: 'mine' })).body
    assert.deepEqual((await service.call('GET /v1/tags/event/e2', { key: other })).body._meta.empty, { is_successful_empty: true, empty_reason: 'no_signal' })
    for (const key of [other, service.adminKey]) {
      const { status, body } = await service.call(`DELETE /v1/tags/${id}`, { key })
      assert.deepEqual([status, body.error.code], [404, 'NOT_FOUND'])
    }
    assert.equal((await service.call('GET /v1/tags/event/e2')).body.count, 1)
  })

  it('go once: 204, then 404, on every process, and may come back', async () => {
    const { tag_id: id } = (await tag({ event_id: 'e3', label: 'short' })).body
    const there = async (): Promise<number> => ((await (await fetch(`${second.url}/v1/tags/event/e3`, { headers: { 'X-API-Key': service.agentKey } })).json()) as { count: number }).count
    assert.equal(await there(), 1)
    const gone = await service.call(`DELETE /v1/tags/${id}`)
    assert.deepEqual([gone.status, gone.text], [204, ''])
    assert.equal(await there(), 0)
    assert.equal((await service.call(`DELETE /v1/tags/${id}`)).status, 404)
    assert.equal((await tag({ event_id: 'e3', label: 'short' })).body.tag_id, id)
    assert.equal(await there(), 1)
  })

  it('are bounded and cleaned: what cannot be seen goes, what is too long is refused', async () => {
    const odd = (await tag({ event_id: 'e4', label: 'a\u202eb\u200b', note: '\ud800 x\u0000\n\ty' })).body
    assert.deepEqual([odd.label, odd.note], ['ab', 'x y'])
    await service.store.insert('tags', [{ key_id: service.agentKey.slice(4, 12), tag_id: 77, event_id: 'e5', label: 'in\u202eject', note: '', chain: '', address: '', created_at: new Date().toISOString(), deleted: false, version: 1 }])
    assert.equal((await service.call('GET /v1/tags/event/e5')).body.tags[0].label, 'inject')
    for (const body of [{ event_id: 'e4', label: 'x'.repeat(65) }, { event_id: 'e4', label: '\u200b' }, { event_id: 'e4', label: 'x', note: 'x'.repeat(501) }, { event_id: 'x'.repeat(129), label: 'x' }, { event_id: 'e4', label: 'x', address }, { event_id: 'e4' }, {}]) {
      const { status, body: answer } = await tag(body)
      assert.deepEqual([status, answer.error.code], [422, 'VALIDATION_ERROR'], JSON.stringify(body))
    }
  })

  it('leave lines in the audit log', async () => {
    const rows = await service.store.query("SELECT action, outcome, actor FROM audit WHERE action IN ('create_tag', 'delete_tag') ORDER BY at", {}, z.object({ action: z.string(), outcome: z.string(), actor: z.string() }))
    assert.ok(rows.some(({ action, outcome, actor }) => action === 'create_tag' && outcome === 'ok' && actor === service.agentKey.slice(4, 12)))
    assert.ok(rows.some(({ action, outcome }) => action === 'delete_tag' && outcome === 'ok') && rows.some(({ action, outcome }) => action === 'delete_tag' && outcome === 'NOT_FOUND'))
  })

  it('end at a thousand for one key', async function () {
    this.timeout(20_000)
    const at = new Date().toISOString()
    const row = (id: number) => ({ key_id: other.slice(4, 12), tag_id: id, event_id: 'many', label: String(id), note: '', chain: '', address: '', created_at: at, deleted: false, version: 1 })
    await service.store.insert('tags', Array.from({ length: 1_000 }, (_, at_) => row(at_ + 1)))
    assert.equal((await service.call('GET /v1/tags/event/many?limit=1000', { key: other })).body.count, 1_000)
    // All of one millisecond: the id parts them.
    const seen: number[] = []
    for (let next = ''; ;) {
      const { body } = await service.call(`GET /v1/tags/event/many?limit=300${next}`, { key: other })
      seen.push(...body.tags.map((one: any) => one.tag_id))
      assert.equal(body.has_more, body.next_cursor !== null)
      if (body.next_cursor === null) break
      next = `&cursor=${body.next_cursor}`
      if (seen.length === 300) for (const path of [`/v1/tags/event/other?limit=300${next}`, `/v1/tags/labels?limit=300${next}`]) assert.equal((await service.call(`GET ${path}`, { key: other })).body.detail.error, 'INVALID_CURSOR')
      if (seen.length === 300) assert.equal((await service.call(`GET /v1/tags/event/many?limit=300${next}`)).body.detail.error, 'INVALID_CURSOR', 'nor with another key')
    }
    assert.deepEqual(seen, Array.from({ length: 1_000 }, (_, index) => 1_000 - index))
    assert.equal((await tag({ event_id: 'many', label: 'one more' }, other)).status, 422)
    assert.equal((await service.call('DELETE /v1/tags/5', { key: other })).status, 204)
    assert.equal((await tag({ event_id: 'many', label: 'one more' }, other)).status, 201)
  })

  it('that are gone are not read with those that stand', async () => {
    const key = await service.api.parts.services.keys.issue({ name: 'gone', role: 'agent', tier: 'free', rate_limit: 1_000_000, daily_cap: 0, scopes: [], source_ip: '' })
    const gone = (await tag({ event_id: 'g', label: 'gone' }, key.key)).body, kept = (await tag({ event_id: 'g', label: 'kept' }, key.key)).body
    assert.equal((await service.call(`DELETE /v1/tags/${gone.tag_id}`, { key: key.key })).status, 204)
    const [{ owner } = { owner: '' }] = await service.store.query('SELECT any(t.key_id) AS owner FROM tags AS t WHERE t.tag_id = {id:UInt64}', { id: kept.tag_id }, z.object({ owner: z.string() }))
    const ask = { store: service.store, principal: { keyId: 1, owner } } as unknown as Ask
    assert.deepEqual((await readTags(ask)).map(({ label }) => label), ['kept'])
    assert.deepEqual((await readTags(ask, { id: gone.tag_id })).map(({ label, deleted, version }) => [label, deleted, version]), [['gone', true, 2]])
    // Its version goes on where it comes back.
    assert.equal((await tag({ event_id: 'g', label: 'gone' }, key.key)).body.tag_id, gone.tag_id)
    assert.deepEqual((await readTags(ask)).map(({ label, version }) => [label, version]).sort(), [['gone', 3], ['kept', 1]])
  })
})
