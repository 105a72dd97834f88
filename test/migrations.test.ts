import assert from 'node:assert/strict'
import { z } from 'zod'
import { freshStore } from './support/servers.js'
import { listMigrations, migrate } from '../schemas/migrations.js'

describe('migrations', () => {
  it('apply once, and again change nothing', async () => {
    const { store, url, database } = await freshStore()
    assert.deepEqual(await migrate(url, database), [])
    const [row] = await store.query('SELECT count() AS count FROM migrations FINAL', {}, z.object({ count: z.coerce.number() }))
    assert.equal(row?.count, listMigrations().length)
  })
})
