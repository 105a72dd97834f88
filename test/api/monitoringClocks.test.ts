/** Watch lists and webhooks written by an API whose clock goes before: what comes after counts all the same. */
import assert from 'node:assert/strict'
import { at } from '../enrich/handmade.js'
import { startService, type Service } from './support/service.js'

describe('what a clock ahead wrote', function () {
  this.timeout(60_000)
  let service: Service, key: string
  const call = (target: string, body?: unknown) => service.call(target, { key, ...(body === undefined ? {} : { body }) })
  const ahead = async (table: string): Promise<void> => { await service.store.execute(`INSERT INTO ${table} SELECT * REPLACE (version + 3600000 AS version) FROM ${table} FINAL`) }
  before(async () => {
    service = await startService({ WEBHOOKS_TO_LOOPBACK: 'true' })
    key = (await service.api.parts.services.keys.issue({ name: 'one', role: 'agent', tier: 'compliance', rate_limit: 1_000_000, daily_cap: 0, scopes: ['read'], source_ip: '' })).key
  })
  after(() => service.stop())

  it('of a webhook is rotated, resumed and deleted', async () => {
    const { webhook_id: id } = (await call('POST /v1/monitoring/webhooks', { url: 'http://127.0.0.1:9/' })).body
    const shown = async () => (await call('GET /v1/monitoring/webhooks')).body.webhooks.map((one: any) => [one.state, one.reason, one.previous_secret_until])
    await ahead('webhooks')
    const { previous_secret_until: until } = (await call(`POST /v1/monitoring/webhooks/${id}/rotate`)).body
    assert.deepEqual(await shown(), [['active', '', until]])
    await service.store.execute("INSERT INTO webhooks SELECT * REPLACE (version + 3600000 AS version, 'disabled' AS state, 'gone' AS reason) FROM webhooks FINAL")
    assert.equal((await call(`POST /v1/monitoring/webhooks/${id}/resume`)).body.state, 'active')
    assert.deepEqual(await shown(), [['active', '', until]])
    await ahead('webhooks')
    assert.equal((await call(`DELETE /v1/monitoring/webhooks/${id}`)).status, 204)
    assert.deepEqual(await shown(), [])
  })

  it('of a watch list is taken off it, put on it again, and deleted', async () => {
    const made = (await call('POST /v1/monitoring/lists', { name: 'mine', min_usd: 2.5, addresses: [at('a1'), at('b1'), at('c1')] })).body, id = made.list_id
    const watched = async () => (await call(`GET /v1/monitoring/lists/${id}`)).body.watched.map((one: any) => one.address)
    await ahead('watched_addresses')
    assert.equal((await call(`DELETE /v1/monitoring/lists/${id}/addresses/${at('a1')}`)).status, 204)
    assert.deepEqual(await watched(), [at('b1'), at('c1')])
    await ahead('watched_addresses')
    const added = (await call(`POST /v1/monitoring/lists/${id}/addresses`, { addresses: [at('a1'), at('b1')] })).body
    assert.deepEqual([added.added, added.addresses, await watched()], [1, 3, [at('a1'), at('b1'), at('c1')]])
    for (const table of ['watched_addresses', 'watch_lists']) await ahead(table)
    assert.equal((await call(`DELETE /v1/monitoring/lists/${id}`)).status, 204)
    assert.equal((await call('GET /v1/monitoring/lists')).body.count, 0)
    assert.equal((await service.store.query('SELECT key FROM watched_addresses FINAL WHERE NOT removed', {}, { parse: (row: unknown) => row } as never)).length, 0)
  })
})
