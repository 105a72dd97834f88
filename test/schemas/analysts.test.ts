import assert from 'node:assert/strict'
import { accessStatements, analystSettings, analystTiers } from '../../schemas/analysts.js'
import { openStore } from '../../schemas/clickhouse.js'
import { clickhouseUrl } from '../support/servers.js'

describe('users of analysts', () => {
  it('have names and limits by tier, all of them read-only, and no password in any statement', () => {
    const statements = analystTiers.flatMap((tier) => accessStatements('some_database', tier, 'a secret'))
    assert.ok(statements.length >= analystTiers.length * 8)
    for (const statement of statements) assert.ok(!statement.includes('a secret') && !statement.includes('{{') && !statement.includes('undefined'), statement)
    for (const tier of analystTiers) assert.equal(analystSettings(tier)['readonly'], 1)
    assert.equal(new Set(statements.filter((one) => one.startsWith('CREATE USER'))).size, analystTiers.length)
    for (const grant of statements.filter((one) => one.startsWith('GRANT SELECT'))) assert.match(grant, /^GRANT SELECT ON published_some_database\.\* TO some_database_analyst_\w+$/)
  })

  it('are said in words the server knows', async () => {
    const store = openStore(await clickhouseUrl(), 'default')
    try {
      for (const statement of accessStatements('some_database', 'pro', 'a secret')) {
        // The embedded server keeps no users: it understands the statement and has no place, or no such user, role or profile, for it.
        await assert.rejects(store.execute(statement), /no writeable access storage|There is no (settings profile|role|user|quota)/, statement)
      }
      // Settings are looked up when they are used, so each is used once.
      const settings = Object.entries(analystSettings('pro')).filter(([name]) => name !== 'readonly').map(([name, value]) => `${name} = ${typeof value === 'number' ? value : `'${value}'`}`).join(', ')
      await store.execute(`SELECT 1 SETTINGS ${settings}`)
    } finally { await store.close() }
  })
})
