/** A TagPack that the operator of this installation brings: the labels of one named source, which a later pack of that name replaces. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { loadSql } from '../../../schemas/sql.js'
import { reloadLabels } from './loadRegisters.js'
import { keyOf, loadsOf, storeLabels } from './storeLabels.js'
import { mostSent, readTagPack } from './tagPack.js'

const besideSql = loadSql(import.meta.url, 'loads_beside.sql')
/** Milliseconds at most until a pack is taken again that met another: two that met need not meet again. */
const pauseMs = 200

/** How packs are read: another number where the same bytes give other labels than before, so that they are taken again. */
const reading = 2

/** What an import did; `labels`: as many as are stored, one for each address and label; `unchanged`: the same bytes were imported last under this name, read as now, and stand. */
export interface Imported { readonly source: string; readonly title: string; readonly sha256: string; readonly labels: number; readonly unchanged: boolean }

/** Imports the pack `text` as source `import:<name>`; throws TAGPACK_REFUSED on a pack that is not right. A pack without tags takes away what the one before said. */
export const importTagPack = async (store: Store, name: string, text: string, most = mostSent): Promise<Imported> => {
  const { title, labels } = readTagPack(text, most)
  const source = `import:${name}`
  const sha256 = createHash('sha256').update(text).digest('hex')
  const version = `${sha256.slice(0, 12)}/${reading}`
  const done = { source, title, sha256, labels: new Set(labels.map((one) => JSON.stringify([one.chain, keyOf(one), one.label]))).size }
  for (let round = 0; ; round += 1) {
    const { next, version: last, alone } = await loadsOf(store, source)
    if (round === 0 && last === version && alone) return { ...done, unchanged: true }
    await storeLabels(store, { source, licence: '', version: next, labels })
    await reloadLabels(store)
    // Last: one that was ended before is no import, and the same bytes are taken again.
    await store.insert('register_loads', [{ register: source, version, sha256, rows: done.labels, labels_version: next, loaded_at: new Date().toISOString() }])
    // Who imported another pack at the same time may have had the same version of labels, and took away nothing of this one. Whoever noted it later sees both, and takes the pack again above them.
    const others = await store.query(besideSql, { register: source, version, next }, z.object({ version: z.string() }))
    if (others.length === 0) return { ...done, unchanged: false }
    await sleep(Math.random() * pauseMs)
  }
}
