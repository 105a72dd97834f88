/** An address of Bitcoin by its cluster: evidence of a kind of its own, which is no label of the address. */
import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import type { Ask } from '../../operation.js'
import { untrusted } from '../../untrusted.js'
import { clusterHeight } from '../bitcoin/clusters.js'

const getWalletCluster = loadSql(import.meta.url, 'getWalletCluster.sql')

export const provenance = 'cluster (multi-input heuristic)'
const Owner = z.object({
  entity: z.string(), classification: z.string(), confidence: z.number().int().describe('50 at most: no proof'), labelled_addresses: z.number().int(),
})
export const OwnCluster = z.object({
  cluster: z.string().nullable().describe('null: in none as of that height'), size: z.number().int().describe('Counted up to 100,000 where nobody names it'), as_of_height: clusterHeight, provenance: z.literal(provenance), owner: Owner.nullable().describe('By labels of its addresses, as known now; those of this one go first'),
})
export type OwnCluster = z.infer<typeof OwnCluster>
const Row = Owner.extend({ cluster: z.string().nullable(), size: z.number(), as_of_height: z.number().nullable() })

/** The cluster of an address (hex without 0x) of `chain`; null: clusters have looked at no block, so nothing is known. */
export const readCluster = async (of: { readonly chain: string; readonly address: string }, ask: Ask): Promise<OwnCluster | null> => {
  const [row] = await ask.store.query(getWalletCluster, of, Row, {}, ask.signal)
  if (row === undefined || (row.cluster === null && row.as_of_height === null)) return null
  const { cluster, size, as_of_height: height, entity, ...owner } = row
  return { cluster, size, as_of_height: height, provenance, owner: entity === '' ? null : { entity: untrusted(entity, 64), ...owner } }
}
