/** From the branches that are followed to the moves that the next hop explains. */
import type { Continued, Found, Item } from './branches.js'

/** Rows of one hop's frontier at most: they travel with the statement. */
const mostRows = 1_500
const bare = (address: string): string => address.slice(2)

/** Rows of traceHop.sql's frontier for one move of `address`: one per part, haircut and LIFO on the first. */
const rowsOf = (address: string, token: string, root: string, [block = '', kind = '', position = '', sub = '', , mask = '', , haircut = '', lifo = '', ...parts]: Item, noFifo: boolean): string[][] => {
  const place = [bare(address), bare(token), block, kind, position, sub, bare(root)]
  if (parts.length === 0 || noFifo) return [[...place, '0', '0', noFifo ? '' : '0', haircut, mask, lifo]]
  return Array.from({ length: parts.length / 3 }, (_, index) => [...place, parts[index * 3] ?? '0', parts[index * 3 + 1] ?? '0', parts[index * 3 + 2] ?? '', index === 0 || haircut === '' ? haircut : '0', mask, index === 0 || lifo === '' ? lifo : '0'])
}

/** The next frontier: `followed` branches by index, the most worth first. Their moves go on at the far end; what was given in swaps (`continued`) goes on at who gave it. */
export const frontierOf = (followed: ReadonlyMap<number, Found>, continued: readonly Continued[]): string[][] => {
  const swapped = new Map<number, Continued[]>()
  for (const one of continued) swapped.set(one.branch, [...swapped.get(one.branch) ?? [], one])
  const rows: string[][] = []
  for (const [index, branch] of followed) {
    const given = (swapped.get(index) ?? []).flatMap(({ giver, token, root, item }) => rowsOf(giver, token, root, item, item[11] === ''))
    for (const row of [...given, ...branch.items.flatMap((item) => rowsOf(branch.far, branch.token, branch.root, item, branch.fifo === null))]) { if (rows.length < mostRows) rows.push(row) }
  }
  return rows
}
