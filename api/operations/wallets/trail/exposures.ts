/** Direct and indirect exposure of an address by category, from the ends of its trails, with the share under each model, paths and the rule that says so. */
import { z } from 'zod'
import { Address } from '../../../../schemas/primitives.js'
import { loadSql } from '../../../../schemas/sql.js'
import { idOf } from '../../../addresses.js'
import type { Ask } from '../../../operation.js'
import { isLabelled } from '../../../unlabelled.js'
import { isListed } from '../../../unlisted.js'
import { byClusterNow, isByCluster } from '../../bitcoin/owners.js'
import { coin } from './bitcoin/hops.js'
import { traceBitcoin } from './bitcoin/traceBitcoin.js'
import { boundsOf } from './bounds.js'
import { poisonOf } from './origins.js'
import type { Step } from './step.js'
import { onwardOf, trace, type Trail } from './trace.js'

const knownTokens = loadSql(import.meta.url, 'knownTokens.sql')
const usd = z.number().nullable()
const Path = z.object({ addresses: z.array(Address).describe('From the address asked about; after a swap it comes again'), hops: z.number().int(), share: usd.describe('As that of the exposure'), fifo_usd: usd, lifo_usd: usd, haircut_usd: usd, poison_usd: usd })
export const TrailExposure = z.object({
  direction: z.enum(['source', 'destination']), kind: z.enum(['direct', 'indirect']), classification: z.string(), entities: z.array(z.string()), rule: z.string().describe('Rule and version'), hops: z.number().int().describe('The fewest'),
  addresses: z.number().int(), by_cluster_now: byClusterNow, confidence: usd.describe('Of labels, or clusters (50 at most), 0 to 100, by haircut that weighs; 100 of official ones'), share: usd.describe('Haircut, of the priced value traced, without its own change, both in the coin and listed tokens: others weigh nothing; null: unknown, not 0'), fifo_usd: usd, lifo_usd: usd, haircut_usd: usd, poison_usd: usd.describe('At most'), paths: z.array(Path).describe('The most poisoned first, 25 at most'), paths_total: z.number().int(),
})
export type TrailExposure = z.infer<typeof TrailExposure>

const reach = { hops: 2, done: 0, skip: 0 }
const branches = 50
const mostPaths = 25
/** 2: owners by clusters, of Bitcoin, are told as those by labels are. 3: what reached a mixer, or came from one, counts only of the coin and listed tokens. 4: change, of Bitcoin, is no value traced. 5: shares are of the coin and listed tokens. */
export const exposureRule = 'trail_exposure/5'
/** Ends that say whom the value belongs to; the others are only where looking stopped. Whoever holds it, or began with it, is told where it is known what that is. */
const telling = new Set(['service', 'contract', 'mixer', 'sanctioned', 'illicit', 'coinjoin', 'coinbase'])
const ofWhom = new Set(['held', 'no_history'])
/** `known`: tokens whose transfers to and from mixers tell anything; of others any token does, though it may weigh nothing. */
const tells = ({ stopped_because: end, classification, token }: Step, known: ReadonlySet<string>): boolean => end !== null && (telling.has(end) || (ofWhom.has(end) && classification !== 'unknown')) && (classification !== 'mixer' || known.has(token))

/** A token that is not listed says what it likes of anybody, at what its maker's pool says: neither what it came as, nor what was swapped for it, weighs. */
const weighsIn = ({ token, root_token: root }: Step, known: ReadonlySet<string>): boolean => known.has(token) && known.has(root)

const farOf = (step: Step, source: boolean): string => (source ? step.from_address : step.to_address)
const nearOf = (step: Step, source: boolean): string => (source ? step.to_address : step.from_address)

/** Addresses from the traced one to the far end of the step at `index`: through the step before that went on with the same token of the same address and shares what it explains. After a swap whoever swapped stands again, behind whom it was with. */
const pathOf = (index: number, trail: Trail): string[] => {
  const { steps, source, onward, masks } = trail
  const step = steps[index]
  if (step === undefined) return []
  const [far, near] = [farOf(step, source), nearOf(step, source)]
  const key = onwardOf(near, step.token, step.root_token)
  const before = steps.findIndex((one, at) => one.hop === step.hop - 1 && onward[at]?.includes(key) === true && ((masks[at] ?? 0n) & (masks[index] ?? 0n)) !== 0n)
  const path = before < 0 ? [near] : pathOf(before, trail)
  return [...path, ...path.at(-1) === near ? [] : [near], far]
}

const plus = (sum: number | null, share: number | null, of: number | null): number | null => (sum === null || share === null || of === null ? null : sum + share * of)

const times = (share: number | null, of: number | null): number | null => (share === null || of === null ? null : share * of)
/** All the priced value that a trail begins with. An address of Bitcoin gives change back to itself: that came from nobody else, and went to nobody. */
const knownOf = ({ steps, roots, priced }: Trail): number => {
  const [whole, change] = [[...roots.values()].reduce((sum, { amount }) => sum + amount, 0n), steps.reduce((sum, { hop, stopped_because: end, haircut }) => sum + (hop === 1 && end === 'change' ? BigInt(haircut ?? 0) : 0n), 0n)]
  return change === 0n ? priced : priced * Number(whole - change) / Number(whole)
}
const shareOf = (haircut: number | null, known: number): number | null => (haircut === null || known === 0 ? null : Math.min(1, haircut / known))
/** One path with what came over it; `known` as by knownOf; `weighs`: as by weighsIn. */
const pathRow = (index: number, step: Step, known: number, weighs: boolean, trail: Trail): z.infer<typeof Path> => {
  const of = trail.roots.get(step.root_token)?.usd ?? null
  const haircut = times(step.haircut_share, of)
  return {
    addresses: pathOf(index, trail), hops: step.hop, share: weighs ? shareOf(haircut, known) : 0, fifo_usd: times(step.fifo_share, of), lifo_usd: times(step.lifo_share, of), haircut_usd: haircut, poison_usd: poisonOf(trail.masks[index] ?? 0n, trail),
  }
}

/** Exposures of one trail, the most poisoned first. Dollars are null where a model or a price says nothing about one of the branches. `tokens`: those that are known. `told`: whether a step is told elsewhere, and so left out. */
const exposuresOf = (trail: Trail, tokens: ReadonlySet<string>, told: (step: Step) => boolean): TrailExposure[] => {
  const known = knownOf(trail)
  const groups = new Map<string, { row: TrailExposure; weighty: number | null; addresses: Set<string>; owned: Set<string> | undefined; mask: bigint }>()
  for (const [index, step] of trail.steps.entries()) {
    if (!tells(step, tokens) || told(step)) continue
    const kind = step.hop === 1 ? 'direct' as const : 'indirect' as const
    const key = `${kind} ${step.classification}`
    const { row, weighty, addresses, owned, mask } = groups.get(key) ?? {
      row: { direction: trail.source ? 'source' as const : 'destination' as const, kind, classification: step.classification, entities: [], rule: exposureRule, hops: step.hop, addresses: 0, confidence: 0, share: null, fifo_usd: 0, lifo_usd: 0, haircut_usd: 0, poison_usd: 0, paths: [], paths_total: 0 },
      weighty: 0, addresses: new Set<string>(), owned: step.cluster === undefined ? undefined : new Set<string>(), mask: 0n,
    }
    const of = trail.roots.get(step.root_token)?.usd ?? null, weighs = weighsIn(step, tokens)
    addresses.add(farOf(step, trail.source))
    if (isByCluster(step)) owned?.add(farOf(step, trail.source))
    groups.set(key, { weighty: weighs ? plus(weighty, step.haircut_share, of) : weighty, addresses, owned, mask: mask | (trail.masks[index] ?? 0n), row: {
      ...row, confidence: weighs ? plus(row.confidence, step.haircut_share, of === null ? null : of * (trail.sure[index] ?? 0)) : row.confidence, hops: Math.min(row.hops, step.hop), entities: [...new Set([...row.entities, step.entity])].filter((one) => one !== '').slice(0, 10), fifo_usd: plus(row.fifo_usd, step.fifo_share, of), lifo_usd: plus(row.lifo_usd, step.lifo_share, of), haircut_usd: plus(row.haircut_usd, step.haircut_share, of),
      paths: [...row.paths, pathRow(index, step, known, weighs, trail)],
    } })
  }
  return [...groups.values()].map(({ row, weighty, addresses, owned, mask }) => ({ ...row, addresses: addresses.size, ...(owned === undefined ? {} : { by_cluster_now: owned.size }), paths_total: row.paths.length, paths: row.paths.sort((a, b) => (b.poison_usd ?? -1) - (a.poison_usd ?? -1)).slice(0, mostPaths), confidence: row.confidence === null || weighty === null || weighty === 0 ? null : Math.round(row.confidence / weighty), poison_usd: poisonOf(mask, trail), share: weighty === 0 ? 0 : shareOf(weighty, known) }))
    .sort((a, b) => (b.poison_usd ?? -1) - (a.poison_usd ?? -1))
}

/** Whom an address dealt with itself, and what tells who that is. */
export interface Dealt { readonly address: string; readonly label: string; readonly entity: string; readonly classification: string; /** 0 to 100. */ readonly sure: number }
/** Those that tell with whom `address` dealt itself, also after a swap of its own or what came back to it. */
const dealtBy = (address: string, { steps, source, sure }: Trail, tokens: ReadonlySet<string>): Dealt[] =>
  steps.flatMap((step, index) => (tells(step, tokens) && nearOf(step, source) === address ? [{ address: farOf(step, source), label: step.label, entity: step.entity, classification: step.classification, sure: sure[index] ?? 0 }] : []))

export interface Exposed {
  /** null: not looked into (too busy, nothing indexed). */
  readonly exposures: TrailExposure[] | null
  /** Whom the address dealt with itself; of one several, where it dealt with it in several ways. */
  readonly dealt: readonly Dealt[]
  /** `exposures` without what the address itself dealt with `those`. */
  besides(those: ReadonlySet<string>): TrailExposure[] | null
  /** Whether every unit of both trails is accounted for: all in branches that ended with a reason, with every model known, and the coin and every listed token priced: others weigh nothing, whatever they are worth. */
  readonly followed: boolean
  /** Whether the index has all that was ever moved: only then is what is not in the trails not there. */
  readonly whole: boolean
  /** Whether registers say of the chain what addresses are: without, nobody dealt with is known to be risky. */
  readonly labelled: boolean
  /** Whether lists say which tokens weigh, where any moved. */
  readonly listed: boolean
  /** Both: all its money was followed. */
  readonly complete: boolean
}
export const notLooked: Exposed = { exposures: null, besides: () => null, dealt: [], followed: false, whole: false, labelled: false, listed: false, complete: false }

/** The coin and listed tokens among those of the trails: on them it depends what weighs, whether a mixer is told, or a price is missed. */
const readKnown = async (trails: readonly Trail[], chain: string, ask: Ask): Promise<ReadonlySet<string>> => {
  const asked = new Set(trails.flatMap(({ steps, roots }) => [...steps.flatMap(({ stopped_because: end, token }) => (end === null ? [] : [token])), ...roots.keys()]))
  if (asked.size === 0) return asked
  return new Set((await ask.store.query(knownTokens, { chain, tokens: [...asked].map((token) => token.slice(2)) }, z.object({ token: z.string() }))).map(({ token }) => token))
}

const movesTokens = ({ steps, roots }: Trail): boolean => [...roots.keys()].some((token) => token !== coin) || steps.some(({ token }) => token !== coin)

/** Of the tokens that are `known` each has to have a price. */
const accounted = (trail: Trail, known: ReadonlySet<string>): boolean => !trail.more && [...trail.roots.values()].every((root) => root.usd !== null || !known.has(root.token)) &&
  trail.checks.every(({ haircut }) => haircut.unknown === '0' && haircut.beyond_limit === '0' && haircut.not_carried === '0' && haircut.difference === '0')

/** Both trails of `address` (lower case) of a stored chain, two hops each. */
export const readExposures = async (address: string, chain: string, ask: Ask): Promise<Exposed> => {
  const read = await Promise.all([true, false].map(async (source) => {
    const bounds = await boundsOf(chain, { source, since: null, until: null, limit: branches, assumeComplete: false }, ask)
    const trail = bounds === null ? null : await (chain === 'BTC' ? traceBitcoin(idOf(address, chain), reach, bounds, ask) : trace(address, undefined, reach, bounds, ask))
    return bounds === null || trail === null ? null : { trail, whole: bounds.whole && bounds.traced }
  }))
  const found = read.filter((one) => one !== null)
  if (found.length < read.length) return notLooked
  const trails = found.map(({ trail }) => trail), own = `0x${idOf(address, chain)}`
  const [known, labelled, listed] = await Promise.all([readKnown(trails, chain, ask), isLabelled(chain, ask), !trails.some(movesTokens) || isListed(chain, ask)])
  const [followed, whole] = [trails.every((trail) => accounted(trail, known)), found.every((one) => one.whole)]
  const besides = (those: ReadonlySet<string>): TrailExposure[] => trails.flatMap((trail) => exposuresOf(trail, known, (step) => nearOf(step, trail.source) === own && those.has(farOf(step, trail.source))))
  return { exposures: besides(new Set()), besides, dealt: trails.flatMap((trail) => dealtBy(own, trail, known)), followed, whole, labelled, listed, complete: followed && whole }
}
