/** Lists of several chains as one, newest first. A cursor holds where each of them has been read to. */
import { z } from 'zod'
import type { Chain } from '../schemas/chains.js'
import { workedUpTo, type LedgerView } from './ledgerView.js'
import { pageOf, type Page } from './pages.js'
import { storedChains } from './span.js'

/** Where each chain's rows have been read to; a chain without an entry has not been read. */
export const positionsOf = <Position extends z.ZodType>(position: Position) => z.record(z.string(), position)

/** For each stored chain that `chain` means a position above what the index had of it, whose height `at` is given; 0 where it had nothing. */
export const endsOf = <At>(chain: Pick<Chain, 'id'>, { bounds }: LedgerView, at: (height: number) => At): Record<string, At> => Object.fromEntries(storedChains(chain).map((id) => {
  const of = bounds.get(id)
  return [id, at(of === undefined ? 0 : Math.min(workedUpTo(of), of.newest) + 1)]
}))

/** The millisecond after the newest of which the venue was heard; 0 where it never was. */
export const venueEnd = ({ heads }: LedgerView): number => Math.max(0, Date.parse(heads.get('HL')?.time ?? '') + 1 || 0)

interface Timed { readonly chain: string; readonly timestamp: string }

/** The newest of the rows that come next. Each list keeps its own order, also where a block is older than the one before it, so that its position says what has been read. */
const merged = <Row extends Timed>(lists: readonly (readonly Row[])[], limit: number): Row[] => {
  const next = lists.map(() => 0)
  const rows: Row[] = []
  while (rows.length <= limit) {
    let best: { readonly row: Row; readonly list: number } | undefined
    for (const [list, of] of lists.entries()) {
      const row = of[next[list] ?? 0]
      if (row !== undefined && (best === undefined || row.timestamp > best.row.timestamp)) best = { row, list }
    }
    if (best === undefined) break
    next[best.list] = (next[best.list] ?? 0) + 1
    rows.push(best.row)
  }
  return rows
}

/**
 * One page of `lists`; `at`: the sort position of a row within its chain, `write` makes a cursor of where each chain has been read to.
 * `above`: of the first row of a chain of which none was shown yet, a position that it lies below and what arrives in later blocks does not: pages stay what they were while blocks arrive.
 * `ends`: the same of each chain as a whole when it was asked, for one of which there was no row at all.
 */
export const pageByTime = <Row extends Timed, At>(
  lists: readonly (readonly Row[])[], limit: number, read: Readonly<Record<string, At>>, at: (row: Row) => At, write: (next: Record<string, At>) => string, above: (row: Row) => At, ends: Readonly<Record<string, At>>,
): { readonly page: Row[]; readonly more: Page } => {
  const rows = merged(lists, limit)
  const unread = lists.flatMap(([first]) => (first === undefined ? [] : [[first.chain, above(first)] as const]))
  return pageOf(rows, limit, () => write({ ...ends, ...Object.fromEntries(unread), ...read, ...Object.fromEntries(rows.slice(0, limit).map((row) => [row.chain, at(row)])) }))
}
