/** Listed addresses as labels of chains that are indexed here, so that trails, classes and the pipeline know them. Labels follow the list: what is delisted is removed. */
import type { Store } from '../../../../schemas/clickhouse.js'
import { normalAddress, type NormalAddress } from '../../../../schemas/addresses/normalAddress.js'
import { z } from 'zod'
import { loadSql } from '../../../../schemas/sql.js'
import { reloadLabels } from '../loadRegisters.js'
import type { Label } from '../register.js'
import { keyOf, loadsOf, storeLabels } from '../storeLabels.js'
import type { SanctionsList } from './list.js'
import { beginning } from '../../../../schemas/text.js'

const [labelled, toLabel] = [loadSql(import.meta.url, 'labelled.sql'), loadSql(import.meta.url, 'to_label.sql')]

const Labelled = z.object({ labels: z.array(z.tuple([z.string(), z.string(), z.string(), z.string()])), version: z.number() })
const Listed = z.object({ address: z.string(), list_id: z.string(), entity_name: z.string(), listed_on: z.string().nullable() })

/** The chain that is indexed here and has such addresses; '' where none has. */
const storedOf = ({ form, chain, reason }: NormalAddress): string => (reason !== null ? '' : form === 'EVM' ? 'ETH' : chain === 'BTC' ? 'BTC' : '')

/** Screening finds a listing under every text of its key, so each is labelled. */
const labelsOf = (rows: readonly z.infer<typeof Listed>[], day: string): readonly Label[] => [...new Map(rows.flatMap(({ address, list_id, entity_name, listed_on }) => {
  const read = normalAddress(address)
  const since = listed_on !== null && listed_on >= '1970-01-01' ? listed_on : day
  return [read, ...read.same.map(normalAddress)].map((one) => [storedOf(one), one.text] as const).flatMap(([stored, text]) => (stored === '' ? [] : [[`${stored} ${text} ${list_id}`, { chain: stored, address: text, label: entity_name === '' ? list_id : beginning(entity_name, 64), entity: '', category: 'sanctioned', rule: list_id, level: 'authority_data', confidence: 60, official: true, validFrom: since } satisfies Label] as const]))
})).values()]

/** As a row of labels is told from others: two listings of one name have one row. What is said at another level than now is no such row. */
const rowOf = (label: Label): string => [label.chain, keyOf(label), label.label, label.level].join('\u0000')

/** So often others may bring another list into force meanwhile. */
const mostRounds = 16

/** Brings the labels of a list to what is in force, whoever loads at the same time: it ends when the two are seen to be the same. register_loads tells it, of bytes that it did not tell last and of `fresh` lists always. */
export const followLabels = async (store: Store, { register }: SanctionsList, listVersion: string, sha256: string, fresh: boolean): Promise<void> => {
  const note = (rows: number, labels: number): Promise<void> => store.insert('register_loads', [{ register, version: listVersion, sha256, rows, labels_version: labels, loaded_at: new Date().toISOString() }])
  // The same content of a newer day is another load: what is told is what is in force.
  let noted = !fresh && (await loadsOf(store, register)).last === sha256
  for (let left = mostRounds; left > 0; left -= 1) {
    const rows = await store.query(toLabel, { register }, Listed)
    const wanted = labelsOf(rows, new Date().toISOString().slice(0, 10))
    const { labels: there, version } = (await store.query(labelled, { source: register }, Labelled))[0] ?? { labels: [], version: 0 }
    const [needed, held] = [new Set(wanted.map(rowOf)), new Set(there.map((row) => row.join('\u0000')))]
    if (needed.size === held.size && [...needed].every((one) => held.has(one))) {
      if (!noted) await note(rows.length, version)
      break
    }
    await storeLabels(store, { source: register, licence: 'official list', version: version + 1, labels: wanted })
    await note(rows.length, version + 1)
    noted = true
  }
  // Also where nothing was written: a process that ended between the labels and this left trails without them.
  await reloadLabels(store)
}
