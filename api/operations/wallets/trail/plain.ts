/** A branch may have swaps among its moves: what was swapped goes on with what was given for it, the other moves at the far end, or they end there. */
import type { Continued, Found, Item, Party } from './branches.js'
import { fifoOf } from './branches.js'
import type { End } from './ends.js'
import type { Rest } from './rests.js'
import { shareOf } from './step.js'

type Amounts = Pick<Found, 'fifo' | 'lifo' | 'haircut'> & { readonly mask: bigint }
/** items: moves that go on at the far end. end: why moves that were no swap go on nowhere, and amounts of them; null: they do, or there are none. */
interface Plain { readonly items: Item[]; readonly end: End | null; readonly amounts: Amounts }

const without = (all: string | null, parts: readonly string[]): string | null => (all === null ? null : `${parts.reduce((left, part) => left - BigInt(part || '0'), BigInt(all))}`)

/** Moves of `branch` that are not in the transactions of its swaps (`through`); `endOfPlain` says why they would end. */
export const plainOf = (branch: Found, through: readonly Continued[], endOfPlain: () => End | null): Plain => {
  const hashes = new Set(through.map(({ item }) => item[4]))
  const [swapped, plain] = [branch.items.filter((item) => hashes.has(item[4])), branch.items.filter((item) => !hashes.has(item[4]))]
  const amounts = {
    fifo: without(branch.fifo, swapped.map((item) => fifoOf(item.slice(10)))), haircut: without(branch.haircut, swapped.map((item) => item[7] ?? '0')), lifo: without(branch.lifo, swapped.map((item) => item[8] ?? '0')),
    mask: plain.reduce((mask, item) => mask | BigInt(item[5] ?? '0'), 0n),
  }
  const end = through.length > 0 && plain.length > 0 ? endOfPlain() : null
  return { items: end === null ? plain : [], end, amounts }
}

/** What ended at `party` though other moves of its branch go on. */
export const restOf = ({ classification, entity, cluster }: Party, { far, root }: Found, whole: bigint, { fifo, haircut, lifo, mask }: Amounts, end: End): Rest => ({
  address: far, root, classification, entity, ...(cluster === undefined ? {} : { cluster }), mask, end, fifo_share: shareOf(fifo, whole), lifo_share: shareOf(lifo, whole), haircut_share: shareOf(haircut, whole),
})
