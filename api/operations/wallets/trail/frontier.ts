/** From the branches that are followed to the moves that the next hop explains. */
import type { Continued, Found, Item } from './branches.js'

/** Rows of one hop's frontier at most: they travel with the statement. */
const mostRows = 1_500
const bare = (address: string): string => address.slice(2)

/** Rows of traceHop.sql's frontier for one move of `address`: one per part, haircut and LIFO on the first. */
const rowsOf = (address: string, token: string, root: string, [block = '', kind = '', position = '', sub = '', , mask = '', , haircut = '', lifo = '', , ...parts]: Item, noFifo: boolean): string[][] => {
  const place = [bare(address), bare(token), block, kind, position, sub, bare(root)]
  if (parts.length === 0 || noFifo) return [[...place, '0', '0', noFifo ? '' : '0', haircut, mask, lifo]]
  return Array.from({ length: parts.length / 3 }, (_, index) => [...place, parts[index * 3] ?? '0', parts[index * 3 + 1] ?? '0', parts[index * 3 + 2] ?? '', index === 0 || haircut === '' ? haircut : '0', mask, index === 0 || lifo === '' ? lifo : '0'])
}

/** A branch that is followed, with those of its moves that go on at the far end. */
export interface Followed extends Found { readonly plain: readonly Item[] }
/** rows as traceHop.sql has them; moves: of the branches, by root, all of which they hold. */
export interface Frontier { readonly rows: string[][]; readonly moves: ReadonlyMap<string, number> }

/** The next frontier: `followed` branches by index, the most worth first. Their plain moves go on at the far end; what was given in swaps (`continued`) goes on at who gave it. */
export const frontierOf = (followed: ReadonlyMap<number, Followed>, continued: readonly Continued[]): Frontier => {
  const swapped = new Map<number, Continued[]>()
  for (const one of continued) swapped.set(one.branch, [...swapped.get(one.branch) ?? [], one])
  const rows: string[][] = [], moves = new Map<string, number>()
  /** Whether all of them had room. */
  const push = (some: readonly string[][]): boolean => {
    const room = Math.max(mostRows - rows.length, 0)
    rows.push(...some.slice(0, room))
    return some.length <= room
  }
  for (const [index, branch] of followed) {
    const whole = new Map<string | undefined, boolean>()
    for (const { giver, token, root, item } of swapped.get(index) ?? []) whole.set(item[4], push(rowsOf(giver, token, root, item, item[12] === '')) && whole.get(item[4]) !== false)
    const held = branch.items.filter((item) => whole.get(item[4]) === true).length + branch.plain.filter((item) => push(rowsOf(branch.far, branch.token, branch.root, item, branch.fifo === null))).length
    moves.set(branch.root, (moves.get(branch.root) ?? 0) + held)
  }
  return { rows, moves }
}
