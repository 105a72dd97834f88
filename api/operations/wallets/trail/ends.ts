/** Why a branch of a trail goes no further. */
import type { Found, Party } from './branches.js'
import { counted } from './busyness.js'

/**
 * service: a named one, whose funds are its customers'. contract: a known one, and no swap in the transaction tells what was given. high_degree: unnamed, with as many counterparties as a service.
 * On Bitcoin: coinbase, newly mined; coinjoin, mixed with others' coins; unresolved, what it spends is not indexed; fee, left to the miner; change, back at the traced address, whose other moves explain it.
 * no_history: nothing is known that came there before. held: nothing is known that went on from there; of coin it may be paid for gas.
 * oversized: a move of 2^127 and above to or from the traced address itself, with which no model computes.
 * small: all of it has a price, and is worth under $100. taint: under 0.1 % of what is explained. window: outside since…until. work: more moves than one answer looks through; ask for that address itself.
 */
export const ends = ['service', 'contract', 'mixer', 'sanctioned', 'illicit', 'mint', 'burn', 'high_degree', 'taint', 'small', 'window', 'work', 'depth', 'coinbase', 'coinjoin', 'unresolved', 'fee', 'change', 'no_history', 'held', 'oversized'] as const
export type End = (typeof ends)[number]

const illicit = new Set(['scam', 'hack', 'ransomware', 'extremism', 'blacklisted'])
const contracts = new Set(['dex', 'lending', 'contract', 'token', 'stablecoin', 'mev_bot'])
const named = new Set(['exchange', 'bridge', 'service', 'gambling', 'market', 'miner'])
const nobody = `0x${'00'.repeat(20)}`
const smallUsd = 100
const leastShare = 0.001
const mostCounterparties = 1_000

/** Whether an address is one that a swap may lead through. */
export const mayTrade = ({ far, outside }: Found, party: Party | undefined): boolean => !outside && (far === nobody || party === undefined || party.classification === 'unknown' || contracts.has(party.classification))

/** Unnamed, but as busy as a service. */
export const isBusy = ({ transfers, counterparties }: Party): boolean => transfers > counted.many || (counterparties ?? 0) > mostCounterparties

/** Whether it matters at the last hop that there was a swap: any other address ends its branch there for the same reason with one as without. */
export const swapMatters = ({ far }: Found, party: Party | undefined): boolean => far === nobody || (party !== undefined && (contracts.has(party.classification) || isBusy(party)))

/** The reason why `branch` ends here, or null; `share` is of what is explained, null while unknown. */
export const endOf = (branch: Found, party: Party, share: number | null, at: { readonly source: boolean; readonly swapped: boolean; readonly last: boolean }): End | null => {
  const { classification } = party
  if (classification === 'sanctioned' || classification === 'mixer') return classification
  if (illicit.has(classification)) return 'illicit'
  if (named.has(classification)) return 'service'
  if (branch.outside) return 'window'
  if (!at.swapped) {
    if (branch.far === nobody) return at.source ? 'mint' : 'burn'
    if (contracts.has(classification)) return 'contract'
    if (isBusy(party)) return 'high_degree'
  }
  if (branch.gap === 'oversized' && branch.items.length === 0) return 'oversized'
  if (branch.value_usd !== null && branch.unpriced === 0 && branch.value_usd < smallUsd) return 'small'
  if (share !== null && share < leastShare) return 'taint'
  return at.last ? 'depth' : null
}
