import assert from 'node:assert/strict'
import { z } from 'zod'
import { openKeys } from '../../api/keys.js'
import { clickhouseUrl, freshStore } from '../support/servers.js'
import { runScript } from '../support/run.js'

describe('npm run key', function () {
  this.timeout(60_000)

  it('makes a key of a tier, moves one to another tier, lists and ends it, and writes that down', async () => {
    const { store, database } = await freshStore()
    const environment = { CLICKHOUSE_URL: await clickhouseUrl(), CLICKHOUSE_DATABASE: database }
    const run = (...args: string[]) => runScript('scripts/key.ts', args, environment)
    const made = await run('--tier', 'pro', '--role', 'operator', '--name', 'acme')
    const key = /^Key {2}(hyd_\w{38})/m.exec(made.text)?.[1] ?? ''
    const record = await openKeys(store, store).check(key)
    assert.deepEqual([record?.tier, record?.role, record?.name, record?.rate_limit, record?.daily_cap, record?.account], ['pro', 'operator', 'acme', 600, 1_000_000, key.slice(4, 12)])
    assert.ok(record?.scopes.includes('pipeline') && !record.scopes.includes('admin'))

    const { key: instant } = await openKeys(store, store).issue({ name: 'instant-agent', role: 'agent', tier: 'free', rate_limit: 60, daily_cap: 10_000, scopes: [], source_ip: '' })
    const id = instant.slice(4, 12)
    assert.match((await run('--id', id, '--tier', 'enterprise')).text, new RegExp(`^${id} {2}enterprise {2}agent {2}until`))
    const raised = await openKeys(store, store).check(instant)
    assert.deepEqual([raised?.tier, raised?.rate_limit, raised?.daily_cap, raised?.account], ['enterprise', 5_000, 0, id])
    assert.match((await run('--id', id)).text, /enterprise/)
    // An operator sees the keys that go on being paid for, whatever the one he asks by is now.
    const named = await openKeys(store, store).issue({ name: 'named', role: 'agent', tier: 'enterprise', account: id, quota: id, origin: 'named', rate_limit: 60, daily_cap: 0, scopes: [], source_ip: '' })
    assert.match((await run('--id', id, '--tier', 'free')).text, new RegExp(`one key has another tier and keeps it: --id ${id} lists them`))
    const listed = (await run('--id', id)).text
    assert.ok(listed.includes(named.record.public_id) && listed.includes(`${id}  free`), listed)
    assert.match((await run('--id', id, '--revoke')).text, /revoked/)
    assert.equal(await openKeys(store, store).check(instant), null)
    assert.match((await run('--id', id, '--tier', 'pro')).text, /is revoked/)

    const actions = await store.query('SELECT action, subject, detail FROM audit ORDER BY at', {}, z.object({ action: z.string(), subject: z.string(), detail: z.string() }))
    assert.deepEqual(actions.map(({ action, subject }) => [action, subject]), [['issue_key', key.slice(4, 12)], ['change_tier', id], ['change_tier', id], ['revoke_key', id]])
    assert.ok(!actions.some(({ detail }) => detail.includes('hyd_')))
  })

  it('says what is wrong', async () => {
    for (const [args, says] of [[['--tier', 'gold'], /^--tier: 'gold' is not a tier\nusage/], [['--tier', 'pro', '--role', 'root'], /^--role: 'root'/], [[], /^--tier is missing/], [['--revoke'], /^--id is missing/],
      [['--tier', 'pro', '--days', '0'], /^--days: a whole number of at least 1/], [['--tier', 'pro'], /^CLICKHOUSE_URL is not set/],
      [['--id', 'AbCd1234', '--tier', 'pro', '--days', '9'], /^--days is of a new key/], [['--id', 'AbCd1234', '--tier', 'pro', '--revoke'], /^--tier or --revoke/]] as const) {
      const { code, text } = await runScript('scripts/key.ts', args, {})
      assert.match(text, says)
      assert.equal(code, 1)
    }
  })
})
