/** Resources that are read from the store: what its tables hold, and what sources say of an address. */
import { z } from 'zod'
import { Instant } from '../../schemas/primitives.js'
import { loadSql } from '../../schemas/sql.js'
import { findChain } from '../../schemas/chains.js'
import { labelKey, plainAddress } from '../addresses.js'
import { emptyBecause } from '../empty.js'
import type { Ask } from '../operation.js'
import { untrusted } from '../untrusted.js'

const listColumns = loadSql(import.meta.url, 'listColumns.sql')
const listLabels = loadSql(import.meta.url, '../operations/wallets/listLabels.sql')

/** Tables of chain data and registers; what is about callers is not among them. */
const tables = ['blocks', 'transactions', 'logs', 'transfers', 'swaps', 'prices', 'tokens', 'labels', 'designations', 'address_transfers', 'token_segments', 'pair_segments', 'class_segments', 'entity_token_segments', 'chunks', 'alerts']
const Table = z.object({ name: z.string(), sort_key: z.string(), columns: z.array(z.tuple([z.string(), z.string()]).transform(([name, type]) => ({ name, type }))) })

const text = z.string().transform((value) => untrusted(value, 100))
const Label = z.object({ label: text, entity: text, classification: z.string(), source: z.string(), confidence: z.number(), official: z.boolean(), valid_from: Instant })

/** The tables behind the answers: { tables: [{ name, sort_key, columns }] }. */
export const readSchema = async (ask: Ask): Promise<object> => ({
  note: 'Hashes and addresses are bytes, amounts UInt256 in the smallest unit, USD Float64, times UTC. Answers of tools name their fields in outputSchema.', tables: await ask.store.query(listColumns, { tables }, Table),
})

/** What each source says of an address; undefined where `chain` is not known. */
export const readLabels = async (chain: string, address: string, ask: Ask): Promise<object | undefined> => {
  const found = findChain(chain)
  if (found === undefined) return undefined
  const wanted = plainAddress(address)
  const [labels, status] = await Promise.all([ask.store.query(listLabels, { chain: found.id, address: labelKey(wanted, found.id) }, Label), ask.services.coverage.status(found.id)])
  return { chain: found.id, address: wanted, labels, ...(labels.length === 0 ? emptyBecause('no_signal') : {}), coverage_status: status }
}
