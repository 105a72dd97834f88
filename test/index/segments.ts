/** Hand-made blocks through enrich and index, and everything index makes of them. Segments are of eight blocks. */
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { enrichStatements } from '../../stages/enrich/statements.js'
import { indexStatements } from '../../stages/index/statements.js'
import { at, coin, majors, putBlocks, putMoves, putSwaps, putTokens, run, units, usdc, weth } from '../enrich/handmade.js'
import { freshStore } from '../support/servers.js'

/** What readers see of the aggregates. */
export const views = ['token_hours', 'pair_hours', 'class_hours', 'entity_hours', 'address_hours', 'wallets', 'top_lists'] as const
/** Every row of the views, and of what index writes by block, as text. */
export const seen = async (store: Store): Promise<Record<string, unknown[]>> => Object.fromEntries(await Promise.all([...views, 'address_transfers', 'chunks'].map(async (table) =>
  [table, (await store.query(`SELECT toString(tuple(* ${views.includes(table as never) ? '' : 'EXCEPT (generation)'})) AS row FROM ${table} ORDER BY row`, {}, z.object({ row: z.string() }))).map(({ row }) => row)])))

/** The rows of blocks from..to; `fork` and what it changes make another version of a block. */
export const put = async (store: Store, from: number, to: number, generation = 0, fork = ''): Promise<void> => {
  const heights = Array.from({ length: to - from + 1 }, (_, i) => from + i)
  const extra = fork === '' ? 0 : 1
  await putBlocks(store, from, to, generation, fork)
  await putMoves(store, heights.flatMap((n) => [
    { n, position: 1, kind: 'native', token: coin, from: at('01'), to: at(`${20 + n % 7}`), amount: units(n, 18), generation, fork },
    { n, position: 2, token: usdc, from: at(`${30 + n % 5}`), to: at(`be${extra}`), amount: units(100_000 + n, 6), generation, fork }]))
  await putSwaps(store, heights.map((n) => ({ n, log: 3, sold: usdc, amountSold: units(60_000 + n + extra, 6), depthSold: units(1e6, 6), bought: weth, amountBought: units(30, 18), generation, fork })))
}
/** Says in the ledger that enrich has landed the ranges. */
export const enriched = (store: Store, ranges: readonly (readonly [number, number])[], generation: number): Promise<void> => store.insert('batches', ranges.map(([from, to]) => (
  { chain: 'ETH', stage: 'enrich', from_block: from, to_block: to, hash: '', generation, rows: 0, bytes: 0, milliseconds: 0, endpoint: '', finished_at: '2026-01-01T00:00:00Z' })))
/** Runs enrich and index over ranges, one after the other. */
export const pass = async (store: Store, ranges: readonly (readonly [number, number])[], generation = 0): Promise<void> => {
  for (const range of ranges) {
    await run(store, enrichStatements, [range], generation)
    await enriched(store, [range], generation)
    await run(store, indexStatements, [range], generation)
  }
}
/** A store with tokens and one labelled exchange. */
export const fresh = async (): Promise<Store> => {
  const { store } = await freshStore()
  await putTokens(store, majors)
  await store.insert('labels', [{ chain: 'ETH', address: at('be0'), label: 'Some Exchange', entity: 'Some', category: 'exchange', source: 'test', rule: '', confidence: 90, licence: '', valid_from: '2020-01-01T00:00:00Z', removed: false, version: 1 }])
  await store.execute('SYSTEM RELOAD DICTIONARY label_of')
  return store
}
