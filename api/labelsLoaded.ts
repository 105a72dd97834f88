/** What follows from the labels in memory alone stands until they are loaded again. */
import { z } from 'zod'
import { loadSql } from '../schemas/sql.js'
import { openKept, type Kept } from './kept.js'
import type { Ask } from './operation.js'

const labelsLoaded = loadSql(import.meta.url, 'labelsLoaded.sql')
const Loaded = z.object({ loaded: z.number().int(), now: z.number().int() })
/** The server tells to the second when a load ended: in a second that is over no other ends. */
const over = 2

/** Of each service, what was read of one load. */
const held = new WeakMap<object, { readonly loaded: number; readonly kept: Kept }>()

/** Where reads of the labels as they are now are kept; what is read in the moment of a load is kept for nobody else. */
export const keptOfLabels = async ({ store, services: { coverage }, signal }: Ask): Promise<Kept> => {
  const [{ loaded, now } = { loaded: 0, now: 0 }] = await store.query(labelsLoaded, {}, Loaded, {}, signal)
  const there = held.get(coverage)
  if (there?.loaded === loaded) return there.kept
  const kept = openKept(store)
  if (loaded > 0 && now >= loaded + over) held.set(coverage, { loaded, kept })
  return kept
}
