/** Rows that a late writer left of an orphaned block stand beside those of the block that took its place: nothing is made of them. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { alertStatements } from '../../stages/alert/statements.js'
import { enrichStatements } from '../../stages/enrich/statements.js'
import { indexStatements } from '../../stages/index/statements.js'
import { normalizeEthereum } from '../../stages/normalize/ethereum/statements.js'
import { run } from '../enrich/handmade.js'
import { insertRaw } from '../support/raw.js'
import { fillRegisters } from '../support/registered.js'
import { freshStore } from '../support/servers.js'

/** They hold sandwiches, arbitrages, liquidations, what moves stablecoins, prices of every method, new pools. */
const heights = [12914944, 13998626, 17000000, 19426586, 19426587]
const tables = ['blocks', 'transactions', 'logs', 'movements', 'swap_legs', 'pool_sightings', 'prices', 'transfers', 'swaps', 'wallet_trades', 'address_transfers', 'address_fees', 'mev_legs', 'mev', 'chunks', 'alerts']
const orphaned = 0, standing = 1

const through = async (store: Store, generation: number): Promise<void> => {
  await insertRaw(store, heights, generation)
  for (const height of heights) await run(store, [...normalizeEthereum, ...enrichStatements, ...indexStatements, ...alertStatements], [[height, height]], generation, height)
}
/** Versions of alerts go by the generation. */
const rowsOf = async (store: Store, table: string, generation: number): Promise<string[]> =>
  (await store.query(`SELECT toString(tuple(* EXCEPT (${table === 'alerts' ? 'generation, version' : 'generation'}))) AS row FROM ${table} WHERE generation = {generation:UInt32} ORDER BY row`, { generation }, z.object({ row: z.string() }))).map(({ row }) => row)

describe('Ethereum beside what a late writer left', function () {
  this.timeout(120_000)
  it('every statement of enrich, index and alert that goes by blocks reads the rows of its own generation', async () => {
    const { store } = await freshStore()
    await fillRegisters(store)
    await through(store, orphaned)
    const before = new Map<string, string[]>()
    for (const table of tables) before.set(table, await rowsOf(store, table, orphaned))
    // A price that is not of the block that stands is told by its value.
    await store.execute('INSERT INTO prices SELECT * REPLACE (usd * 2 AS usd) FROM prices', {})
    await through(store, standing)
    for (const table of tables) {
      const rows = before.get(table) ?? []
      assert.ok(rows.length > 0, table)
      assert.deepEqual(await rowsOf(store, table, standing), rows, table)
    }
  })
})
