/** What a hop did not move further: steps behind which nothing moved end there, and of those that go on what stayed behind is told apart. */
import { z } from 'zod'
import type { ByCluster } from '../../bitcoin/owners.js'
import type { Party } from './branches.js'
import type { End } from './ends.js'
import { shareOf, type Step } from './step.js'

/** [address, token (hex without 0x), fifo, haircut and lifo that stayed there, moves found behind it]: of one queue of a hop; 0 moves: nothing went on. */
export const Left = z.array(z.string())

/** What stayed at an address from which other parts of what came went on, or ended there by another reason (`end`): shares of the traced address's moves of `root`. */
export interface Rest extends ByCluster {
  readonly address: string; readonly root: string; readonly classification: string; readonly entity: string; readonly mask: bigint; readonly end: End
  readonly fifo_share: number | null; readonly lifo_share: number | null; readonly haircut_share: number | null
}
/** Queues of a frontier by onwardOf, with the bits that poison them. */
export type Carried = ReadonlyMap<string, bigint>
export interface Kept { readonly key: string; readonly address: string; readonly root: string; readonly fifo: string; readonly haircut: string; readonly lifo: string; readonly goesOn: boolean }

/** Queues by key; `rows` are (key, mask) of each row of a frontier. */
export const carriedOver = (rows: Iterable<readonly [key: string, mask: string]>): Carried => {
  const masks = new Map<string, bigint>()
  for (const [key, mask] of rows) masks.set(key, (masks.get(key) ?? 0n) | BigInt(mask))
  return masks
}

interface Told { readonly steps: Step[]; readonly onward: (readonly string[])[]; readonly source: boolean }

/** Ends those of the steps from `first` on behind which `kept` found nothing, or which found no room in the frontier (`carried`). Answers what stayed at the others. */
export const settle = ({ steps, onward, source }: Told, first: number, kept: readonly Kept[], carried: Carried, partyOf: (address: string) => Party, wholeOf: (root: string) => bigint): Rest[] => {
  const still = new Set(kept.filter(({ goesOn }) => !goesOn).map(({ key }) => key))
  const open = onward.flatMap((keys, index) => (index >= first && keys.length > 0 ? [{ index, keys }] : []))
  // A queue that a step shares with one that goes on is told as what stayed there, so neither's share of it is told twice.
  for (let shared = open.filter(({ keys }) => !keys.every((key) => still.has(key))); shared.length > 0;) {
    for (const key of shared.flatMap(({ keys }) => keys)) still.delete(key)
    shared = open.filter(({ keys }) => keys.some((key) => still.has(key)) && !keys.every((key) => still.has(key)))
  }
  const ended = new Set<string>()
  for (const { index, keys } of open) {
    const step = steps[index]
    const end = keys.every((key) => still.has(key)) ? source ? 'no_history' as const : 'held' as const : keys.some((key) => carried.has(key)) ? null : 'work' as const
    if (end === null || step === undefined) continue
    steps[index] = { ...step, stopped_because: end }
    onward[index] = []
    for (const key of keys) ended.add(key)
  }
  return kept.filter(({ key, fifo, haircut, lifo }) => !ended.has(key) && [fifo, haircut, lifo].some((amount) => amount !== '0')).map(({ key, address, root, fifo, haircut, lifo }) => {
    const { classification, entity, cluster } = partyOf(address), whole = wholeOf(root)
    return { address, root, classification, entity, ...(cluster === undefined ? {} : { cluster }), mask: carried.get(key) ?? 0n, end: 'held' as const, fifo_share: shareOf(fifo, whole), lifo_share: shareOf(lifo, whole), haircut_share: shareOf(haircut, whole) }
  })
}
