import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { enrichStatements } from '../../stages/enrich/statements.js'
import { indexStatements } from '../../stages/index/statements.js'
import { freshStore } from '../support/servers.js'
import { at, coin, majors, putBlocks, putMoves, putSwaps, putTokens, run, units, usdc, weth } from '../enrich/handmade.js'

const views = ['token_hours', 'pair_hours', 'class_hours', 'entity_hours', 'address_hours', 'wallets'] as const
const seen = async (store: Store): Promise<Record<string, unknown[]>> => Object.fromEntries(await Promise.all([...views, 'address_transfers', 'chunks'].map(async (table) =>
  [table, (await store.query(`SELECT toString(tuple(* ${views.includes(table as never) ? '' : 'EXCEPT (generation)'})) AS row FROM ${table} ORDER BY row`, {}, z.object({ row: z.string() }))).map(({ row }) => row)])))
const segmentTables = ['token_segments', 'pair_segments', 'class_segments', 'entity_segments', 'address_segments']

/** The rows of blocks from..to; `fork` and what it changes make another version of a block. */
const put = async (store: Store, from: number, to: number, generation = 0, fork = ''): Promise<void> => {
  const heights = Array.from({ length: to - from + 1 }, (_, i) => from + i)
  const extra = fork === '' ? 0 : 1
  await putBlocks(store, from, to, generation, fork)
  await putMoves(store, heights.flatMap((n) => [
    { n, position: 1, kind: 'native', token: coin, from: at('01'), to: at(`${20 + n % 7}`), amount: units(n, 18), generation, fork },
    { n, position: 2, token: usdc, from: at(`${30 + n % 5}`), to: at(`be${extra}`), amount: units(100_000 + n, 6), generation, fork }]))
  await putSwaps(store, heights.map((n) => ({ n, log: 3, sold: usdc, amountSold: units(60_000 + n + extra, 6), depthSold: units(1e6, 6), bought: weth, amountBought: units(30, 18), generation, fork })))
}
const enriched = (store: Store, ranges: readonly (readonly [number, number])[], generation: number): Promise<void> => store.insert('batches', ranges.map(([from, to]) => (
  { chain: 'ETH', stage: 'enrich', from_block: from, to_block: to, hash: '', generation, rows: 0, bytes: 0, milliseconds: 0, endpoint: '', finished_at: '2026-01-01T00:00:00Z' })))
const pass = async (store: Store, ranges: readonly (readonly [number, number])[], generation = 0): Promise<void> => {
  for (const range of ranges) {
    await run(store, enrichStatements, [range], generation)
    await enriched(store, [range], generation)
    await run(store, indexStatements, [range], generation)
  }
}
const fresh = async (): Promise<Store> => {
  const { store } = await freshStore()
  await putTokens(store, majors)
  await store.insert('labels', [{ chain: 'ETH', address: at('be0'), label: 'Some Exchange', entity: 'Some', category: 'exchange', source: 'test', rule: '', confidence: 90, licence: '', valid_from: '2020-01-01T00:00:00Z', removed: false, version: 1 }])
  await store.execute('SYSTEM RELOAD DICTIONARY label_of')
  return store
}

describe('segments', () => {
  it('do not depend on how blocks are cut into batches', async function () {
    this.timeout(120_000)
    const cuts = [[[1, 10]], Array.from({ length: 10 }, (_, i) => [i + 1, i + 1]), [[1, 3], [4, 9], [10, 10]]] as [number, number][][]
    const [whole, ...others] = await Promise.all(cuts.map(async (ranges) => {
      const store = await fresh()
      await put(store, 1, 10)
      await pass(store, ranges)
      return seen(store)
    }))
    for (const rows of Object.values(whole ?? {})) assert.ok(rows.length > 0)
    for (const other of others) assert.deepEqual(other, whole)
  })

  it('add up to the transfers, priced and labelled', async () => {
    const store = await fresh()
    await put(store, 1, 20)
    await pass(store, [[1, 9], [10, 20]])
    const Row = z.object({ table: z.string(), n: z.coerce.number(), usd: z.number() })
    const rows = await store.query(`SELECT 'transfers' AS table, count() AS n, sum(value_usd) AS usd FROM transfers
      UNION ALL SELECT 'tokens', sum(transfers), sum(value_usd) FROM token_hours UNION ALL SELECT 'classes', sum(transfers), sum(value_usd) FROM class_hours
      UNION ALL SELECT 'in', sum(transfers_in), sum(usd_in) FROM address_hours UNION ALL SELECT 'out', sum(transfers_out), sum(usd_out) FROM address_hours
      UNION ALL SELECT 'sides', count() / 2, sum(value_usd) / 2 FROM address_transfers`, {}, Row)
    for (const row of rows) assert.deepEqual([row.n, Math.round(row.usd)], [40, Math.round(rows[0]?.usd ?? 0)], row.table)
    const [exchange] = await store.query('SELECT \'e\' AS table, transfers_in AS n, usd_in AS usd FROM entity_hours WHERE entity = \'Some\' AND transfers_out = 0', {}, Row)
    assert.deepEqual([exchange?.n, exchange?.usd], [20, 2_000_210])
  })

  it('after a rollback are what a fresh computation gives', async () => {
    const store = await fresh()
    await put(store, 1, 20)
    await pass(store, [[1, 8], [9, 20]])
    for (const table of ['blocks', 'transactions', 'movements', 'swap_legs', 'prices', 'transfers', 'swaps', 'address_transfers', 'chunks']) await store.execute(`DELETE FROM ${table} WHERE block_number >= 13`)
    for (const table of segmentTables) await store.execute(`DELETE FROM ${table} WHERE segment >= 1`)
    await put(store, 13, 20, 1, 'b')
    await pass(store, [[13, 15], [16, 20]], 1)
    const clean = await fresh()
    await put(clean, 1, 12)
    await put(clean, 13, 20, 0, 'b')
    await pass(clean, [[1, 20]])
    assert.deepEqual(await seen(store), await seen(clean))
  })

  it('let a late writer of an old generation lose', async () => {
    const store = await fresh()
    await put(store, 1, 8)
    await pass(store, [[1, 8]], 1)
    const before = await seen(store)
    const late = indexStatements.map((group) => group.filter((sql) => sql.writes.endsWith('_segments')))
    await store.execute('DELETE FROM transfers WHERE block_number > 3')
    await run(store, late, [[1, 8]], 0)
    for (const view of views) assert.deepEqual((await seen(store))[view], before[view])
  })
})
