/** Loads the bundled registers into labels, tokens and register_loads; what is loaded already is left alone. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { loadSql } from '../../../schemas/sql.js'
import { insertTokens } from '../insertTokens.js'
import { curated } from './curated.js'
import { graphsense } from './graphsense.js'
import { bytesOf, textOf, type Register } from './register.js'
import { ethereumLists, metamask } from './tokenLists.js'

export const registers: readonly Register[] = [curated, metamask, ethereumLists, graphsense]

const gone = loadSql(import.meta.url, 'register_labels_gone.sql')
const Loads = z.object({ count: z.coerce.number(), last: z.string() })

/** What a load did: rows written, 0 where the same bytes had been loaded before. */
export interface Loaded { readonly register: string; readonly sha256: string; readonly rows: number }

const loadOne = async (store: Store, register: Register): Promise<Loaded> => {
  const files = register.files.map((file) => ({ file, bytes: bytesOf(file) }))
  const sha256 = files.reduce((hash, { file, bytes }) => hash.update(file).update(bytes), createHash('sha256')).digest('hex')
  const [before] = await store.query('SELECT count() AS count, argMax(sha256, loaded_at) AS last FROM register_loads WHERE register = {name:String}', { name: register.name }, Loads)
  if (before?.last === sha256) return { register: register.name, sha256, rows: 0 }
  const version = (before?.count ?? 0) + 1
  const { labels, tokens } = register.read(files.map(({ file, bytes }) => textOf(file, bytes)))
  await store.insert('labels', labels.map(({ validFrom, ...label }) => (
    { ...label, source: register.name, licence: register.licence, valid_from: `${validFrom}T00:00:00Z`, removed: false, version })))
  await insertTokens(store, tokens.map((token) => ({ ...token, source: register.name, version: register.rank * 1_000_000 + version })))
  if (version > 1) await store.execute(gone, { source: register.name, version })
  const rows = labels.length + tokens.length
  await store.insert('register_loads', [{ register: register.name, version: register.version, sha256, rows, loaded_at: new Date().toISOString() }])
  return { register: register.name, sha256, rows }
}

/** Makes the dictionaries of labels and tokens show what their tables hold now. */
export const reloadDictionaries = async (store: Store): Promise<void> => {
  await store.execute('SYSTEM RELOAD DICTIONARY label_of')
  await store.execute('SYSTEM RELOAD DICTIONARY token_of')
}

/** Loads every register and reloads the dictionaries. Safe to repeat; two processes at once write the same rows. */
export const loadRegisters = async (store: Store): Promise<readonly Loaded[]> => {
  const loaded: Loaded[] = []
  for (const register of registers) loaded.push(await loadOne(store, register))
  await reloadDictionaries(store)
  return loaded
}
