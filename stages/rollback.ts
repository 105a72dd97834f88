/** Carrying out a rollback: everything an older generation wrote at or above a height goes, aggregates it touched are recomputed. */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Store } from '../schemas/clickhouse.js'
import type { BatchRef } from '../schemas/primitives.js'
import { loadSql } from '../schemas/sql.js'
import { listsOf } from './lists.js'
import { givenBy, statementParams, type ChainModule } from './stage.js'

/** Tables whose rows belong to one block and carry the generation of their batch; `height` is the column of the block's number. */
const factTablesOf = (chain: string): readonly { readonly table: string; readonly height: string }[] => [
  { table: 'raw_payloads', height: 'number' },
  ...['blocks', 'transactions', 'logs', 'withdrawals', 'movements', 'swap_legs', 'pool_sightings', 'agent_events', 'prices', 'transfers', 'swaps', 'wallet_trades', 'address_transfers', 'chunks', 'mev_legs', 'mev', ...listsOf(chain).facts, ...listsOf(chain).steps]
    .map((table) => ({ table, height: 'block_number' })),
]
const segmentTables = ['token_segments', 'pair_segments', 'class_segments', 'entity_token_segments', 'address_segments', 'top_segments'] as const

const sql = (name: string) => loadSql(import.meta.url, `${name}.sql`)
const end = sql('rollback_end'), stale = sql('rollback_facts'), staleSegments = sql('rollback_segments'), extentSql = sql('rollback_extent'), epochsSql = sql('rollback_epochs')
const retract = loadSql(import.meta.url, 'alert/retract.sql')
const Count = z.object({ count: z.coerce.number() })
const Epochs = z.object({ newest: z.coerce.number(), own: z.coerce.number() })

export interface Rollback { readonly seq: number; readonly from_block: number; readonly generation: number }

/** index statements that rewrite whole segments; the others write rows of single blocks. */
const segmentStatements = (chain: string) => listsOf(chain).index.flat().filter((statement) => statement.writes.endsWith('_segments'))

/** Computes the aggregates of `segment` and all above it again from the rows that stand. Repeating it changes nothing. */
const recompute = async (store: Store, { chain }: ChainModule, segment: number): Promise<void> => {
  const [extent] = await store.query(extentSql, { chain: chain.id }, z.object({ top: z.coerce.number() }))
  const from = segment * chain.segmentBlocks
  if (extent === undefined || extent.top < from) return
  const batch: BatchRef = { chain: chain.id, from, to: extent.top, hash: '', generation: 0, floor: 0 }
  const params = statementParams(batch, chain)
  for (const statement of segmentStatements(chain.id)) {
    await store.execute(statement, { ...params, ...(statement.given === undefined ? {} : await givenBy(statement.given, params, store)) })
  }
}

/** A run's steps in the ledger; `deleted` resolves to the epoch its deletion got, which no other deletion of the chain has. */
const openRun = (store: Store, chain: string, { seq, from_block, generation }: Rollback) => {
  const writer = randomUUID()
  const row = (step: string, epoch: number, rows: number): object => ({ chain, seq, from_block, generation, step, epoch, rows_deleted: rows, writer })
  const step = (name: string): Promise<void> => store.insert('rollbacks_applied', [row(name, 0, 0)], `applied|${chain}|${writer}|${name}`)
  return {
    begun: () => step('begun'),
    done: () => step('done'),
    deleted: async (rows: number): Promise<number> => {
      for (;;) {
        const [epochs] = await store.query(epochsSql, { chain, seq }, Epochs)
        const epoch = (epochs?.newest ?? 0) + 1
        let writers: readonly string[] = []
        await store.insertSurely('rollbacks_applied', [row('deleted', epoch, rows)], `applied|${chain}|${epoch}`, async () => {
          writers = (await store.query('SELECT writer FROM rollbacks_applied WHERE chain = {chain:String} AND epoch = {epoch:UInt32}', { chain, epoch }, z.object({ writer: z.string() }))).map((one) => one.writer)
          return writers.length > 0
        })
        if (writers[0] === writer) return epoch
      }
    },
  }
}

/**
 * Ends and deletes what generations before `rollback.generation` wrote at or above `rollback.from_block`, retracts their alerts and
 * recomputes the segments from the one the height cuts on. May be repeated: a second run finds what late writers left, rows of blocks
 * and aggregates that were computed from such rows. `always` carries it out though nothing was found; `brief`: aggregates are looked at only where rows were found. Resolves to rows deleted.
 */
export const applyRollback = async (store: Store, module: ChainModule, rollback: Rollback, options: { readonly always: boolean; readonly brief?: boolean } = { always: false }): Promise<number> => {
  const chain = module.chain.id
  const segment = Math.floor(rollback.from_block / module.chain.segmentBlocks)
  const facts = factTablesOf(chain).map(({ table, height }) => ({ table, height, chain, from: rollback.from_block, generation: rollback.generation }))
  await store.execute(end, { chain, from: rollback.from_block, generation: rollback.generation })
  const countOf = async (file: typeof stale, params: Record<string, unknown>): Promise<number> => (await store.query(file, params, Count))[0]?.count ?? 0
  const [epochs] = await store.query(epochsSql, { chain, seq: rollback.seq }, Epochs)
  const found = await Promise.all(facts.map((params) => countOf(stale, params)))
  const cut = (epoch: number): Promise<number[]> => Promise.all(segmentTables.map((table) => countOf(staleSegments, { table, chain, segment, epoch })))
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)
  if (options.brief === true && sum(found) === 0) return 0
  const before = await cut(epochs?.own ?? 0)
  // No token: what is retracted already is left out, and an alert that a late writer raised since must not be.
  const retractAlerts = () => store.execute(retract, { chain, height: rollback.from_block, generation: rollback.generation })
  if (!options.always && sum(found) + sum(before) === 0) { await retractAlerts(); return 0 }
  const run = openRun(store, chain, rollback)
  await run.begun()
  for (const [index, params] of facts.entries()) {
    if ((found[index] ?? 0) > 0) await store.execute('DELETE FROM {table:Identifier} WHERE chain = {chain:String} AND {height:Identifier} >= {from:UInt64} AND generation < {generation:UInt32}', params)
  }
  const epoch = await run.deleted(sum(found))
  // Newer versions do not replace a row whose key the standing blocks no longer have: what saw the deleted rows goes.
  const counts = await cut(epoch)
  for (const [index, table] of segmentTables.entries()) {
    if ((counts[index] ?? 0) > 0) await store.execute('DELETE FROM {table:Identifier} WHERE chain = {chain:String} AND segment >= {segment:UInt64} AND version < bitShiftLeft(toUInt64({epoch:UInt32}), 32)', { table, chain, segment, epoch })
  }
  await retractAlerts()
  await recompute(store, module, segment)
  await run.done()
  return sum(found) + sum(before)
}
