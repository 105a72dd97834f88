/** Clusters in memory from what the store holds, and readers' tables brought in line with them. */
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { loadSql } from '../../schemas/sql.js'
import { openClusters, type Clusters } from './clusters.js'
import { openRowWriter, readRows } from './rowBinary.js'
import { insertMoves, writeMove, type Pen } from './rows.js'

const log = loadSql(import.meta.url, 'log.sql'), doubtful = loadSql(import.meta.url, 'doubtful.sql'), known = loadSql(import.meta.url, 'known.sql')
const leftovers = ['btc_cluster_log', 'btc_cluster_quarantine', 'btc_change_links', 'btc_peels'] as const
const Entity = z.object({ cluster: z.string(), name: z.string(), labelled: z.number(), size: z.number() })
const Name = z.object({ address: z.string(), name: z.string() })

export interface Memory {
  readonly clusters: Clusters
  /** What readers see of named clusters: hex of the id → name, labelled addresses and all of them. */
  readonly entities: Map<string, { readonly name: string; readonly labelled: number; readonly size: number }>
  /** The highest block seen and the version of the last write when it was so: another's work shows in them. */
  top: number
  newest: number
}

/** Builds clusters as they stood after block `top`, with the names they were last looked at with. */
export const loadMemory = async (store: Store, chain: string, top: number, newest: number): Promise<Memory> => {
  const clusters = openClusters()
  await readRows(store.read(log, { chain, top }), (cursor) => {
    const into = cursor.fixed(20), count = cursor.length(), from = cursor.fixed(count * 20)
    clusters.replay(cursor.buffer, into, from, count)
  })
  clusters.settle()
  for (const { address, name } of await store.query("SELECT lower(hex(address)) AS address, name FROM btc_cluster_names FINAL WHERE chain = {chain:String} AND name != ''", { chain }, Name)) {
    clusters.label(Buffer.from(address, 'hex'), 0, name)
  }
  const shown = await store.query("SELECT lower(hex(cluster)) AS cluster, name, labelled, size FROM btc_cluster_entities FINAL WHERE chain = {chain:String} AND name != ''", { chain }, Entity)
  return { clusters, entities: new Map(shown.map(({ cluster, ...seen }) => [cluster, seen])), top, newest }
}

/** How many addresses loadMemory would find in clusters. */
export const countKnown = async (store: Store, chain: string, top: number): Promise<number> => (await store.query(known, { chain, top }, z.object({ known: z.number() })))[0]?.known ?? 0

/** Whether peels are left above `top`. They do not lie in the order of blocks: the plan, which is read all the time, does not count them. */
export const hasPeelsAbove = async (store: Store, chain: string, top: number): Promise<boolean> =>
  (await store.query('SELECT 1 AS found FROM btc_peels WHERE chain = {chain:String} AND toInt64(block_number) > {top:Int64} LIMIT 1', { chain, top }, z.object({ found: z.number() }))).length > 0

/** Takes away what a run that died, or was taken back, left above `top`: first what readers see of it, then the rows by which it is known; never rows of who holds the clusters later. */
export const sweep = async (store: Store, pen: Pen, memory: Memory): Promise<number> => {
  const { clusters } = memory, { chain, version } = pen
  const writer = openRowWriter()
  const rows = await readRows(store.read(doubtful, { chain, top: memory.top }), (cursor) => {
    const address = cursor.fixed(20), seen = cursor.fixed(20), bytes = cursor.buffer
    const root = clusters.rootOf(bytes, address), now = Buffer.alloc(20)
    if (root >= 0 && clusters.sets.size(root) > 1) clusters.addresses.write(root, now, 0)
    if (now.compare(bytes, seen, seen + 20) !== 0) writeMove(writer, chain, version, bytes.subarray(address, address + 20), bytes.subarray(seen, seen + 20), now)
  })
  await insertMoves(store, writer, pen)
  for (const table of leftovers) await store.execute('DELETE FROM {table:Identifier} WHERE chain = {chain:String} AND toInt64(block_number) > {top:Int64} AND version <= {version:UInt64}', { table, chain, top: memory.top, version })
  return rows
}
