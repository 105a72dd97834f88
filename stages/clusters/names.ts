/** Names of clusters follow labels: what changed since they were last looked at, and whether it undoes a decision. */
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { loadSql } from '../../schemas/sql.js'
import type { Memory } from './memory.js'
import { openRowWriter } from './rowBinary.js'
import { insertEntities, insertNames, type Pen } from './rows.js'

const namesSql = loadSql(import.meta.url, 'names.sql')
const text = z.string(), int = z.number().int()
const Said = z.object({ address: text, name: text, renamed: z.coerce.boolean(), entity: text, category: text, source: text, confidence: int, label: text, sure: int, precedence: int, /** Unix milliseconds. */ valid_from: int })
export type Said = z.infer<typeof Said>

/** Addresses of which labels say otherwise than when clusters last looked. */
export const readNames = (store: Store, chain: string): Promise<Said[]> => store.query(namesSql, { chain }, Said)

/**
 * Gives `said` to the clusters in memory. False when what was decided before would be decided otherwise now, and they have to be built anew:
 * a cluster would have two names, or an address changes its name whose cluster took part in a merge that was not made.
 */
export const takeNames = async (store: Store, chain: string, memory: Memory, said: readonly Said[]): Promise<boolean> => {
  const { clusters } = memory
  const held = new Set<number | string>()
  for (const { id } of await store.query('SELECT DISTINCT lower(hex(arrayJoin(clusters))) AS id FROM btc_cluster_quarantine WHERE chain = {chain:String}', { chain }, z.object({ id: z.string() }))) {
    // An address that was joined to nobody is known by its id alone.
    held.add(id).add(clusters.rootOf(Buffer.from(id, 'hex'), 0))
  }
  held.delete(-1)
  let stands = true
  for (const { address, name, renamed } of said) {
    // By what else changed labels are chosen, and nothing was decided by it.
    if (!renamed) continue
    const id = Buffer.from(address, 'hex')
    if (held.has(address) || held.has(clusters.rootOf(id, 0))) stands = false
    clusters.label(id, 0, name)
  }
  return clusters.rename() && stands
}

/** Keeps `said` as what clusters were last looked at with. */
export const keepNames = async (store: Store, pen: Pen, said: readonly Said[]): Promise<void> => {
  const writer = openRowWriter()
  for (const { address, name, entity, category, source, confidence, label, sure, precedence, valid_from: since } of said) {
    writer.text(pen.chain)
    writer.fixed(20, (buffer, at) => { buffer.write(address, at, 'hex') })
    for (const text of [name, entity, category, source]) writer.text(text)
    writer.u8(confidence)
    writer.text(label)
    writer.u8(sure); writer.u8(precedence)
    writer.fixed(8, (buffer, at) => { buffer.writeBigInt64LE(BigInt(since), at) })
    writer.u64(pen.version)
  }
  await insertNames(store, writer, pen)
}

/** Shows readers whose clusters are and how large, where that is otherwise than they see it. */
export const showEntities = async (store: Store, pen: Pen, memory: Memory): Promise<void> => {
  const { clusters, entities } = memory
  const writer = openRowWriter()
  const row = (cluster: string, name: string, labelled: number, size: number): void => {
    writer.text(pen.chain)
    writer.fixed(20, (buffer, at) => { buffer.write(cluster, at, 'hex') })
    writer.text(name); writer.u32(labelled); writer.u32(size); writer.u64(pen.version)
  }
  const stands = new Set<string>(), id = Buffer.alloc(20)
  for (const [root, labelled] of clusters.labelled()) {
    clusters.addresses.write(root, id, 0)
    const cluster = id.toString('hex'), name = clusters.nameOf(root), size = clusters.sets.size(root), seen = entities.get(cluster)
    stands.add(cluster)
    if (seen?.name === name && seen.labelled === labelled && seen.size === size) continue
    row(cluster, name, labelled, size)
    entities.set(cluster, { name, labelled, size })
  }
  for (const cluster of [...entities.keys()].filter((one) => !stands.has(one))) { row(cluster, '', 0, 0); entities.delete(cluster) }
  await insertEntities(store, writer, pen)
}
