/** Flows of entities move to a table of another order: wherever that was cut off it can be repeated, and what comes to the old one afterwards is not lost. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { listMigrations, migrate } from '../../schemas/migrations.js'
import { databaseBefore, type Older } from '../support/migrated.js'

const name = '0056_entity_token_segments'
const moving = listMigrations().find(({ id }) => id === name)?.statements ?? []
const row = (entity: string, hour: string, version: number): string => `INSERT INTO entity_segments SELECT 'ETH', ${hour}, intDiv(number, 10), ${entity}, unhex(repeat('05', 20)), ${version}, 2, 3, 4, 5, 6, 7, 8, 0, ${version}, 9, 10, 11 FROM numbers(1000)`

describe('flows of entities by entity and hour', function () {
  this.timeout(120_000)
  const sum = async (store: Store, table: string, columns = '*'): Promise<unknown> => store.query(`SELECT toString(sum(cityHash64(${columns}))) AS hash, count() AS rows FROM ${table}`, {}, z.object({ hash: z.string(), rows: z.coerce.number() }))
  /** The columns of a view as it is: later versions have more. */
  const columnsOf = async (store: Store, view: string): Promise<string> => (await store.query(`DESCRIBE TABLE ${view}`, {}, z.object({ name: z.string() }))).map(({ name: column }) => column).join(', ')
  /** A database of the version before, with flows of which some were written twice. */
  const before56 = async (): Promise<Older> => {
    const older = await databaseBefore(name), { store } = older
    for (const version of [1, 2]) await store.execute(row('toString(number % 7)', `toDateTime('2026-01-01 00:00:00', 'UTC') + 3600 * (number % 50)`, version))
    return older
  }

  for (const cut of [0, 3, moving.length]) {
    it(`are the same after the move, also when it was cut off after ${cut} of ${moving.length} statements`, async () => {
      const { url, database, store, run } = await before56()
      const views = ['entity_hours', 'entity_days', `published_${database}.entity_hours`], columns = await Promise.all(views.map((view) => columnsOf(store, view))), was = await Promise.all(views.map((view, place) => sum(store, view, columns[place])))
      for (const statement of moving.slice(0, cut)) await run(statement)
      assert.ok((await migrate(url, database)).includes(name))
      assert.deepEqual(await Promise.all(views.map((view, place) => sum(store, view, columns[place]))), was)
      assert.deepEqual(await sum(store, 'entity_token_segments FINAL'), await sum(store, 'entity_segments FINAL'))
      await store.close()
    })
  }

  it('include what a process of the version before writes afterwards', async () => {
    const { url, database, store } = await before56()
    await migrate(url, database)
    await store.execute(row(`'late'`, `toDateTime('2026-02-01 00:00:00', 'UTC')`, 1))
    assert.deepEqual(await store.query(`SELECT count() AS hours FROM entity_hours WHERE entity = 'late'`, {}, z.object({ hours: z.coerce.number() })), [{ hours: 1 }])
    await store.close()
  })
})
