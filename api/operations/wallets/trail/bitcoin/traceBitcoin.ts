/** A trail on Bitcoin, output by output: each satoshi has one place in its transaction, so FIFO is exact. The answer has the shape of every trail. */
import type { Ask } from '../../../../operation.js'
import { readOwnCluster } from '../../../bitcoin/owners.js'
import { readParties, type Bounds, type Party } from '../branches.js'
import { checkHop, type Check, type Weights } from '../checks.js'
import { endOf, type End } from '../ends.js'
import { stepOf, weightOf, type Step } from '../step.js'
import { onwardOf, type Reach, type Trail } from '../trace.js'
import { unlessBusy } from '../unlessBusy.js'
import { carriedOver, settle, type Rest } from '../rests.js'
import { coin, mostRows, readBitcoinHop, readBitcoinRoots, type BitcoinBranch } from './hops.js'

const unknownParty = (address: string): Party => ({ address, label: '', entity: '', classification: 'unknown', sure: 0, transfers: 0, counterparties: null, cluster: null })
const sum = (amounts: readonly (string | null)[]): bigint => amounts.reduce((total, one) => total + BigInt(one ?? 0), 0n)
const fifoOf = (row: readonly string[]): bigint => row.slice(6).reduce((total, part, place) => (place % 2 === 1 ? total + BigInt(part) : total), 0n)
const carriedBy = (rows: readonly string[][]): Weights => ({ moves: rows.length, fifo: rows.reduce((total, row) => total + fifoOf(row), 0n), lifo: sum(rows.map((row) => row[5] ?? null)), haircut: sum(rows.map((row) => row[3] || '0')) })

/** An output may have come in hundreds of parts: with more than this the statement is read for longer than it runs. */
const mostCharacters = 400_000
/** The first of some rows of a frontier: as many as travel with a statement. What the others stand for is told as not carried. */
const carried = (rows: readonly string[][]): string[][] => {
  let room = mostCharacters
  return rows.slice(0, mostRows).filter((row) => (room -= row.reduce((length, part) => length + part.length + 3, 3)) >= 0)
}

/** Why a branch ends here; null: it is followed. What comes back to the traced address is explained from there. */
const endingOf = (branch: BitcoinBranch, party: Party, id: string, whole: bigint, at: { readonly source: boolean; readonly last: boolean }): End | null => {
  if (branch.ending !== '') return branch.ending
  if (branch.far === `0x${id}`) return 'change'
  return endOf(branch, party, weightOf(branch, whole), { ...at, swapped: branch.far === coin })
}

/** The trail of the address with `id` (hex without 0x): at most `limit` branches a hop, those of the first hop after `skip`; null where it is too busy to be looked through. */
export const traceBitcoin = async (id: string, { hops, done, skip }: Reach, bounds: Bounds, ask: Ask): Promise<Trail | null> => {
  const [given, own] = await Promise.all([unlessBusy(`0x${id}`, bounds.chain, ask, (read) => readBitcoinRoots(id, bounds, read)), readOwnCluster(`0x${id}`, bounds.chain, ask)])
  if (given === null) return null
  const known = new Map<string, Party>()
  // The other addresses of its own cluster are no counterparties: that cluster ends no branch.
  const learn = async (addresses: readonly string[]): Promise<void> => {
    for (const party of await readParties([...new Set(addresses)].filter((one) => one !== coin && !known.has(one)), bounds.chain, ask, own)) known.set(party.address, party)
  }
  const [one] = given
  const whole = BigInt(one?.all_amount ?? 0)
  const bitOf = (place: number): number => Math.floor((place * 256) / Math.max(given.length, 256))
  const amounts = new Map<number, bigint>()
  for (const [place, { amount }] of given.entries()) amounts.set(bitOf(place), (amounts.get(bitOf(place)) ?? 0n) + BigInt(amount))
  const bits = [...amounts].map(([bit, amount]) => [coin.slice(2), String(bit), `${amount}`])
  const poison = (mask: bigint): bigint => [...amounts].reduce((total, [bit, amount]) => (((mask >> BigInt(bit)) & 1n) === 1n ? total + amount : total), 0n)
  const [steps, masks, sure, onward, rests, checks] = [[] as Step[], [] as bigint[], [] as number[], [] as (readonly string[])[], [] as Rest[], [] as Check[]]
  let frontier = carried(given.map(({ txid, vout, amount }, place) => [txid, String(vout), id, amount, `${1n << BigInt(bitOf(place))}`, amount, '0', amount]))
  let followed: Weights = { moves: one?.all_moves ?? 0, fifo: whole, lifo: whole, haircut: whole }
  let branches = 0, before = 0
  for (let hop = 1; hop <= hops && frontier.length > 0; hop++) {
    const found = await readBitcoinHop(frontier, hop === 1 ? skip : 0, poison, bounds, ask)
    if (hop > done) checks.push(checkHop(hop, { ...found, root: coin, branches: [...found.branches] }, followed, carriedBy(frontier)))
    if (hop > 1 && hop > done) {
      const kept = found.left.map(([owner = '', , fifo = '0', haircut = '0', lifo = '0', moves = '0']) => ({ key: onwardOf(`0x${owner}`, coin, coin), address: `0x${owner}`, root: coin, fifo, haircut, lifo, goesOn: moves !== '0' }))
      const over = carriedOver(frontier.map(([, , owner = '', , mask = '0']) => [onwardOf(`0x${owner}`, coin, coin), mask] as const))
      rests.push(...settle({ steps, onward, source: bounds.source }, before, kept, over, (address) => known.get(address) ?? unknownParty(address), () => whole))
    }
    before = steps.length
    if (hop === 1) branches = found.all_branches
    await learn(found.branches.map(({ far }) => far))
    const next: string[][] = []
    followed = { moves: 0, fifo: 0n, lifo: 0n, haircut: 0n }
    for (const branch of found.branches) {
      const party = known.get(branch.far) ?? unknownParty(branch.far)
      const end = endingOf(branch, branch.ending === 'coinjoin' ? { ...party, label: branch.detector, classification: 'mixer' } : party, id, whole, { source: bounds.source, last: hop === hops })
      if (hop > done) {
        steps.push(stepOf(hop, branch, branch.ending === 'coinjoin' ? { ...party, label: `CoinJoin (${branch.detector})`, classification: 'mixer' } : party, whole, bounds.source, [], end, branch.gap))
        masks.push(branch.mask)
        sure.push(branch.ending === 'coinjoin' ? branch.sure : party.sure)
        onward.push(end === null ? [onwardOf(branch.far, branch.token, branch.root)] : [])
      }
      if (end !== null) continue
      followed = { moves: followed.moves + branch.transfers, fifo: followed.fifo + BigInt(branch.fifo ?? 0), lifo: followed.lifo + BigInt(branch.lifo ?? 0), haircut: followed.haircut + BigInt(branch.haircut ?? 0) }
      if (next.length < mostRows) next.push(...branch.items)
    }
    frontier = carried(next)
  }
  const roots = new Map(one === undefined ? [] : [[coin, { token: coin, amount: whole, usd: one.all_usd }]])
  return { steps, rests, source: bounds.source, masks, sure, onward, checks, roots, priced: one?.priced_usd ?? 0, bits, more: branches > skip + bounds.limit }
}
