import assert from 'node:assert/strict'
import { z } from 'zod'
import { openStore } from '../../schemas/clickhouse.js'
import { checkSchema, listMigrations, migrate } from '../../schemas/migrations.js'
import { clickhouseUrl, databaseName, freshStore, redisUrl } from '../support/servers.js'
import { runScript } from '../support/run.js'

describe('npm run migrate', function () {
  this.timeout(90_000)

  it('brings schema, registers and, once, the admin key; another key when it is asked for', async () => {
    const environment = { CLICKHOUSE_URL: await clickhouseUrl(), CLICKHOUSE_DATABASE: databaseName() }
    const first = await runScript('scripts/migrate.ts', [], environment)
    assert.match(first.text, /^Applied 0001_.*\nRegisters loaded: .*\nAdmin key {2}hyd_\w+ {3}\(shown this once: keep it\)\n$/)
    const second = await runScript('scripts/migrate.ts', [], environment)
    assert.match(second.text, /^Nothing to do: the schema is up to date\.\n\d+ registers are up to date\.\n$/)
    const third = await runScript('scripts/migrate.ts', ['--new-admin-key'], environment)
    assert.match(third.text, /Admin key {2}hyd_\w+/)
    assert.deepEqual([first.code, second.code, third.code], [0, 0, 0])
    const store = openStore(environment.CLICKHOUSE_URL, environment.CLICKHOUSE_DATABASE)
    const lines = await store.query('SELECT actor, action, subject FROM audit ORDER BY at', {}, z.object({ actor: z.string(), action: z.string(), subject: z.string() }))
    assert.deepEqual(lines, [first, third].map(({ text }) => ({ actor: 'command line', action: 'issue_key', subject: /hyd_(\w{8})/.exec(text)?.[1] })))
    await store.close()
  })

  it('ends behind the migration under way where it is stopped, and goes on from there', async () => {
    const [url, database] = [await clickhouseUrl(), databaseName()]
    let looks = 0
    const after = (migrations: number): AbortSignal => Object.defineProperty(new AbortController().signal, 'aborted', { get: () => (looks += 1) > migrations })
    const [first, rest] = [await migrate(url, database, after(3)), await migrate(url, database)]
    assert.deepEqual([first.length, [...first, ...rest]], [3, listMigrations().map(({ id }) => id)])
  })

  it('refuses a database that a newer version migrated; processes go on with it, but not with an older one', async () => {
    const { store, url, database } = await freshStore()
    assert.deepEqual(await checkSchema(store), [])
    await store.insert('migrations', [{ id: '9999_later', sha256: 'x' }])
    await assert.rejects(migrate(url, database), { code: 'SCHEMA_NEWER', message: /migrated by a newer version \(9999_later\)/ })
    assert.deepEqual(await checkSchema(store), ['9999_later'])
    const newest = listMigrations().at(-1)
    await store.execute('DELETE FROM migrations WHERE id = {id:String}', { id: newest?.id ?? '' })
    await assert.rejects(checkSchema(store), { code: 'SCHEMA_OLDER', message: new RegExp(`lacks migrations \\(${newest?.id}\\): run .npm run migrate. first`) })
    const api = await runScript('api/main.ts', [], { CLICKHOUSE_URL: url, CLICKHOUSE_DATABASE: database, REDIS_URL: await redisUrl(), LOG_TO_STORE: 'false' })
    assert.match(api.text, /^The database lacks migrations/)
    assert.equal(api.code, 1)
  })
})
