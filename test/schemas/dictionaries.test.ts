/** Dictionaries read their tables as the user they were made for. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { publishedIn } from '../../schemas/analysts.js'
import { openStore, type Store } from '../../schemas/clickhouse.js'
import { boundTo, dictionaries, migrate } from '../../schemas/migrations.js'
import { reloadDictionaries } from '../../stages/enrich/registers/loadRegisters.js'
import { clickhouseUrl, freshStore } from '../support/servers.js'

const address = `0x${'a1'.repeat(20)}`
const Label = z.object({ label: z.string() })
const labelled = async (store: Store): Promise<string | undefined> => (await store.query(`SELECT dictGet('label_of', 'label', ('ETH', {address:String})) AS label`, { address }, Label))[0]?.label
const remade = async (store: Store, database: string, url: string): Promise<void> => {
  for (const [name, body] of dictionaries()) await store.execute(boundTo(`CREATE OR REPLACE DICTIONARY ${name}${body}`, url, database))
}
const known = async (): Promise<{ store: Store; url: string; database: string }> => {
  const fresh = await freshStore()
  await fresh.store.insert('labels', [{ chain: 'ETH', address, label: 'known', entity: '', category: 'exchange', source: 'x', rule: '', level: 'service_data', confidence: 80, licence: '', valid_from: '2020-01-01 00:00:00', removed: false, version: 1 }])
  return fresh
}

describe('dictionaries', function () {
  this.timeout(120_000)

  it('are named in the migrations, each as it was made last', () => {
    assert.deepEqual([...dictionaries().keys()].sort(), ['label_of', 'token_of'])
    assert.match(dictionaries().get('label_of') ?? '', /stated UInt8/)
  })

  it('made for a user or with a password that is no longer good are of use again once the database is migrated', async () => {
    const { store, url, database } = await known()
    for (const former of ['http://former:secret@host', 'http://default:secret@host']) {
      await remade(store, database, former)
      for (const act of [labelled, reloadDictionaries]) await assert.rejects(act(store), { code: 'STORE_DENIED', message: /a dictionary was made with: run `npm run migrate`/ })
      assert.deepEqual(await migrate(url, database), [])
      assert.equal(await labelled(store), 'known')
      await reloadDictionaries(store)
    }
  })

  it('are of use again before what of the migrations is still to come', async () => {
    const { store, url, database } = await known()
    await remade(store, database, 'http://former:secret@host')
    await store.execute("DELETE FROM migrations WHERE id = '0065_label_precedence'")
    assert.deepEqual(await migrate(url, database), ['0065_label_precedence'])
    assert.equal(await labelled(store), 'known')
  })

  it('are there for whoever asks while the database is migrated again', async () => {
    const { store, url, database } = await known()
    let over = false
    const answers: (string | undefined)[] = []
    const ask = async (): Promise<void> => { while (!over) answers.push(await labelled(store)) }
    const asking = Promise.all([ask(), ask(), ask()])
    asking.catch(() => undefined)
    for (let times = 0; times < 10; times += 1) await migrate(url, database)
    over = true
    await asking
    assert.ok(answers.length > 20)
    assert.deepEqual([...new Set(answers)], ['known'])
  })

  it('and views that another user made are the present one\'s once the database is migrated', async () => {
    const { store, url, database } = await known()
    const made = async (): Promise<number | undefined> => (await store.query(`SELECT count() AS views FROM system.tables WHERE database IN ({database:String}, {published:String}) AND create_table_query LIKE '% DEFINER = analyst\\\\_free %'`, { database, published: publishedIn(database) }, z.object({ views: z.coerce.number() })))[0]?.views
    const published = (): Promise<object[]> => store.query('SELECT count() AS count FROM {published:Identifier}.labels', { published: publishedIn(database) }, z.object({ count: z.coerce.number() }))
    const views = await store.query(`SELECT database AS of, name FROM system.tables WHERE database IN ({database:String}, {published:String}) AND create_table_query LIKE '% DEFINER = %' ORDER BY name`, { database, published: publishedIn(database) }, z.object({ of: z.string(), name: z.string() }))
    assert.ok(views.length > 20)
    for (const view of views) await store.execute('ALTER TABLE {of:Identifier}.{name:Identifier} MODIFY SQL SECURITY DEFINER DEFINER = analyst_free', view)
    assert.equal(await made(), views.length)
    await assert.rejects(published())
    assert.deepEqual(await migrate(url, database), [])
    assert.equal(await made(), 0)
    assert.deepEqual(await published(), [{ count: 1 }])
  })

  it('are made with the user and the password as they are, whatever signs these have', async () => {
    const store = openStore(await clickhouseUrl(), 'default')
    try {
      for (const text of ['plain', `it's`, '$$', '$&', "$'$`", 'back\\slash', "\\'", '\\', '\\n', '{{database}}{{user}}', '%41 @:/?#ä"']) {
        const url = new URL('http://host')
        url.username = encodeURIComponent(text)
        url.password = encodeURIComponent(text)
        const row = await store.query(boundTo(`SELECT '{{user}}' AS user, '{{password}}' AS password, '{{database}}' AS name`, url.href, 'some'), {}, z.object({ user: z.string(), password: z.string(), name: z.string() }))
        assert.deepEqual(row, [{ user: text, password: text, name: 'some' }])
      }
    } finally { await store.close() }
  })
})
