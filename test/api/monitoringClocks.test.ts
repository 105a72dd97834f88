/** Watch lists and webhooks written by an API whose clock goes before, and their feed by a worker whose clock does, or who slept: what comes after counts all the same. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { openFeed } from '../../stages/monitor/raiseAlerts.js'
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

  describe('and the feed', () => {
    const clock = Date.now, day = 86_400_000
    const lands = (tx: number): Promise<number> => service.store.execute(`INSERT INTO watched_transfers (chain, block_number, address, kind, position, sub, direction, block_hash, block_time, tx_hash, token, token_symbol, other, other_label, other_class, amount, token_id, generation)
      SELECT 'ETH', 1, unhex({address:String}), 'erc20', {tx:UInt32}, 0, 'in', '', now64(3), toFixedString(toString({tx:UInt32}), 32), '', '', '', '', '', 1, 0, 0`, { tx, address: at('d1').slice(2) })
    const told = async (): Promise<(readonly [number, string])[]> => (await service.store.query("SELECT toFloat64(seq) AS seq, replaceAll(toString(tx_hash), '\\0', '') AS tx FROM watch_alerts ORDER BY seq", {}, z.object({ seq: z.number(), tx: z.string() }))).map(({ seq, tx }) => [seq, tx] as const)
    before(async () => { await call('POST /v1/monitoring/lists', { name: 'fed', addresses: [at('d1')] }) })
    afterEach(() => { Date.now = clock })

    it('of a worker whose clock was ahead for a look tells what lands then, and so does who comes after it', async () => {
      Date.now = () => clock() + day
      const feed = openFeed(service.store)
      assert.equal(await feed.movements('ETH'), null)
      await lands(1)
      assert.deepEqual(await feed.movements('ETH'), { transfers: 1, retracted: 0 })
      Date.now = clock
      await lands(2)
      assert.deepEqual(await openFeed(service.store).movements('ETH'), { transfers: 1, retracted: 0 })
    })

    it('tells what happens to an address that an API whose clock was ahead put on a list', async () => {
      Date.now = () => clock() + day
      const { list_id: id } = (await call('POST /v1/monitoring/lists', { name: 'ahead', addresses: [at('d1')] })).body
      Date.now = clock
      const [{ added_at: added }] = (await call(`GET /v1/monitoring/lists/${id}`)).body.watched
      assert.ok(Math.abs(Date.parse(added) - clock()) < day / 2, added)
      await call(`DELETE /v1/monitoring/lists/${id}`)
    })

    it('goes on below what a clock ahead wrote of how far it is, and what is written later counts', async () => {
      await service.store.execute("INSERT INTO watch_progress SELECT 'ETH', now64(6) + INTERVAL 1 DAY, now64(3) + INTERVAL 1 DAY")
      await lands(3)
      const feed = openFeed(service.store)
      assert.deepEqual(await feed.movements('ETH'), { transfers: 1, retracted: 0 })
      assert.equal(await feed.movements('ETH'), null)
      const [kept] = await service.store.query('SELECT max(told_to) < now64(6) AS past FROM watch_progress FINAL', {}, z.object({ past: z.coerce.boolean() }))
      assert.equal(kept?.past, true)
    })

    it('does not go on where another wrote between its look and its own writing', async () => {
      await service.store.execute('TRUNCATE TABLE watch_progress')
      await service.store.execute(`INSERT INTO watched_transfers SELECT * REPLACE (toFixedString('9', 32) AS tx_hash, toUInt32(9) AS position, now64(6) - INTERVAL 30 MINUTE AS landed_at) FROM watched_transfers LIMIT 1`)
      await service.store.execute('INSERT INTO watched_addresses SELECT * REPLACE (added_at - INTERVAL 1 HOUR AS added_at, version + 1 AS version) FROM watched_addresses FINAL WHERE NOT removed')
      // What another wrote is of another chain, and begins before this one's is written.
      const beside: Store = { ...service.store, execute: async (sql, params, settings) => {
        await service.store.execute("INSERT INTO watch_alerts SELECT * REPLACE (seq + 1 AS seq, 'beside' AS tx_hash, 'BTC' AS chain) FROM watch_alerts ORDER BY seq DESC LIMIT 1")
        return service.store.execute(sql, params, settings)
      } }
      assert.equal(await openFeed(beside).movements('ETH'), null)
      assert.deepEqual(await openFeed(service.store).movements('ETH'), { transfers: 1, retracted: 0 })
    })

    it('of a worker that slept before it wrote gives no position twice', async () => {
      await service.store.execute('TRUNCATE TABLE watch_progress')
      const before = (await told()).length, prompt = openFeed(service.store)
      let slept = false
      const sleepy: Store = { ...service.store, execute: async (sql, params, { token = '', ...settings } = {}) => {
        if (!slept) {
          slept = true
          assert.deepEqual(await prompt.movements('ETH'), { transfers: 1, retracted: 0 })
          await lands(5)
        }
        // As of other five minutes than those the prompt one wrote in.
        return service.store.execute(sql, params, { ...settings, token: `${token}|later` })
      } }
      await lands(4)
      await openFeed(sleepy).movements('ETH')
      await prompt.movements('ETH')
      assert.deepEqual((await told()).slice(before), [[before + 1, '4'], [before + 2, '5']])
    })
  })
})
