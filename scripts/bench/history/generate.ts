/** A made history: seeded, Zipf-distributed addresses, tokens and sizes of recorded blocks, indexed by the product's own statements. */
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { findChain } from '../../../schemas/chains.js'
import { loadSql } from '../../../schemas/sql.js'
import { indexStatements } from '../../../stages/index/statements.js'

const sql = (name: string) => loadSql(import.meta.url, `${name}.sql`)
const [tables, mix, swapMix, named, transfers, swaps, blocks, ledger, plan] = ['tables', 'mix', 'swapMix', 'named', 'transfers', 'swaps', 'blocks', 'ledger', 'plan'].map(sql)

export const seed = 8, addresses = 3_000_000, labelled = 300, first = 20_000_000, perBlock = 240
export interface History { readonly transfers: number; readonly swaps: number; readonly blocks: number; readonly seconds: number; readonly bytesPerTransfer: number }

const emptied = ['blocks', 'transactions', 'logs', 'movements', 'transfers', 'swaps', 'swap_legs', 'address_transfers', 'address_fees', 'address_segments', 'token_segments', 'class_segments', 'entity_token_segments', 'pair_segments', 'top_segments', 'chunks', 'alerts', 'plans', 'batches', 'heads', 'targets']
const Count = z.object({ count: z.coerce.number() })
const countOf = async (store: Store, table: string): Promise<number> => (await store.query(`SELECT count() AS count FROM ${table}`, {}, Count))[0]?.count ?? 0

/** Replaces what recorded blocks left in `store` (its worker must be gone) by `count` movements and a fifth of that in swaps, the newest block now. */
export const generate = async (store: Store, count: number, say: (text: string) => void): Promise<History> => {
  const began = performance.now()
  for (const statement of tables!.text.split(';')) await store.execute(statement)
  await store.execute(mix!)
  await store.execute(swapMix!)
  await store.execute(named!, { named: labelled })
  for (const table of emptied) await store.execute(`TRUNCATE TABLE ${table}`)
  const height = Math.ceil(count / perBlock), start = Math.floor(Date.now() / 1_000) - 12 * height
  await store.execute(blocks!, { first, start, count: height, per_block: perBlock })
  const slice = 2_000 * perBlock
  const [moves, trades] = [await countOf(store, 'bench_mix'), await countOf(store, 'bench_swap_mix')]
  for (let from = 0; from < count; from += slice) {
    const part = Math.min(slice, count - from), settings = { max_insert_block_size: 500_000, max_block_size: 250_000 }
    await store.execute(transfers!, { first, start, from, count: part, per_block: perBlock, addresses, mix: moves, seed }, settings)
    await store.execute(swaps!, { first, start, from: from / 5, count: Math.floor(part / 5), per_block: perBlock / 5, addresses, mix: trades, seed }, settings)
    if ((from / slice) % 10 === 9) say(`history: ${((from + part) / 1e6).toFixed(0)} million movements …`)
  }
  await index(store, height, say)
  await store.execute(plan!, { first, count: height })
  await store.execute(ledger!, { first, count: height })
  await merged(store)
  const [disk] = await store.query(`SELECT sum(bytes_on_disk) AS count FROM system.parts WHERE active AND database = currentDatabase() AND table = 'transfers'`, {}, Count)
  return { transfers: await countOf(store, 'transfers'), swaps: await countOf(store, 'swaps'), blocks: height, seconds: (performance.now() - began) / 1_000, bytesPerTransfer: (disk?.count ?? 0) / count }
}

/** What the index stage makes of it for the questions: rows by address and sums by segment, by its own statements, in larger pieces than its batches. */
const index = async (store: Store, height: number, say: (text: string) => void): Promise<void> => {
  const segmentBlocks = findChain('ETH')?.segmentBlocks ?? 1, piece = 64 * segmentBlocks
  for (let from = first; from < first + height; from += piece) {
    const to = Math.min(from + piece, first + height) - 1
    const params = { chain: 'ETH', from, to, generation: 0, segmentBlocks, versions: Array.from({ length: piece / segmentBlocks + 1 }, () => 1) }
    for (const statement of indexStatements.flat()) if (/_(segments|transfers)$/.test(statement.writes)) await store.execute(statement, params)
    if (((from - first) / piece) % 10 === 9) say(`history: ${to - first + 1} of ${height} blocks indexed …`)
  }
}

/** A history is asked about long after it was written: parts have been merged by then. */
const merged = async (store: Store): Promise<void> => {
  for (let quiet = 0; quiet < 5;) {
    const [row] = await store.query('SELECT count() AS count FROM system.merges', {}, Count)
    quiet = row?.count === 0 ? quiet + 1 : 0
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
}
