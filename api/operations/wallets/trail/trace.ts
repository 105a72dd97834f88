/** Source or destination of funds, hop by hop, until something ends each branch. Money must have come before it went. */
import type { Ask } from '../../../operation.js'
import { readHop, readParties, readRoots, readSwaps, readTraded, type Bounds, type Found, type Party, type Traded } from './branches.js'
import { carriedOf, checkHop, checkRoot, followedOf, type Check } from './checks.js'
import { carriedOver, settle, type Rest } from './rests.js'
import { endOf, isBusy, mayTrade, swapMatters } from './ends.js'
import { frontierOf, type Followed } from './frontier.js'
import { plainOf, restOf } from './plain.js'
import { stepOf, weightOf, type Step } from './step.js'
import { unlessBusy } from './unlessBusy.js'

/** Moves that one hop looks through at most; addresses beyond end their branches. */
const mostWork = 300_000

export interface RootSum { readonly token: string; readonly amount: bigint; readonly usd: number | null }
export interface Trail {
  readonly steps: Step[]; readonly checks: Check[]; readonly roots: ReadonlyMap<string, RootSum>; /** Dollars of all of the coin and listed tokens that has a price, also of those that have none for a part, or no branch among those given. */ readonly priced: number
  /** Union of what poisons: masks of ends, by index of step; bits as (root, bit, amount). */
  readonly masks: readonly bigint[]; /** How sure the class of each step's far end is, 0 to 100. */ readonly sure: readonly number[]; /** Where each step goes on, by onwardOf: none where it ended. */ readonly onward: readonly (readonly string[])[]; /** Of addresses from which other parts went on: what stayed there. */ readonly rests: readonly Rest[]; readonly source: boolean; readonly bits: readonly string[][]; readonly more: boolean
}

const unknownParty = (address: string): Party => ({ address, label: '', entity: '', classification: 'unknown', sure: 0, transfers: 0, counterparties: null })
/** Where a hop goes on: whose moves of which token, for which token of the traced address. */
export const onwardOf = (address: string, token: string, root: string): string => `${address} ${token} ${root}`
/** Stands for what is oversized, of which no bit says how much it poisons. */
const beyondBits = 256
const maskOf = ({ items, gap }: Found): bigint => (gap === 'oversized' && items.length === 0 ? 1n << BigInt(beyondBits) : items.reduce((mask, item) => mask | BigInt(item[5] ?? '0'), 0n))

/** hops: up to which the trail goes; done: those that were given before and are left out, though what follows them is found through them; skip: branches of the first hop that were given before. */
export interface Reach { readonly hops: number; readonly done: number; readonly skip: number }

/** The trail of `address` (lower case): at most `limit` branches a hop, those of the first hop after `skip`; null where the address itself is too busy to be looked through. */
export const trace = async (address: string, token: string | undefined, { hops, done, skip }: Reach, bounds: Bounds, ask: Ask): Promise<Trail | null> => {
  const known = new Map<string, Party>()
  const learn = async (addresses: readonly string[]): Promise<void> => {
    for (const party of await readParties([...new Set(addresses)].filter((one) => !known.has(one)), bounds.chain, ask)) known.set(party.address, party)
  }
  const first = await unlessBusy(address, bounds.chain, ask, (read) => readRoots(address, token, skip, bounds, read))
  if (first === null) return null
  const roots = new Map(first.map(({ root, all_amount: amount, all_usd: usd }) => [root, { token: root, amount: BigInt(amount), usd }]))
  const rates = first.flatMap(({ root, rate }) => (rate === null ? [] : [[root.slice(2), String(rate)]]))
  const bits = first.flatMap(({ root, branches }) => branches.flatMap((branch) => branch.bits.map(([bit = '0', amount = '0']) => [root.slice(2), bit, amount])))
  const [steps, masks, sure, onward, rests] = [[] as Step[], [] as bigint[], [] as number[], [] as (readonly string[])[], [] as Rest[]]
  const checks = done > 0 ? [] : first.map(checkRoot)
  let found: Found[] = first.flatMap(({ root, branches }) => branches.map((branch) => ({ ...branch, root })))
  for (let hop = 1; found.length > 0; hop++) {
    found.sort((a, b) => a.rank - b.rank)
    const last = hop === hops, inside = [...found.entries()].filter(([, { outside }]) => !outside)
    const trading = readTraded(inside, bounds, ask)
    // At the last hop few swaps matter, and who is at the far ends tells which.
    const [traded, early] = await Promise.all([trading, last ? null : trading.then((all) => readSwaps(all, bounds, ask)), learn(found.map(({ far }) => far))])
    const matters = ([index]: Traded): boolean => { const one = found[Number(index)]; return one !== undefined && mayTrade(one, known.get(one.far)) && swapMatters(one, known.get(one.far)) }
    const every = early ?? await readSwaps(traded.filter(matters), bounds, ask)
    const swaps = every.filter(({ branch }) => { const one = found[branch]; return one !== undefined && mayTrade(one, known.get(one.far)) })
    if (!last) await learn(swaps.map(({ giver }) => giver))
    const followed = new Map<number, Followed>()
    const looked = new Set<string>(), before = steps.length, apart: { readonly index: number; readonly rest: Rest }[] = []
    let work = 0
    for (const [index, branch] of found.entries()) {
      const party = known.get(branch.far) ?? unknownParty(branch.far)
      const whole = roots.get(branch.root)?.amount ?? 0n
      const through = swaps.filter((swap) => swap.branch === index)
      let end = endOf(branch, party, weightOf(branch, whole), { source: bounds.source, swapped: through.length > 0, last })
      const { items, amounts, end: plainEnd } = plainOf(branch, through, () => endOf(branch, party, weightOf(branch, whole), { source: bounds.source, swapped: false, last }))
      const next = [...through.map(({ giver }) => giver), ...(items.length > 0 || through.length === 0 ? [branch.far] : [])]
      if (end === null && next.some((one) => { const giver = known.get(one); return giver !== undefined && isBusy(giver) })) end = 'high_degree'
      if (end === null) {
        const added = [...new Set(next)].filter((one) => !looked.has(one))
        const cost = added.reduce((sum, one) => sum + (known.get(one)?.transfers ?? 0), 0)
        if (work + cost > mostWork) end = 'work'
        else { work += cost; for (const one of added) looked.add(one); followed.set(index, { ...branch, plain: items }) }
      }
      if (hop <= done) continue
      steps.push(stepOf(hop, branch, party, whole, bounds.source, end === null ? [...new Set(through.map((swap) => swap.token))] : [], end, branch.gap))
      masks.push(maskOf(branch))
      sure.push(party.sure)
      onward.push(end !== null ? [] : [...through.map((swap) => onwardOf(swap.giver, swap.token, branch.root)), ...(next.includes(branch.far) ? [onwardOf(branch.far, branch.token, branch.root)] : [])])
      if (end === null && plainEnd !== null) apart.push({ index: steps.length - 1, rest: restOf(party, branch, whole, amounts, plainEnd) })
    }
    const frontier = frontierOf(followed, swaps)
    if (frontier.rows.length === 0) break
    const explained = await readHop(frontier.rows, bits, rates, bounds, ask)
    if (hop >= done) {
      const carried = carriedOver(frontier.rows.map(([far = '', token = '', , , , , root = '', , , , , mask = '0']) => [onwardOf(`0x${far}`, `0x${token}`, `0x${root}`), mask] as const))
      const kept = explained.flatMap(({ root, left }) => left.map(([far = '', token = '', fifo = '0', haircut = '0', lifo = '0', moves = '0']) => ({ key: onwardOf(`0x${far}`, `0x${token}`, root), address: `0x${far}`, root, fifo, haircut, lifo, goesOn: moves !== '0' })))
      rests.push(...settle({ steps, onward, source: bounds.source }, before, kept, carried, (one) => known.get(one) ?? unknownParty(one), (root) => roots.get(root)?.amount ?? 0n))
      // Where the step ended after all, all of it did.
      rests.push(...apart.flatMap(({ index, rest }) => (steps[index]?.stopped_because === null ? [rest] : [])))
      checks.push(...explained.map((one) => checkHop(hop + 1, one, followedOf([...followed.values()], one.root), carriedOf(frontier, one.root))))
    }
    found = explained.flatMap(({ root, branches }) => branches.map((branch) => ({ ...branch, root })))
  }
  return { steps, rests, source: bounds.source, masks, sure, onward, checks, roots, priced: first[0]?.priced_usd ?? 0, bits: [...bits, ...first.flatMap(({ root, branches }) => (branches.some(({ gap }) => gap !== '') ? [[root.slice(2), String(beyondBits), '0']] : []))], more: (first[0]?.total ?? 0) > skip + bounds.limit }
}
