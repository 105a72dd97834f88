/** Lists of the first so many, without pages: an answer says whether there is more. */
import { z } from 'zod'

/** `how` to see the rest, where there is a way. */
export const cut = (how = '') => z.boolean().describe(`Whether more would be listed${how === '' ? '' : `: ${how}`}`)

/** The first `most` of rows that were read with one more. */
export const firstOf = <Row>(all: readonly Row[], most: number): { readonly rows: Row[]; readonly count: number; readonly has_more: boolean } => {
  const rows = all.slice(0, most)
  return { rows, count: rows.length, has_more: all.length > most }
}
