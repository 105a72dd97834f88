/** Carrying out a rollback: everything an older generation wrote at or above a height goes, aggregates it touched are recomputed. */
import { z } from 'zod'
import type { Store } from '../schemas/clickhouse.js'
import type { BatchRef } from '../schemas/primitives.js'
import { loadSql } from '../schemas/sql.js'
import { indexStatements } from './index/statements.js'
import { statementParams, type ChainModule, type Statements } from './stage.js'

/** Tables whose rows belong to one block and carry the generation of their batch; `height` is the column of the block's number. */
const factTables: readonly { readonly table: string; readonly height: string }[] = [
  { table: 'raw_payloads', height: 'number' },
  ...['blocks', 'transactions', 'logs', 'withdrawals', 'movements', 'swap_legs', 'pool_sightings', 'prices', 'transfers', 'swaps', 'address_transfers', 'chunks']
    .map((table) => ({ table, height: 'block_number' })),
]
const segmentTables = ['token_segments', 'pair_segments', 'class_segments', 'entity_segments', 'address_segments'] as const

const stale = loadSql(import.meta.url, 'rollback_facts.sql')
const staleSegments = loadSql(import.meta.url, 'rollback_segments.sql')
const retract = loadSql(import.meta.url, 'alert/retract.sql')
const extentSql = loadSql(import.meta.url, 'rollback_extent.sql')
const Count = z.object({ count: z.coerce.number() })
const Extent = z.object({ top: z.coerce.number(), generation: z.coerce.number() })

export interface Rollback { readonly seq: number; readonly from_block: number; readonly generation: number }

/** index statements that rewrite whole segments; the others write rows of single blocks. */
const segmentStatements: Statements = indexStatements.map((group) => group.filter((sql) => sql.writes.endsWith('_segments'))).filter((group) => group.length > 0)

/** Computes the aggregates of `segment` and all above it again from the rows that stand. Repeating it changes nothing. */
const recompute = async (store: Store, module: ChainModule, segment: number): Promise<void> => {
  const chain = module.chain.id
  const [extent] = await store.query(extentSql, { chain }, Extent)
  const from = segment * module.chain.segmentBlocks
  if (extent === undefined || extent.top < from) return
  const batch: BatchRef = { chain, from, to: extent.top, hash: '', generation: extent.generation, floor: 0 }
  for (const sql of segmentStatements.flat()) await store.execute(sql, statementParams(batch, module.chain))
}

/**
 * Deletes what generations before `rollback.generation` wrote at or above `rollback.from_block`, retracts their alerts and
 * recomputes the segments from the one the height cuts on. May be repeated: a second run finds what late writers left. `always`
 * recomputes though nothing was found: a run that died after its deletes is finished so. Resolves to rows deleted.
 */
export const applyRollback = async (store: Store, module: ChainModule, rollback: Rollback, options: { readonly always: boolean } = { always: false }): Promise<number> => {
  const chain = module.chain.id
  const segment = Math.floor(rollback.from_block / module.chain.segmentBlocks)
  let deleted = 0
  for (const { table, height } of factTables) {
    const params = { table, height, chain, from: rollback.from_block, generation: rollback.generation }
    const [row] = await store.query(stale, params, Count)
    if ((row?.count ?? 0) === 0) continue
    deleted += row?.count ?? 0
    await store.execute('DELETE FROM {table:Identifier} WHERE chain = {chain:String} AND {height:Identifier} >= {from:UInt64} AND generation < {generation:UInt32}', params)
  }
  let cut = 0
  for (const table of segmentTables) {
    const params = { table, chain, segment, generation: rollback.generation }
    const [row] = await store.query(staleSegments, params, Count)
    if ((row?.count ?? 0) === 0) continue
    cut += row?.count ?? 0
    await store.execute('DELETE FROM {table:Identifier} WHERE chain = {chain:String} AND segment >= {segment:UInt64} AND version < bitShiftLeft(toUInt64({generation:UInt32}), 32)', params)
  }
  // No token: what is retracted already is left out, and an alert that a late writer raised since must not be.
  await store.execute(retract, { chain, height: rollback.from_block, generation: rollback.generation })
  if (deleted + cut > 0 || options.always) await recompute(store, module, segment)
  return deleted + cut
}
