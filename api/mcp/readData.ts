/** Resources that are read from the store: what its tables hold, and what sources say of an address. */
import { z } from 'zod'
import { loadSql } from '../../schemas/sql.js'
import { findChain } from '../../schemas/chains.js'
import { chainOfAddress, plainAddress } from '../addresses.js'
import { emptyBecause } from '../empty.js'
import type { Ask } from '../operation.js'
import { moreIsSaid, mostStatements, readSaid } from '../operations/labels/statement.js'
import { emptyUnlessStored } from '../span.js'
import { emptyIfUnlabelled, withUnlabelled } from '../unlabelled.js'

const listColumns = loadSql(import.meta.url, 'listColumns.sql')

/** Tables of chain data and registers; what is about callers is not among them. */
const tables = ['blocks', 'transactions', 'logs', 'transfers', 'swaps', 'prices', 'tokens', 'labels', 'designations', 'address_transfers', 'token_segments', 'pair_segments', 'class_segments', 'entity_token_segments', 'chunks', 'alerts']
const Table = z.object({ name: z.string(), sort_key: z.string(), columns: z.array(z.tuple([z.string(), z.string()]).transform(([name, type]) => ({ name, type }))) })

/** The tables behind the answers: { tables: [{ name, sort_key, columns }] }. */
export const readSchema = async (ask: Ask): Promise<object> => ({
  note: 'Hashes and addresses are bytes, amounts UInt256 in the smallest unit, USD Float64, times UTC. Answers of tools name their fields in outputSchema.', tables: await ask.store.query(listColumns, { tables }, Table),
})

/** What each source says of an address, rules among them, as get_labels finds it; undefined where `chain` is not known. */
export const readLabels = async (chain: string, address: string, ask: Ask): Promise<object | undefined> => {
  const asked = findChain(chain)
  if (asked === undefined) return undefined
  const wanted = plainAddress(address)
  const { id } = chainOfAddress(asked, wanted)
  const [said, status] = await Promise.all([readSaid(id, wanted, null, ask), ask.services.coverage.status(asked.id).then((told) => withUnlabelled(told, id, ask))])
  const labels = said.slice(0, mostStatements).map(({ label, entity, classification, source, confidence, official, valid_from }) => ({ label, entity, classification, source, confidence, official, valid_from }))
  return { chain: id, address: wanted, labels, ...(labels.length === 0 ? emptyUnlessStored({ chain: id }) ?? emptyIfUnlabelled({ coverage_status: status }) ?? emptyBecause('no_signal') : {}), coverage_status: said.length > labels.length ? { ...status, warnings: [...status.warnings, moreIsSaid] } : status }
}
