/** What normalize and resolving write of Bitcoin, as text to compare. */
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'

export const facts = ['blocks', 'btc_blocks', 'btc_transactions', 'btc_outputs', 'btc_inputs', 'btc_txids', 'btc_spends'] as const

/** Rows of a table at a height, without the generation of their batch. */
export const rowsOf = async (store: Store, table: string, height: number): Promise<string[]> =>
  (await store.query(`SELECT toString(tuple(* EXCEPT (generation))) AS row FROM ${table} WHERE block_number = {height:UInt64} ORDER BY row`, { height }, z.object({ row: z.string() }))).map(({ row }) => row)

export const addressesOf = async (store: Store): Promise<string[]> =>
  (await store.query('SELECT DISTINCT toString(tuple(*)) AS row FROM btc_parties ORDER BY row', {}, z.object({ row: z.string() }))).map(({ row }) => row)

/** How many rows a table has. */
export const countOf = async (store: Store, table: string): Promise<number> => (await store.query(`SELECT count() AS rows FROM ${table}`, {}, z.object({ rows: z.coerce.number() })))[0]?.rows ?? 0
