import assert from 'node:assert/strict'
import { makeKey, publicIdOf } from '../../api/keyFormat.js'
import { openKeys } from '../../api/keys.js'
import { ipOf, networkOf } from '../../api/middleware/caller.js'
import type { Store } from '../../schemas/clickhouse.js'
import { freshStore } from '../support/servers.js'

const wanted = { name: 'x', role: 'agent', tier: 'free', rate_limit: 60, daily_cap: 10_000, scopes: ['read'], source_ip: '1.2.3.4' } as const

/** Leaves of what `write` writes its token alone, as a ClickHouse does that is killed over it; the keys are those of before. */
const lost = async (store: Store, write: () => Promise<unknown>): Promise<void> => {
  await store.execute('CREATE TABLE keys_before AS access_keys')
  await store.execute('INSERT INTO keys_before SELECT * FROM access_keys')
  await write()
  await store.execute('DELETE FROM access_keys WHERE 1')
  await store.execute('INSERT INTO access_keys SELECT * FROM keys_before')
  await store.execute('DROP TABLE keys_before')
}

describe('keys', () => {
  it('carry a checksum that finds every changed character', () => {
    const key = makeKey()
    assert.match(key, /^hyd_[0-9A-Za-z]{38}$/)
    assert.equal(publicIdOf(key), key.slice(4, 12))
    for (let place = 4; place < key.length; place++) {
      const changed = key.slice(0, place) + (key[place] === 'a' ? 'b' : 'a') + key.slice(place + 1)
      assert.equal(publicIdOf(changed), null)
    }
  })

  it('are kept as a hash only', async () => {
    const { store } = await freshStore()
    const keys = openKeys(store, store)
    const { key } = await keys.issue({ ...wanted, scopes: [] })
    const answer = await store.client.query({ query: 'SELECT * FROM access_keys', format: 'TabSeparated' })
    const text = await answer.text()
    assert.ok(!text.includes(key.slice(12)))
    assert.equal((await keys.check(key))?.name, 'x')
  })

  it('of somebody are not refused for what a stranger asks of them under the same id', async () => {
    const { store } = await freshStore()
    const { key } = await openKeys(store, store).issue({ ...wanted, scopes: [] })
    const keys = openKeys(store, store)
    let refuse = (): void => undefined
    const stranger = keys.check(key, { from: 'stranger', count: () => new Promise((_, reject) => { refuse = () => { reject(new Error('too many looks')) } }) })
    const owner = keys.check(key, { from: 'owner', count: () => Promise.resolve() })
    assert.equal((await owner)?.name, 'x')
    refuse()
    await assert.rejects(stranger, /too many looks/)
  })

  it('not known yet are one look of whoever asks, however long counting it takes, and the next is counted again', async () => {
    const { store } = await freshStore()
    const { key } = await openKeys(store, store).issue({ ...wanted, scopes: [] })
    const keys = openKeys(store, store)
    let counts = 0
    let go = (): void => undefined
    const asker = { from: 'owner', count: () => { counts++; return new Promise<void>((done) => { go = done }) } }
    const all = Array.from({ length: 50 }, () => keys.check(key, asker))
    go()
    for (const one of await Promise.all(all)) assert.equal(one?.name, 'x')
    assert.equal(counts, 1)
    const unknown = makeKey()
    for (const _ of [1, 2]) {
      const look = keys.check(unknown, asker)
      go()
      assert.equal(await look, null)
    }
    assert.equal(counts, 3)
  })

  it('are refused in every process within 5 s of being revoked, and after 90 days', async () => {
    const { store } = await freshStore()
    let now = Date.now()
    const here = openKeys(store, store, () => now)
    const there = openKeys(store, store, () => now)
    const { key, record } = await here.issue({ ...wanted, scopes: [] })
    assert.ok(await there.check(key))
    await here.revoke(record)
    assert.equal(await here.check(key), null)
    now += 5_000
    assert.equal(await there.check(key), null)
    // Nor does a clock that is set back make what another process knows of a key good for longer.
    const { key: second, record: revoked } = await here.issue({ ...wanted, scopes: [] })
    assert.ok(await there.check(second))
    await here.revoke(revoked)
    now -= 3_600_000
    assert.equal(await there.check(second), null)
    now += 3_600_000
    const other = (await here.issue({ ...wanted, scopes: [] })).key
    now += 90 * 86_400_000 - 1
    assert.ok(await here.check(other))
    now += 2
    assert.equal(await here.check(other), null)
  })

  it('stay revoked after a ClickHouse that was killed over the revocation came back with its token alone', async () => {
    const { store } = await freshStore()
    const keys = openKeys(store, store)
    const { key, record } = await keys.issue({ ...wanted, scopes: [] })
    await lost(store, () => keys.revoke(record))
    assert.ok(await openKeys(store, store).check(key), 'nothing was lost')
    assert.notEqual((await keys.revoke(record)).revoked_at, null)
    for (const process of [keys, openKeys(store, store)]) assert.equal(await process.check(key), null)
  })

  it('are given once they are written, whatever can be read then', async () => {
    const { store } = await freshStore()
    const { key } = await openKeys({ ...store, query: () => Promise.reject(new Error('away')) }, store).issue({ ...wanted, scopes: [] })
    assert.ok(await openKeys(store, store).check(key))
  })

  it('are changed whatever tokens stand without a row', async () => {
    const { store } = await freshStore()
    const keys = openKeys(store, store)
    const { record } = await keys.issue({ ...wanted, scopes: [] })
    await lost(store, () => keys.change(record, { rate_limit: 7 }))
    const changed = await keys.change(record, { rate_limit: 9 })
    assert.deepEqual([changed.rate_limit, (await keys.find(record.public_id))?.rate_limit], [9, 9])
  })

  it('include one admin key of a fresh install, given once', async () => {
    const { store } = await freshStore()
    const keys = openKeys(store, store)
    const key = await keys.ensureAdminKey()
    assert.equal((await keys.check(key ?? ''))?.role, 'admin')
    assert.equal(await keys.ensureAdminKey(), null)
    assert.equal(await openKeys(store, store).ensureAdminKey(), null)
  })
})

describe('the caller', () => {
  const ctx = (forwarded: string, socket = '10.0.0.1') => ({ get: (name: string) => (name === 'X-Forwarded-For' ? forwarded : ''), req: { socket: { remoteAddress: socket } } }) as never

  it('is the socket unless a proxy is trusted, and then what that proxy wrote', () => {
    assert.equal(ipOf(ctx('1.1.1.1'), 0), '10.0.0.1')
    assert.equal(ipOf(ctx('6.6.6.6, 1.1.1.1'), 1), '1.1.1.1')
    assert.equal(ipOf(ctx('6.6.6.6, 1.1.1.1, 10.0.0.9'), 2), '1.1.1.1')
    assert.equal(ipOf(ctx('rubbish'), 1), '10.0.0.1')
    assert.equal(ipOf(ctx('', '::ffff:10.0.0.7'), 0), '10.0.0.7')
    // Some proxies write the port of the caller, too.
    assert.equal(ipOf(ctx('6.6.6.6, 203.0.113.7:51234'), 1), '203.0.113.7')
    assert.equal(ipOf(ctx('6.6.6.6, [2001:db8:0:1::5]:443'), 1), '2001:db8:0:1::/64')
    assert.equal(ipOf(ctx('[2001:db8:0:1::5]'), 1), '2001:db8:0:1::/64')
    assert.equal(ipOf(ctx('[::ffff:203.0.113.7]:443'), 1), '203.0.113.7')
    assert.equal(ipOf(ctx('2001:db8:0:1::5'), 1), '2001:db8:0:1::/64')
    for (const rubbish of ['203.0.113.7:', '203.0.113.7:x', '203.0.113.7:123456', '[203.0.113.7]:80', '[rubbish]:80', '[2001:db8::1', ':80']) assert.equal(ipOf(ctx(rubbish), 1), '10.0.0.1', rubbish)
  })
  it('is a /64 in IPv6', () => {
    assert.equal(networkOf('2001:db8:0:1::5'), '2001:db8:0:1::/64')
    assert.equal(networkOf('2001:db8:0:1:ffff:ffff:ffff:ffff'), '2001:db8:0:1::/64')
    assert.equal(networkOf('::1'), '0:0:0:0::/64')
  })
})
