/** A batch of which only some tables have their rows when it is run again: it ends with the rows of a clean run in all of them. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { openStore, type Store } from '../../../schemas/clickhouse.js'
import { migrate } from '../../../schemas/migrations.js'
import { startClickHouse, type Embedded } from '../../../scripts/embedded/clickhouse.js'
import { insertRaw } from '../../support/raw.js'
import { freshStore } from '../../support/servers.js'
import { normalize, rowsOf, tables, type Table } from './normalized.js'

const decoded = ['blocks', 'transactions', 'logs', 'withdrawals'] as const
const heights = [17034870, 17053184]
const from = Math.min(...heights), to = Math.max(...heights)

const Count = z.object({ count: z.coerce.number() })
const counted = async (store: Store, table: string): Promise<number> => (await store.query('SELECT count() AS count FROM {table:Identifier}', { table }, Count))[0]?.count ?? 0
const everything = async (store: Store): Promise<unknown> => Object.fromEntries(await Promise.all((Object.keys(tables) as Table[]).map(async (table) => [table, await rowsOf(store, table, from, to)])))

describe('a batch that landed in part', function () {
  this.timeout(120_000)
  let clean: unknown
  before(async () => {
    const { store } = await freshStore()
    await insertRaw(store, heights)
    await normalize(store, from, to)
    clean = await everything(store)
    for (const table of decoded) assert.ok(await counted(store, table) > 0, `${table} is empty: choose other blocks`)
  })

  for (const lacking of [['blocks'], ['logs'], ['transactions', 'withdrawals'], ['blocks', 'logs', 'withdrawals']]) {
    it(`is completed where ${lacking.join(', ')} lacked it`, async () => {
      const { store } = await freshStore()
      await insertRaw(store, heights)
      for (const table of lacking) await store.execute(`DETACH TABLE ethereum_${table}`)
      await normalize(store, from, to, 1, 'batch')
      for (const table of decoded) assert.equal(await counted(store, table) > 0, !lacking.includes(table), table)
      for (const table of lacking) await store.execute(`ATTACH TABLE ethereum_${table}`)
      await normalize(store, from, to, 1, 'batch')
      // movements and what follows read a part of the rows here, as they never do: the runner ends a stage at the first fault.
      for (const table of decoded) assert.deepEqual(await rowsOf(store, table, from, to), (clean as Record<string, unknown>)[table], table)
    })
  }

  it('is completed after kill -9 of ClickHouse in the middle of the insert', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'hydrophone-partial-'))
    let server: Embedded = await startClickHouse(directory)
    const port = Number(new URL(server.url).port)
    const states: string[] = []
    const partial = (): boolean => states.some((state) => state.includes('there') && state.includes('missing'))
    try {
      // Which tables land first is the server's choice: another try where all had landed before the kill.
      for (let attempt = 1; attempt <= 5 && !partial(); attempt += 1) {
        const database = `partial_${attempt}`
        await migrate(server.url, database)
        const store = openStore(server.url, database)
        await insertRaw(store, heights)
        // A view that sleeps holds the insert open while others have landed.
        const [view] = await store.query('SELECT as_select AS text FROM system.tables WHERE database = {database:String} AND name = \'ethereum_blocks\'', { database }, z.object({ text: z.string() }))
        await store.execute(`ALTER TABLE ethereum_blocks MODIFY QUERY SELECT * FROM (${view?.text ?? ''}) WHERE sleep(2.9) = 0`)
        const first = normalize(store, from, to, 1, 'batch').catch(() => undefined)
        const landed = async (): Promise<string[]> => Promise.all(decoded.map(async (table) => `${table} ${await counted(store, table) > 0 ? 'there' : 'missing'}`))
        for (const deadline = Date.now() + 30_000; !(await landed()).join().includes('there');) assert.ok(Date.now() < deadline, 'nothing landed')
        await server.kill()
        await first
        server = await startClickHouse(directory, port)
        states.push((await landed()).join(', '))
        await store.execute(`ALTER TABLE ethereum_blocks MODIFY QUERY ${view?.text ?? ''}`)
        await normalize(store, from, to, 1, 'batch')
        assert.deepEqual(await everything(store), clean)
        await store.close()
      }
      assert.ok(partial(), `never in part: ${states.join('; ')}`)
    } finally {
      await server.kill()
      rmSync(directory, { recursive: true, force: true })
    }
  })
})
