/** A trail as it is answered. */
import { z } from 'zod'
import { Address, Amount, EvmAddress, Hash, Instant } from '../../../../schemas/primitives.js'
import { knownByCluster } from '../../bitcoin/owners.js'
import { ends, type End } from './ends.js'
import type { Found, Party } from './branches.js'

const share = z.number().nullable()
/** Why FIFO and haircut are not known at an address, from which the branch was found. */
const gaps = ['history', 'untraced', 'overdrawn', 'rebasing', 'oversized', 'too_many', 'unresolved'] as const

export const Step = z.object({
  hop: z.number().int(), from_address: Address, to_address: Address, label: z.string().describe('Of the far end, as entity and classification'), entity: z.string(), classification: z.string(),
  cluster: knownByCluster,
  token: EvmAddress, transfers: z.number().int(), amount: Amount, value_usd: z.number().nullable().describe('Of transfers with a price'), tx_hash: Hash.describe('The largest'), largest: Amount, first_seen: Instant.nullable().describe('null: of what is not indexed'), last_seen: Instant.nullable(),
  root_token: EvmAddress.describe('Token at the traced address; fifo, lifo, haircut and poison are amounts of it'), fifo: Amount.nullable(), lifo: Amount.nullable(), haircut: Amount.nullable(), poison: Amount,
  fifo_share: share, lifo_share: share, haircut_share: share, poison_share: z.number(), gap: z.enum(gaps).nullable().describe('Why fifo, lifo and haircut are null; overdrawn: more left than came; unresolved: an input is not indexed'),
  through_swap: z.array(EvmAddress).describe('Tokens on the other side of the swaps among its transfers that the next hop follows; other transfers go on at the far end'), counterparties: z.number().int().nullable().describe('Of the far end, where counted'),
  stopped_because: z.enum(ends).nullable().describe('null: followed'),
})
export type Step = z.infer<typeof Step>

/** `part` of `whole` as a ratio. */
export const shareOf = (part: string | null, whole: bigint): number | null => (part === null || whole === 0n ? null : Number(BigInt(part)) / Number(whole))

/** The model share that decides what is worth following: the greatest of FIFO, LIFO and haircut. */
export const weightOf = ({ fifo, lifo, haircut }: Pick<Found, 'fifo' | 'lifo' | 'haircut'>, whole: bigint): number | null =>
  (fifo === null && lifo === null && haircut === null ? null : Math.max(...[fifo, lifo, haircut].map((one) => shareOf(one, whole) ?? 0)))

export const stepOf = (hop: number, branch: Found, party: Party, whole: bigint, source: boolean, through: readonly string[], end: End | null, gap: string): Step => ({
  hop, from_address: source ? branch.far : branch.near, to_address: source ? branch.near : branch.far, label: party.label, entity: party.entity, classification: party.classification, ...(party.cluster === undefined ? {} : { cluster: party.cluster }),
  token: branch.token, transfers: branch.transfers, amount: branch.amount, value_usd: branch.value_usd, tx_hash: branch.tx_hash, largest: branch.largest, first_seen: branch.first_seen, last_seen: branch.last_seen,
  root_token: branch.root, fifo: branch.fifo, lifo: branch.lifo, haircut: branch.haircut, poison: branch.poison,
  fifo_share: shareOf(branch.fifo, whole), lifo_share: shareOf(branch.lifo, whole), haircut_share: shareOf(branch.haircut, whole), poison_share: shareOf(branch.poison, whole) ?? 0,
  gap: gaps.find((one) => one === gap) ?? null, through_swap: [...through], counterparties: party.counterparties, stopped_because: end,
})
