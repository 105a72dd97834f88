/** Clusters in a store as readers see them, and what moves them. */
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { idOf } from './btcLedger.js'

const shown: Readonly<Record<string, string>> = {
  btc_cluster_blocks: 'SELECT block_number, block_hash FROM btc_cluster_blocks FINAL ORDER BY ALL',
  btc_cluster_log: 'SELECT * EXCEPT (version, old, addresses), arraySort(old), arraySort(addresses) FROM btc_cluster_log FINAL ORDER BY ALL',
  btc_cluster_quarantine: 'SELECT * EXCEPT (version, clusters, names, sizes), arraySort(arrayZip(clusters, names, sizes)) FROM btc_cluster_quarantine FINAL ORDER BY ALL',
  btc_cluster_members: "SELECT address, cluster FROM btc_cluster_members FINAL WHERE cluster != toFixedString('', 20) ORDER BY ALL",
  btc_cluster_lists: 'SELECT address, cluster FROM btc_cluster_lists FINAL WHERE present ORDER BY ALL',
  btc_cluster_entities: "SELECT cluster, name, labelled, size FROM btc_cluster_entities FINAL WHERE name != '' ORDER BY ALL",
  btc_change_links: 'SELECT * EXCEPT version FROM btc_change_links FINAL ORDER BY ALL',
  btc_peels: 'SELECT * EXCEPT version FROM btc_peels FINAL ORDER BY ALL',
}

/** Rows and a digest of each table, without what depends on when it was written. */
export const clusterState = async (store: Store): Promise<{ readonly rows: Record<string, number>; readonly digests: Record<string, string> }> => {
  const rows: Record<string, number> = {}, digests: Record<string, string> = {}
  for (const [table, sql] of Object.entries(shown)) {
    const [row] = await store.query(`SELECT count() AS rows, lower(hex(SHA256(arrayStringConcat(groupArray(toString(tuple(*))))))) AS digest FROM (${sql})`, {}, z.object({ rows: z.coerce.number(), digest: z.string() }))
    rows[table] = row?.rows ?? -1
    digests[table] = row?.digest ?? ''
  }
  return { rows, digests }
}

/** Takes blocks from `from` on away, as a rollback does. */
export const dropBlocks = async (store: Store, from: number): Promise<void> => {
  for (const table of ['btc_inputs', 'btc_outputs', 'btc_transactions', 'btc_coinjoins', 'btc_blocks']) await store.execute('DELETE FROM {table:Identifier} WHERE chain = \'BTC\' AND block_number >= {from:UInt64}', { table, from })
}

/** A label of one register about an address, with `more` in place of what is usual; entity '' takes it away. */
export const nameAddress = (store: Store, address: string, entity: string, version: number, more: object = {}): Promise<void> => store.insert('labels', [{
  chain: 'BTC', address, label: 'hot wallet', entity, category: 'exchange', source: 'register', confidence: 50, licence: 'MIT', valid_from: '2020-01-01T00:00:00Z', removed: entity === '', version, ...more,
}])
export { idOf }
