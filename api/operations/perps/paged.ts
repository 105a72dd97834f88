/** Pages of lists about the venue: a cursor holds since when, or by which run, the list reads, and the sort position of its last row. */
import { z } from 'zod'
import { cursorField } from '../../fields.js'
import type { Ask } from '../../operation.js'
import { pageFields, pageOf } from '../../pages.js'

/** What a list in pages takes and answers besides its own. */
export const pagedInput = { cursor: cursorField }
export const pagedOutput = pageFields
export const Count = z.string().regex(/^\d{1,20}$/)
export const Ms = z.number().int().min(0).max(4_102_444_800_000)
export const Name = z.string()

/** Of a ranked list: the run it was begun with, and of its last row what it is ranked by, the account and its rank. */
export const Standing = z.tuple([Count, z.number(), z.string().regex(/^(0x[0-9a-f]{40})?$/), z.number().int().min(0).max(4_294_967_295)])
/** Above all; the newest run that is over. */
export const top = (): z.infer<typeof Standing> => ['18446744073709551615', 0, '', 0]

const dayMs = 86_400_000
/** Clocks differ: what is said to come from the next day is the newest. */
export const newest = (): number => Date.now() + dayMs

/** `inputs`: what chooses rows; `first`: the position above all rows. Gives the position to read below, and what makes a page of the rows read (one more than `limit`). */
export const turn = <Position extends readonly unknown[]>(name: string, inputs: object, position: z.ZodType<Position>, first: () => Position, cursor: string | undefined, ask: Ask) => {
  const { cursors } = ask.services
  return {
    at: cursor === undefined ? first() : cursors.read(name, inputs, cursor, position),
    page: <Row extends { readonly at: unknown }>(rows: readonly Row[], limit: number, keep: (last: Row) => readonly unknown[] = ({ at }) => at as readonly unknown[]) => {
      const { page, more } = pageOf(rows, limit, (last) => cursors.write(name, inputs, keep(last)))
      return { rows: page.map(({ at: _, ...row }) => row), more }
    },
  }
}
