/** One load of what one source says of addresses: rows of labels under a new version, and what it says no longer marked as removed. */
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { loadSql } from '../../../schemas/sql.js'
import type { Label } from './register.js'

const gone = loadSql(import.meta.url, 'register_labels_gone.sql')
const Loads = z.object({ count: z.coerce.number(), last: z.string() })

/** How often `register` was loaded, and the hash of the bytes loaded last ('' before the first). */
export const loadsOf = async (store: Store, register: string): Promise<z.infer<typeof Loads>> =>
  (await store.query('SELECT count() AS count, argMax(sha256, loaded_at) AS last FROM register_loads WHERE register = {name:String}', { name: register }, Loads))[0] ?? { count: 0, last: '' }

export interface LabelLoad { readonly source: string; readonly licence: string; readonly version: number; readonly labels: readonly Label[] }

/** Writes a load; version counts the loads of the source from 1. May be repeated. */
export const storeLabels = async (store: Store, { source, licence, version, labels }: LabelLoad): Promise<void> => {
  await store.insert('labels', labels.map(({ validFrom, reference = '', ...label }) => (
    { ...label, reference, source, licence, valid_from: `${validFrom}T00:00:00Z`, removed: false, version })))
  if (version > 1) await store.execute(gone, { source, version })
}
