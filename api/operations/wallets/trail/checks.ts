/** Whether a hop adds up: every unit that entered it is in a branch, beyond the limit, still held, or said to be unknown. */
import { z } from 'zod'
import { Amount, EvmAddress } from '../../../../schemas/primitives.js'
import type { Explained, Found, Root } from './branches.js'
import type { Frontier } from './frontier.js'

const Sums = z.object({
  considered: Amount, in_branches: Amount, beyond_limit: Amount, held: Amount.describe('Not moved on, or paid for gas'), unknown: Amount.describe('At addresses whose balance is not whole'), not_carried: Amount.describe('Of followed branches, by moves that are not'),
  difference: z.string().describe('0: it adds up'),
})
export const Check = z.object({ hop: z.number().int(), root_token: EvmAddress, branches: z.number().int(), moves_not_carried: z.number().int().describe('Moves of followed branches that are not followed, also where their weights are unknown'), fifo: Sums, lifo: Sums, haircut: Sums })
export type Check = z.infer<typeof Check>

const sum = (amounts: readonly (string | null | undefined)[]): bigint => amounts.reduce((total, one) => total + BigInt(one === null || one === undefined || one === '' ? 0 : one), 0n)
/** Differences may be negative: they are given as they are. */
const sumsOf = (considered: bigint, listed: bigint, beyond: bigint, held: bigint, unknown: bigint, dropped: bigint): z.infer<typeof Sums> => ({
  considered: `${considered}`, in_branches: `${listed}`, beyond_limit: `${beyond}`, held: `${held}`, unknown: `${unknown}`, not_carried: `${dropped}`, difference: `${considered - listed - beyond - held - unknown - dropped}`,
})

/** The first hop: what came to the address, or left it, of one token, but for oversized moves. */
export const checkRoot = ({ root, all_amount: all, beyond_amount: beyond, all_branches: count, branches }: Root): Check => {
  const sums = sumsOf(BigInt(all), sum(branches.map(({ fifo }) => fifo)), BigInt(beyond), 0n, 0n, 0n)
  return { hop: 1, root_token: root, branches: count, moves_not_carried: 0, fifo: sums, lifo: sums, haircut: sums }
}

/** A later hop: `followed` are the known weights, and the moves, of the branches it came from, `carried` those that its frontier held. */
export interface Weights { readonly moves: number; readonly fifo: bigint; readonly lifo: bigint; readonly haircut: bigint }
export const checkHop = (hop: number, one: Explained, followed: Weights, carried: Weights): Check => {
  const listed = { fifo: sum(one.branches.map(({ fifo }) => fifo)), lifo: sum(one.branches.map(({ lifo }) => lifo)), haircut: sum(one.branches.map(({ haircut }) => haircut)) }
  return {
    hop, root_token: one.root, branches: one.all_branches, moves_not_carried: followed.moves - carried.moves,
    fifo: sumsOf(followed.fifo, listed.fifo, BigInt(one.all_fifo) - listed.fifo, BigInt(one.held_fifo), BigInt(one.unknown_fifo), followed.fifo - carried.fifo),
    lifo: sumsOf(followed.lifo, listed.lifo, BigInt(one.all_lifo) - listed.lifo, BigInt(one.held_lifo), BigInt(one.unknown_lifo), followed.lifo - carried.lifo),
    haircut: sumsOf(followed.haircut, listed.haircut, BigInt(one.all_haircut) - listed.haircut, BigInt(one.held_haircut), BigInt(one.unknown_haircut), followed.haircut - carried.haircut),
  }
}

/** Known weights and moves of branches that feed `root`. */
export const followedOf = (branches: readonly Found[], root: string): Weights => {
  const of = branches.filter((branch) => branch.root === root)
  return { moves: of.reduce((moves, { transfers }) => moves + transfers, 0), fifo: sum(of.map(({ fifo }) => fifo)), lifo: sum(of.map(({ lifo }) => lifo)), haircut: sum(of.map(({ haircut }) => haircut)) }
}

/** Known weights in a frontier of `root` (columns 7, 10, 11 and 13 of a row), and whole moves in it. */
export const carriedOf = ({ rows, moves }: Frontier, root: string): Weights => {
  const of = rows.filter((row) => `0x${row[6]}` === root)
  return { moves: moves.get(root) ?? 0, fifo: sum(of.map((row) => row[9])), lifo: sum(of.map((row) => row[12])), haircut: sum(of.map((row) => row[10])) }
}
