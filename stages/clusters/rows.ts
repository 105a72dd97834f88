/** Rows that clusters write, in RowBinary: the changelog, merges that were not made, moves of addresses, owners. */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Store } from '../../schemas/clickhouse.js'
import type { Change, Clusters } from './clusters.js'
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

const insert = (sql: string) => async (store: Store, writer: RowWriter): Promise<void> => {
  if (writer.bytes > 0) await store.insertStream(sql, Readable.from([writer.take()]), {}, randomUUID())
}
export const insertLog = insert('INSERT INTO btc_cluster_log (chain, block_number, tx_index, part, txid, kind, cluster, old, addresses, size, version) FORMAT RowBinary')
export const insertQuarantine = insert('INSERT INTO btc_cluster_quarantine (chain, block_number, tx_index, part, txid, clusters, names, sizes, version) FORMAT RowBinary')
export const insertMoves = insert('INSERT INTO btc_cluster_moves (chain, address, old, cluster, version) FORMAT RowBinary')
export const insertEntities = insert('INSERT INTO btc_cluster_entities (chain, cluster, name, labelled, version) FORMAT RowBinary')
export const insertBlocks = insert('INSERT INTO btc_cluster_blocks (chain, block_number, block_hash, rules, version) FORMAT RowBinary')
export const insertNames = insert('INSERT INTO btc_cluster_names (chain, address, name, entity, category, source, confidence, version) FORMAT RowBinary')
