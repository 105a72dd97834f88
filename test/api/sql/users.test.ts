/** The users that are made where the server's configuration has none: never with a password that everybody knows. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { openAnalysts } from '../../../api/sql/analysts.js'
import type { Principal } from '../../../api/operation.js'
import type { Store } from '../../../schemas/clickhouse.js'
import { freshStore } from '../../support/servers.js'

const principal: Principal = { keyId: 'x', owner: 'x', quota: 'x', name: 'x', role: 'agent', tier: 'pro', scopes: ['read'], ip: '', perMinute: 1, daily: null }
const hashOf = (password: string): string => createHash('sha256').update(password).digest('hex')

describe('users of analysts made here', function () {
  this.timeout(60_000)

  it('have the password that the store keeps, also where a killed ClickHouse came back with its token alone', async () => {
    const { store, url, database } = await freshStore()
    // The embedded server has the users in its configuration, and no place for others.
    const made = async (): Promise<string[]> => {
      const statements: string[] = []
      const writer: Store = {
        ...store, query: (sql, ...rest) => (String(sql).includes('system.users') ? Promise.resolve([]) : store.query(sql, ...rest)), execute: (sql) => { statements.push(String(sql)); return Promise.resolve(0) },
      }
      const analysts = openAnalysts(url, database, store, writer)
      await assert.rejects(analysts.run(principal, 'SELECT 1', 'JSON', () => Buffer.alloc(0), AbortSignal.timeout(30_000)))
      await analysts.close()
      return statements.filter((one) => one.includes(' USER ') && one.includes('IDENTIFIED'))
    }
    assert.ok((await made()).length > 0)
    await store.execute('DELETE FROM secrets WHERE 1')
    const statements = await made()
    const [kept] = await store.query("SELECT value FROM secrets WHERE name = 'analyst'", {}, z.object({ value: z.string().min(32) }))
    for (const one of statements) assert.ok(!one.includes(hashOf('')) && one.includes(hashOf(kept?.value ?? 'none')), one)
  })
})
