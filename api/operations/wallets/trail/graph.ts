/** A trail as a graph: addresses and what moved between them. */
import { z } from 'zod'
import { Address } from '../../../../schemas/primitives.js'
import { knownByCluster } from '../../bitcoin/owners.js'
import { Step } from './step.js'

export const Node = z.object({
  id: Address, label: z.string().describe('Untrusted text'), entity: z.string(), classification: z.string(), cluster: knownByCluster, hop: z.number().int().describe('0: the address asked about'), stopped_because: z.array(z.string()).describe('Why branches end here'),
})
export const Edge = Step.omit({ hop: true, from_address: true, to_address: true, label: true, entity: true, classification: true, cluster: true, counterparties: true }).extend({ id: z.string(), source: Address, target: Address, hop: z.number().int() })
export type Node = z.infer<typeof Node>
export type Edge = z.infer<typeof Edge>
export interface Graph { readonly nodes: readonly Node[]; readonly edges: readonly Edge[] }

const nobody = `0x${'00'.repeat(20)}`

/** The graph of `steps` around `address`. Value goes from source to target, whatever the direction of the trail. `place`: which continuation of the trail they are of ('' for its beginning), so that edges of all of them differ by id. */
export const graphOf = (address: string, steps: readonly Step[], backwards: boolean, place = ''): Graph => {
  const nodes = new Map<string, Node>([[address, { id: address, label: '', entity: '', classification: 'unknown', hop: 0, stopped_because: [] }]])
  const edges = steps.map(({ from_address: source, to_address: target, label, entity, classification, cluster, counterparties: _, ...rest }, index): Edge => {
    const [near, far] = backwards ? [target, source] : [source, target]
    if (!nodes.has(near)) nodes.set(near, { id: near, label: '', entity: '', classification: 'unknown', hop: rest.hop - 1, stopped_because: [] })
    const before = nodes.get(far)
    const ends = rest.stopped_because === null ? [] : [rest.stopped_because]
    // The zero address stands for all that has none: fees, mined coins and CoinJoins. What one of them is the others are not; edges tell them apart.
    const told = far === nobody && before !== undefined && (before.label !== label || before.classification !== classification) ? { label: '', entity: '', classification: 'unknown' } : { label, entity, classification }
    nodes.set(far, { id: far, ...told, ...(cluster === undefined ? {} : { cluster }), hop: before?.hop ?? rest.hop, stopped_because: [...new Set([...before?.stopped_because ?? [], ...ends])] })
    return { id: `e${place}${index}`, source, target, ...rest }
  })
  return { nodes: [...nodes.values()], edges }
}
