/** A seeded history of a chain, made by a real node: what it shows step by step, with reorgs, and the chain it ends on. */
import type { Hex } from 'viem'
import type { Anvil } from './anvil.js'
import { emitterCode, emitters, someCalls } from './events.js'
import type { Random } from './random.js'

/** Answers of the node about one block, as bare results. */
export interface Recorded { readonly number: number; readonly hash: Hex; readonly full: unknown; readonly headersOnly: unknown; readonly receipts: unknown; readonly traces: unknown }

export interface History { readonly blocks: ReadonlyMap<Hex, Recorded>; /** What the node's chain is at each step: hashes from block 0. */ readonly steps: readonly (readonly Hex[])[]; readonly reorgs: number }

const record = async (anvil: Anvil, number: number): Promise<Recorded> => {
  const height = `0x${number.toString(16)}`
  const [full, headersOnly, receipts, traces] = await Promise.all([
    anvil.rpc('eth_getBlockByNumber', [height, true]), anvil.rpc('eth_getBlockByNumber', [height, false]),
    anvil.rpc('eth_getBlockReceipts', [height]), anvil.rpc('debug_traceBlockByNumber', [height, { tracer: 'callTracer' }]),
  ])
  return { number, hash: (full as { hash: Hex }).hash, full, headersOnly, receipts, traces }
}

/** Mines about `length` blocks with reorgs of depth 1…8, some of which turn back (A→B→A). */
export const makeHistory = async (anvil: Anvil, random: Random, length: number): Promise<History> => {
  const blocks = new Map<Hex, Recorded>()
  const steps: Hex[][] = []
  const addresses = anvil.accounts.map((account) => account.address)
  let reorgs = 0
  for (const address of emitters) await anvil.rpc('anvil_setCode', [address, emitterCode])
  const genesis = await record(anvil, 0)
  blocks.set(genesis.hash, genesis)
  let chain: Hex[] = [genesis.hash]

  const mine = async (count: number): Promise<Hex[]> => {
    const made: Hex[] = []
    for (let index = 0; index < count; index += 1) {
      for (const call of someCalls(random, addresses)) {
        await anvil.client.sendTransaction({ account: random.pick(anvil.accounts), chain: anvil.chain, ...call, gas: 300_000n })
      }
      await anvil.client.mine({ blocks: 1 })
      const block = await record(anvil, Number(await anvil.client.getBlockNumber({ cacheTime: 0 })))
      blocks.set(block.hash, block)
      made.push(block.hash)
    }
    return made
  }

  while (chain.length <= length) {
    const depth = Math.min(random.int(1, 8), chain.length - 2)
    if (depth >= 1 && random.chance(0.3)) {
      reorgs += 1
      // The blocks shown so far are the old branch; the node mines the new one in their place.
      const fork = chain.slice(0, chain.length - depth)
      await anvil.rpc('anvil_rollback', [depth])
      if (random.chance(0.5)) {
        const made = await mine(depth + random.int(0, 3))
        chain = [...fork, ...made]
        steps.push(chain)
      } else {
        // A→B→A: B is mined first and put away, then A; what is shown is part of A, then B, then all of A.
        const b = await mine(depth + 1)
        await anvil.rpc('anvil_rollback', [depth + 1])
        const a = await mine(depth + 2)
        steps.push([...fork, ...a.slice(0, depth)], [...fork, ...b], [...fork, ...a])
        chain = [...fork, ...a]
      }
    } else {
      chain = [...chain, ...await mine(random.int(1, 3))]
      steps.push(chain)
    }
  }
  return { blocks, steps, reorgs }
}
