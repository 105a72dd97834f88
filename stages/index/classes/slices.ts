/** All addresses in slices: what keeps something of each of them has a bound on its memory and its time only where it is given a part of them. */
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { loadSql } from '../../../schemas/sql.js'

/** The first and the last address of a slice, 40 hexadecimal digits each. */
export interface Slice { readonly low: string; readonly high: string }

const historyRows = loadSql(import.meta.url, 'historyRows.sql')
const Rows = z.object({ rows: z.number() })
const most = 256
const byte = (value: number): string => value.toString(16).padStart(2, '0')

/** Rows of logs and of movements by address that `chain` has. */
export const historyRowsOf = async (store: Store, chain: string): Promise<number> => (await store.query(historyRows, { chain }, Rows))[0]?.rows ?? 0

/** As many slices of equal width as `rows` has `rowsEach`, up to a power of two, 256 at most. Addresses are hashes: slices of equal width hold as many each. */
export const slicesOf = (rows: number, rowsEach: number): readonly Slice[] => {
  const count = Math.min(most, 2 ** Math.ceil(Math.log2(Math.max(1, rows / rowsEach))))
  return Array.from({ length: count }, (_, index) => ({ low: byte(index * most / count).padEnd(40, '0'), high: byte((index + 1) * most / count - 1).padEnd(40, 'f') }))
}
