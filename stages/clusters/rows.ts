/** Rows that clusters write, in RowBinary: the changelog, merges that were not made, moves of addresses, owners. Only who holds the clusters can write them. */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Store } from '../../schemas/clickhouse.js'
import { AppError } from '../../schemas/errors.js'
import type { Change, Clusters } from './clusters.js'
import { lost } from './lease.js'
import type { RowWriter } from './rowBinary.js'

const kinds = { new: 1, addition: 2, merge: 3 } as const

/** Where a change was shown: the transaction's place, and where its id lies in `bytes`. */
export interface Place { readonly block: number; readonly index: number; readonly part: number; readonly bytes: Buffer; readonly txid: number }

const writePlace = (writer: RowWriter, chain: string, { block, index, part, bytes, txid }: Place): void => {
  writer.text(chain); writer.u64(block); writer.u32(index); writer.u32(part)
  writer.fixed(32, (buffer, at) => { bytes.copy(buffer, at, txid, txid + 32) })
}
const writeIds = (writer: RowWriter, clusters: Clusters, numbers: readonly number[]): void => {
  writer.length(numbers.length)
  for (const n of numbers) writer.fixed(20, (buffer, at) => { clusters.addresses.write(n, buffer, at) })
}

/** One row of btc_cluster_log, or of btc_cluster_quarantine into `held`. */
export const writeChange = (log: RowWriter, held: RowWriter, chain: string, version: number, place: Place, change: Change, clusters: Clusters): void => {
  if (change.kind === 'quarantine') {
    writePlace(held, chain, place)
    writeIds(held, clusters, change.roots)
    held.length(change.roots.length)
    for (const root of change.roots) held.text(clusters.nameOf(root))
    held.length(change.roots.length)
    for (const root of change.roots) held.u32(clusters.sets.size(root))
    held.u64(version)
    return
  }
  writePlace(log, chain, place)
  log.u8(kinds[change.kind])
  log.fixed(20, (buffer, at) => { clusters.addresses.write(change.winner, buffer, at) })
  writeIds(log, clusters, change.roots)
  writeIds(log, clusters, change.fresh)
  log.u32(clusters.sets.size(change.winner))
  log.u64(version)
}

/** One row of btc_cluster_moves; ids of 20 bytes, zero where there is no cluster. */
export const writeMove = (writer: RowWriter, chain: string, version: number, address: Buffer, old: Buffer, cluster: Buffer): void => {
  writer.text(chain)
  for (const id of [address, old, cluster]) writer.fixed(20, (buffer, at) => { id.copy(buffer, at) })
  writer.u64(version)
}

/** Who writes: its lease and the version of its rows, larger than those of who held the work before. */
export interface Pen { readonly chain: string; readonly writer: string; readonly version: number }

const taken = 'another process has taken the clusters over'
/** True while `writer` is the last to have held the clusters; else the statement fails. A process that slept for long does not know it by itself. */
const holds = `NOT throwIf((SELECT writer FROM btc_cluster_leases WHERE chain = {chain:String} ORDER BY seq DESC LIMIT 1) != {writer:String}, '${taken}')`

/** What `statement` comes to; CLUSTERS_LOST where the store refused it because another holds the clusters. */
export const fenced = async <Value>(statement: Promise<Value>): Promise<Value> => {
  try { return await statement } catch (thrown) {
    throw thrown instanceof AppError && thrown.message.includes(taken) ? lost(thrown) : thrown
  }
}

const insert = (table: string, columns: Readonly<Record<string, string>>) => {
  const names = Object.keys(columns).join(', '), types = Object.entries(columns).map(([name, type]) => `${name} ${type}`).join(', ').replaceAll("'", "\\'")
  const sql = `INSERT INTO ${table} (${names}) SELECT ${names} FROM input('${types}') WHERE ${holds} FORMAT RowBinary`
  return async (store: Store, writer: RowWriter, pen: Pen): Promise<void> => {
    if (writer.bytes > 0) await fenced(store.insertStream(sql, Readable.from([writer.take()]), { chain: pen.chain, writer: pen.writer }, randomUUID()))
  }
}
const id = 'FixedString(20)', place = { chain: 'String', block_number: 'UInt64', tx_index: 'UInt32', part: 'UInt32', txid: 'FixedString(32)' }, version = 'UInt64'
export const insertLog = insert('btc_cluster_log', { ...place, kind: "Enum8('new' = 1, 'addition' = 2, 'merge' = 3)", cluster: id, old: `Array(${id})`, addresses: `Array(${id})`, size: 'UInt32', version })
export const insertQuarantine = insert('btc_cluster_quarantine', { ...place, clusters: `Array(${id})`, names: 'Array(String)', sizes: 'Array(UInt32)', version })
export const insertMoves = insert('btc_cluster_moves', { chain: 'String', address: id, old: id, cluster: id, version })
export const insertEntities = insert('btc_cluster_entities', { chain: 'String', cluster: id, name: 'String', labelled: 'UInt32', size: 'UInt32', version })
export const insertBlocks = insert('btc_cluster_blocks', { chain: 'String', block_number: 'UInt64', block_hash: 'FixedString(32)', rules: 'UInt16', version })
export const insertNames = insert('btc_cluster_names', { chain: 'String', address: id, name: 'String', entity: 'String', category: 'String', source: 'String', confidence: 'UInt8', label: 'String', sure: 'UInt8', precedence: 'UInt8', valid_from: "DateTime64(3, 'UTC')", version })
