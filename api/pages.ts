/** Pages: a list is read with one row more than was asked for, and that row says that there is another page. */
import { z } from 'zod'

/** What every list says beside its rows. */
export const pageFields = { next_cursor: z.string().nullable(), has_more: z.boolean() }
export interface Page {
  readonly next_cursor: string | null; readonly has_more: boolean
  /** The time a bare list is of, and what of it is indexed. */
  readonly window?: z.infer<typeof import('./span.js').Window>
  /** Of a bare list: what its coverage status is to say as well, and why it is empty where the operation knows. Both go elsewhere than beside the rows. */
  readonly warnings?: readonly string[]; readonly empty?: import('./empty.js').Empty | null
}

/** Below every height and every place in a block. */
export const newestHeight = '18446744073709551615'
export const lastPlace = 4_294_967_295
/** Above every sum of millionths of a dollar. */
export const highestRank = '170141183460469231731687303715884105727'

/** Sort position within a ranked list: the time the ranking is of (Unix milliseconds), or the height, where the chain may be Bitcoin, whose blocks need not be later than those before them, the rank in millionths, the id that parts equals. Blocks that arrive later change nothing for it. */
export const Ranked = z.tuple([z.number().int().min(0), z.string().regex(/^-?\d{1,39}$/), z.string()])
/** Heights and places in a block. */
export const Place = z.tuple([z.number().int().min(0), z.number().int().min(0)])

/** The first `limit` of `rows`, and the cursor that `write` makes of the last of them where there are more. */
export const pageOf = <Row>(rows: readonly Row[], limit: number, write: (last: Row) => string): { readonly page: Row[]; readonly more: Page } => {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, more: rows.length > limit && last !== undefined ? { next_cursor: write(last), has_more: true } : { next_cursor: null, has_more: false } }
}

const besides = new WeakMap<object, Page>()

/** `rows` as an answer that is a bare list: `more` goes beside it, in headers over REST and as members in the answer of a tool. */
export const listed = <Row>(rows: Row[], more: Page): Row[] => {
  besides.set(rows, more)
  return rows
}

/** What goes beside a bare list; undefined where nothing was said. */
export const pageBeside = (answer: unknown): Page | undefined => (Array.isArray(answer) ? besides.get(answer) : undefined)
