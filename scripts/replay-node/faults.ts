/** Faults a node may show, drawn from a seeded generator so that a run can be repeated. */
import { RpcError, nothing, type View } from './methods.js'

/** Rate of each fault, 0 to 1 of the requests it can strike. */
export interface Faults {
  /** JSON-RPC error -32000 instead of an answer. */
  readonly rpcError?: number
  readonly http429?: number
  readonly http500?: number
  /** The connection ends in the middle of the body. */
  readonly truncated?: number
  /** The request is never answered. */
  readonly hang?: number
  /** eth_getBlockReceipts answers null. */
  readonly nullReceipts?: number
  /** eth_getBlockReceipts answers with the receipts of the block below; getblock and REST with the block below. */
  readonly otherBlock?: number
  /** eth_getBlockReceipts leaves out the last receipt. */
  readonly missingReceipt?: number
  /** A block of Bitcoin comes with one bit turned. */
  readonly flipped?: number
  /** A block of Bitcoin ends early, in an answer that is whole. */
  readonly shortBlock?: number
  /** The last list of spent outputs is left out. */
  readonly missingSpent?: number
  /** Another chain: eth_chainId, or the hash of Bitcoin's block 0. */
  readonly wrongChainId?: number
}
export const faultNames = ['rpcError', 'http429', 'http500', 'truncated', 'hang', 'nullReceipts', 'otherBlock', 'missingReceipt', 'flipped', 'shortBlock', 'missingSpent', 'wrongChainId'] as const
export type FaultName = (typeof faultNames)[number]

/** Draws faults; `count` holds how often each struck. */
export interface Dice { rates: Faults; readonly count: Record<string, number>; strike(name: FaultName): boolean }

/** A generator of numbers in [0, 1) that `seed` fixes (mulberry32). */
const randomFrom = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const openDice = (rates: Faults, seed: number): Dice => {
  const random = randomFrom(seed)
  const dice: Dice = {
    rates, count: {},
    strike: (name) => {
      const rate = dice.rates[name] ?? 0
      if (rate <= 0 || random() >= rate) return false
      dice.count[name] = (dice.count[name] ?? 0) + 1
      return true
    },
  }
  return dice
}

const withoutLast = (receipts: Buffer): Buffer => Buffer.from(JSON.stringify((JSON.parse(receipts.toString('utf8')) as unknown[]).slice(0, -1)))

/** A call's answer, or what a bad node makes of it. */
export const spoil = (method: string, answer: Buffer, view: View, dice: Dice): Buffer => {
  if (dice.strike('rpcError')) throw new RpcError(-32000, 'internal error (injected)')
  if (method === 'eth_chainId' && dice.strike('wrongChainId')) return Buffer.from(`"0x${(view.chainId + 1).toString(16)}"`)
  if (method !== 'eth_getBlockReceipts' || answer === nothing) return answer
  if (dice.strike('nullReceipts')) return nothing
  if (dice.strike('missingReceipt')) return withoutLast(answer)
  if (dice.strike('otherBlock')) {
    const height = Number.parseInt(/"blockNumber":"(0x[0-9a-f]+)"/.exec(answer.toString('latin1', 0, 4096))?.[1] ?? '', 16)
    const other = view.chain.at(height - 1) ?? view.chain.last
    return view.chain.body(other, 'receipts') ?? answer
  }
  return answer
}
