/** The state digest: one hash over everything a chain's blocks led to. Equal for a clean run, a run with faults and a replay. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { findChain } from '../../schemas/chains.js'
import type { Store } from '../../schemas/clickhouse.js'
import { loadSql } from '../../schemas/sql.js'
import { listsOf } from '../lists.js'

const facts = loadSql(import.meta.url, 'facts.sql')
const aggregates = loadSql(import.meta.url, 'aggregates.sql')
const alerts = loadSql(import.meta.url, 'alerts.sql')

const factTables = ['blocks', 'transactions', 'logs', 'withdrawals', 'movements', 'swap_legs', 'pool_sightings', 'agent_events', 'prices', 'transfers', 'swaps', 'wallet_trades', 'address_transfers', 'chunks', 'mev_legs', 'mev'] as const
const aggregateViews = ['token_hours', 'pair_hours', 'class_hours', 'entity_hours', 'address_hours', 'top_lists'] as const

const Part = z.object({ rows: z.coerce.number(), digest: z.string() })

export interface Digest { readonly chain: string; readonly height: number; readonly digest: string; readonly parts: readonly { readonly table: string; readonly rows: number; readonly digest: string }[] }

/** The newest block of a chain in the store, of a venue the newest segment that passed all stages; null when it has none. */
export const newestBlock = async (store: Store, chain: string): Promise<number | null> => {
  const sql = findChain(chain)?.hasBlocks === false ? `SELECT maxOrNull(to_block) AS number FROM batches WHERE chain = {chain:String} AND stage = 'alert'` : 'SELECT maxOrNull(block_number) AS number FROM blocks WHERE chain = {chain:String}'
  const [row] = await store.query(sql, { chain }, z.object({ number: z.coerce.number().nullable() }))
  return row?.number ?? null
}

/** Digest of `chain` up to `height`; aggregates cover whole segments, so they only compare when both stores end at the same block. */
export const stateDigest = async (store: Store, chain: string, height: number): Promise<Digest> => {
  const part = async (table: string, sql: typeof facts) => {
    const [row] = await store.query(sql, { table, chain, height }, Part)
    return { table, rows: row?.rows ?? 0, digest: row?.digest ?? '' }
  }
  const parts = []
  const { facts: own, left = [] } = listsOf(chain)
  for (const table of [...factTables.filter((one) => !left.includes(one)), ...own]) parts.push(await part(table, facts))
  for (const table of aggregateViews) parts.push(await part(table, aggregates))
  parts.push(await part('alerts', alerts))
  const hash = createHash('sha256')
  for (const one of parts) hash.update(`${one.table}:${one.rows}:${one.digest}\n`)
  return { chain, height, digest: hash.digest('hex'), parts }
}
