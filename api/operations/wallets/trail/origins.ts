/** Where the branches of a trail ended, by class and entity, in dollars under each model. */
import { z } from 'zod'
import { byClusterNow, isByCluster } from '../../bitcoin/owners.js'
import type { Trail } from './trace.js'

const usd = z.number().nullable()
export const Origin = z.object({
  classification: z.string(), entity: z.string(), stopped_because: z.string().describe('As in the trail; also of what stayed, or ended, at addresses from which other parts went on'), addresses: z.number().int(), by_cluster_now: byClusterNow, fifo_usd: usd, lifo_usd: usd, haircut_usd: usd, poison_usd: usd.describe('May overlap with other origins'),
})
export type Origin = z.infer<typeof Origin>

/** Dollars that `bits` named by `mask` are worth; null where a token has no price. */
export const poisonOf = (mask: bigint, { bits, roots }: Trail): number | null => {
  let total = 0
  for (const [root = '', bit = '0', amount = '0'] of bits) {
    if (((mask >> BigInt(bit)) & 1n) === 0n) continue
    const of = roots.get(`0x${root}`)
    if (of === undefined || of.usd === null) return null
    total += of.usd * Number(BigInt(amount)) / Number(of.amount)
  }
  return total
}

const added = (sum: number | null, share: number | null, of: number | null): number | null => (sum === null || share === null || of === null ? null : sum + share * of)

/** Ends of branches and what stayed on the way, the most poisoned first: what is followed to its end adds up to what is traced. Dollars are null where a model or a price says nothing about one of them. */
export const originsOf = (trail: Trail): Origin[] => {
  const found = new Map<string, { origin: Origin; addresses: Set<string>; owned: Set<string> | undefined; mask: bigint }>()
  const ended = trail.steps.flatMap(({ stopped_because: end, from_address: from, to_address: to, root_token: root, ...step }, index) => (end === null ? [] : [{ ...step, end, root, address: trail.source ? from : to, mask: trail.masks[index] ?? 0n }]))
  for (const step of [...ended, ...trail.rests]) {
    const { end, classification, entity } = step
    const key = `${classification} ${entity} ${end}`
    const before = found.get(key) ?? { origin: { classification, entity, stopped_because: end, addresses: 0, fifo_usd: 0, lifo_usd: 0, haircut_usd: 0, poison_usd: 0 }, addresses: new Set<string>(), owned: step.cluster === undefined ? undefined : new Set<string>(), mask: 0n }
    const of = trail.roots.get(step.root)?.usd ?? null
    before.addresses.add(step.address)
    if (isByCluster(step)) before.owned?.add(step.address)
    found.set(key, { ...before, mask: before.mask | step.mask, origin: { ...before.origin, fifo_usd: added(before.origin.fifo_usd, step.fifo_share, of), lifo_usd: added(before.origin.lifo_usd, step.lifo_share, of), haircut_usd: added(before.origin.haircut_usd, step.haircut_share, of) } })
  }
  return [...found.values()].map(({ origin, addresses, owned, mask }) => ({ ...origin, addresses: addresses.size, ...(owned === undefined ? {} : { by_cluster_now: owned.size }), poison_usd: poisonOf(mask, trail) })).sort((a, b) => (b.poison_usd ?? -1) - (a.poison_usd ?? -1))
}
