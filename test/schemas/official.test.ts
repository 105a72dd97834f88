/** What older versions wrote of listings as set by hand is official once the store is brought up to date, once. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { listMigrations, migrate } from '../../schemas/migrations.js'
import { databaseBefore } from '../support/migrated.js'

const name = '0060_official'
const Row = z.object({ label: z.string(), level: z.string(), confidence: z.number(), official: z.boolean(), sure: z.number(), version: z.number() })

describe('labels of an older version', function () {
  this.timeout(120_000)

  it('of listings are official after the migration, wherever it was cut off; what somebody set by hand stays so', async () => {
    const { url, database, store, run } = await databaseBefore(name)
    const label = (text: string, licence: string, level: string, confidence: number, more: object = {}) => ({ chain: 'ETH', address: `0x${'a1'.repeat(20)}`, label: text, entity: '', category: 'sanctioned', source: text, rule: '', level, confidence, licence, valid_from: '2020-01-01T00:00:00Z', removed: false, version: 3, ...more })
    await store.insert('labels', [label('listed', 'official list', 'override', 100), label('delisted', 'official list', 'override', 100, { removed: true }), label('own', '', 'override', 100), label('reported', 'CC0', 'authority_data', 60)])
    await store.execute("INSERT INTO risk_rules SELECT rule, 2, decay, own_confidence, severe, high, 4 FROM risk_rules")
    await store.execute("INSERT INTO risk_weights VALUES ('exposure_score', 2, 'bridge', 0.3)")
    const statements = listMigrations().find(({ id }) => id === name)?.statements ?? []
    const inserts = statements.findIndex((statement) => statement.startsWith('INSERT INTO labels'))
    for (const statement of statements.slice(0, inserts + 1)) await run(statement)
    assert.ok((await migrate(url, database)).includes(name))
    assert.deepEqual(await store.query('SELECT label, toString(level) AS level, confidence, official, sure, toUInt32(version) AS version FROM labels FINAL WHERE NOT removed ORDER BY label', {}, Row), [
      { label: 'listed', level: 'authority_data', confidence: 60, official: true, sure: 100, version: 4 }, { label: 'own', level: 'override', confidence: 100, official: false, sure: 100, version: 3 },
      { label: 'reported', level: 'authority_data', confidence: 60, official: false, sure: 60, version: 3 },
    ])
    const { numbers } = (await store.query("SELECT (SELECT groupArray(medium) FROM risk_rules FINAL WHERE version = 2) AS medium, (SELECT groupArray(category) FROM risk_weights FINAL WHERE version = 2) AS categories, (medium, categories) AS numbers", {}, z.object({ numbers: z.unknown() })))[0] ?? { numbers: null }
    assert.deepEqual(numbers, [[4], ['bridge']], 'a version that the operator made stays')
    await store.close()
  })
})
