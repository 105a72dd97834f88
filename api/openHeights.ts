/** Of which heights a stage has not had its turn, or gave up: their blocks may be in the store, and what the stage makes of them is not. */
import { z } from 'zod'
import { loadSql } from '../schemas/sql.js'
import type { Kept } from './kept.js'
import type { Ask } from './operation.js'

const openHeights = loadSql(import.meta.url, 'openHeights.sql')
/** Both ends belong to it. */
const Stretch = z.object({ from: z.number(), to: z.number() })
export type Stretch = z.infer<typeof Stretch>

/** Of a stored chain from a height on, lowest first: read once for all who ask of the same until the next batch lands. */
export const stretchesOf = (stage: 'alert' | 'enrich' | 'index', chain: string, low: number, kept: Kept): Promise<readonly Stretch[]> =>
  kept.once(`open ${stage} ${chain} ${low}`, (store) => store.query(openHeights, { chain, stage, low }, Stretch))

/** Of a stored chain from a height on, lowest first; a block of one may not have come either. Read once for all who ask of the same until the next batch lands, and not where every block has passed. */
export const openHeightsOf = async (stage: 'enrich' | 'index', chain: string, low: number, ask: Ask): Promise<readonly Stretch[]> => {
  const { bounds, kept } = await ask.services.coverage.view()
  if (bounds.get(chain)?.settled !== false) return []
  return stretchesOf(stage, chain, low, kept)
}

/** Whether any of the heights low…high is among them. */
export const touches = (open: readonly Stretch[], low: number, high: number): boolean => open.some(({ from, to }) => from <= high && to >= low)
