/** Loads the bundled registers into labels, tokens and register_loads; what is loaded already is left alone. */
import { createHash } from 'node:crypto'
import type { Store } from '../../../schemas/clickhouse.js'
import { insertTokens } from '../insertTokens.js'
import { curated } from './curated.js'
import { graphsense } from './graphsense.js'
import { bytesOf, textOf, type Register } from './register.js'
import { loadsOf, storeLabels } from './storeLabels.js'
import { ethereumLists, metamask } from './tokenLists.js'

export const registers: readonly Register[] = [curated, metamask, ethereumLists, graphsense]

/** What a load did: rows written, 0 where the same bytes had been loaded before. */
export interface Loaded { readonly register: string; readonly sha256: string; readonly rows: number }

const loadOne = async (store: Store, register: Register): Promise<Loaded> => {
  const files = register.files.map((file) => ({ file, bytes: bytesOf(file) }))
  const sha256 = files.reduce((hash, { file, bytes }) => hash.update(file).update(bytes), createHash('sha256')).digest('hex')
  const { next, last, version: loaded } = await loadsOf(store, register.name)
  // The version also changes where the same files are read otherwise.
  if (last === sha256 && loaded === register.version) return { register: register.name, sha256, rows: 0 }
  const { labels, tokens } = register.read(files.map(({ file, bytes }) => textOf(file, bytes)))
  await storeLabels(store, { source: register.name, licence: register.licence, version: next, labels })
  await insertTokens(store, tokens.map((token) => ({ ...token, source: register.name, version: register.rank * 1_000_000 + next })))
  const rows = labels.length + tokens.length
  await store.insert('register_loads', [{ register: register.name, version: register.version, sha256, rows, labels_version: next, loaded_at: new Date().toISOString() }])
  return { register: register.name, sha256, rows }
}

/** Makes the dictionary of labels show what its table holds now. */
export const reloadLabels = async (store: Store): Promise<void> => { await store.execute('SYSTEM RELOAD DICTIONARY label_of') }

/** The same for labels and tokens. */
export const reloadDictionaries = async (store: Store): Promise<void> => {
  await reloadLabels(store)
  await store.execute('SYSTEM RELOAD DICTIONARY token_of')
}

/** Loads every register and reloads the dictionaries. Safe to repeat; two processes at once write the same rows. */
export const loadRegisters = async (store: Store): Promise<readonly Loaded[]> => {
  const loaded: Loaded[] = []
  for (const register of registers) loaded.push(await loadOne(store, register))
  await reloadDictionaries(store)
  return loaded
}
