/** One load of what one source says of addresses: rows of labels under a new version, and what it says no longer marked as removed. */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { bitcoinId, bitcoinScriptType, bitcoinText } from '../../../schemas/bitcoin.js'
import { loadSql } from '../../../schemas/sql.js'
import type { Label } from './register.js'

const sql = (name: string) => loadSql(import.meta.url, `${name}.sql`)
const [gone, spellings, lastLoad] = [sql('register_labels_gone'), sql('entity_spellings'), sql('last_load')]
const intoAddresses = `INSERT INTO btc_parties (id, address, script_type) SELECT toFixedString(unhex(id), 20), address, script_type FROM input('id String, address String, script_type String') FORMAT JSONEachRow`
const Loads = z.object({ next: z.coerce.number(), last: z.string(), version: z.string(), alone: z.boolean() })

/**
 * The hash and version of what was loaded last of `register`, and the version of labels that the next load has: above all that stand, as a load that was ended in the middle left labels and is
 * not among the loads. Hash and version are '' before the first, and where labels of such a load stand: what was loaded last is not what stands then. Nor is it
 * where another load had the same version of labels: `alone` is false.
 */
export const loadsOf = async (store: Store, register: string): Promise<z.infer<typeof Loads>> => (await store.query(lastLoad, { register }, Loads))[0] ?? { next: 1, last: '', version: '', alone: true }

export interface LabelLoad { readonly source: string; readonly licence: string; readonly version: number; readonly labels: readonly Label[] }

/** An address as tables have it: Bitcoin's under its id, which movements have, too. */
export const keyOf = ({ chain, address }: Pick<Label, 'chain' | 'address'>): string => (chain === 'BTC' ? bitcoinId(bitcoinText(address)) : address)

/** Makes texts of labelled addresses of Bitcoin known that no block has shown yet. */
const storeTexts = async (store: Store, labels: readonly Label[]): Promise<void> => {
  const texts = [...new Set(labels.filter(({ chain }) => chain === 'BTC').map(({ address }) => bitcoinText(address)))]
  const rows = texts.map((address) => JSON.stringify({ id: bitcoinId(address).slice(2), address, script_type: bitcoinScriptType(address) ?? '' }))
  if (rows.length > 0) await store.insertStream(intoAddresses, Readable.from([rows.join('\n')]), {}, randomUUID())
}

/** A name as it was spelled first: sums compare names exactly, so one entity has one spelling whichever source names it. */
const spelledAsFirst = async (store: Store, labels: readonly Label[]): Promise<(name: string) => string> => {
  const known = (await store.query(spellings, {}, z.object({ spelling: z.string() }))).map(({ spelling }) => spelling)
  // Of equal keys the last stays: the earliest name has to come last.
  const first = new Map([...known, ...labels.map(({ entity }) => entity)].reverse().map((name) => [name.toLowerCase(), name]))
  return (name) => first.get(name.toLowerCase()) ?? name
}

/** Writes a load; version is above that of every load of the source before (loadsOf). May be repeated. */
export const storeLabels = async (store: Store, { source, licence, version, labels }: LabelLoad): Promise<void> => {
  await storeTexts(store, labels)
  const spelled = await spelledAsFirst(store, labels)
  await store.insert('labels', labels.map(({ validFrom, reference = '', official = false, ...label }) => (
    { ...label, entity: spelled(label.entity), address: keyOf(label), reference, official, source, licence, valid_from: `${validFrom}T00:00:00Z`, removed: false, version })))
  if (version > 1) await store.execute(gone, { source, version })
}
