/** Judgement of one chain from what the ledger says. Pure: the same view and clock give the same answer. */
import type { Chain } from '../schemas/chains.js'
import type { CoverageStatus } from './coverage.js'
import type { EmptyReason } from './empty.js'
import type { LedgerView } from './ledgerView.js'

/**
 * `perps`: what silence about perps means, where that differs from silence about blocks and transfers. trailing: the data of a venue that was heard once trail;
 * of the aggregate that counts where perps are asked for.
 */
export interface Judged { readonly status: CoverageStatus; readonly silence: EmptyReason | null; readonly perps?: EmptyReason | null; readonly trailing?: boolean }

const pipelines = { live: 'full', 'perps-only': 'perps-only', pending: 'pending', unbacked: 'unknown', aggregate: 'mixed' } as const
/** Blocks the store may be behind the node before the data count as trailing. */
const toleratedLag = 16

/** The same of what the stages have not worked out; of Bitcoin an hour. */
export const toleratedWaiting = ({ segmentBlocks }: Chain): number => Math.min(toleratedLag, segmentBlocks)

/** A node writes its files all the time: after so long without it is not there. */
const filesSeconds = 3_600
/** What is said of a venue of whose fills the socket alone tells. */
const followedAlone = 'fills, results of traders and liquidations are known of followed accounts alone'
/** Whether `warnings` of a venue say so. */
export const ofFollowedAlone = (warnings: readonly string[]): boolean => warnings.some((one) => one.endsWith(followedAlone))

export const age = (seconds: number): string => (seconds < 120 ? `${Math.round(seconds)} s` : seconds < 7_200 ? `${Math.round(seconds / 60)} min` : seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`)

/** What operators and the pipeline decided about all stages, or about this chain, that keeps what comes from being worked out. */
const decided = (chain: Chain, { controls }: LedgerView): { readonly halted: boolean; readonly warnings: string[] } => {
  const whole = controls.get('pipeline'), own = controls.get(`chain:${chain.id}`), halted = own?.state === 'halted'
  return { halted, warnings: [...(halted ? [`${chain.id} is halted: ${own.reason}`] : []), ...(whole !== undefined && whole.state !== 'running' ? [`The pipeline is ${whole.state}`] : [])] }
}

const unbuilt = (chain: Chain, pending = chain.status === 'pending'): Judged => ({
  silence: pending ? 'data_gap' : 'unsupported_input',
  status: {
    chain: chain.id, tier: 'unknown', data_fresh: false, pipeline: pipelines[pending ? 'pending' : chain.status], node: chain.node,
    warnings: [pending ? `The pipeline for ${chain.id} is not running yet: nothing is known about this chain` : `No pipeline backs ${chain.id}: nothing is known about this chain`],
  },
})

/** Stages that what a venue said passes before any answer knows it; of what the others make, alerts alone. */
export const stagesBefore = ['ingest', 'normalize', 'enrich'], stagesOfAlerts = ['index', 'alert']
/** Which of `stages` an operator paused. */
const pausedOf = (stages: readonly string[], { controls }: LedgerView): string[] => stages.filter((stage) => controls.get(`stage:${stage}`)?.state === 'paused')

/**
 * A venue: no blocks, so what asks for blocks or transfers learns nothing from its silence. Where prices or books were not seen nothing that was dealt is missing: that is a warning alone.
 * What was heard and is not worked out is no answer: the data are as old as the oldest that waits. Some seconds always do, and a pause is only said until there are more.
 */
const venue = (chain: Chain, view: LedgerView, now: number): Judged => {
  const heard = view.heads.get(chain.id)
  const seconds = heard === undefined ? null : (now - Math.min(Date.parse(heard.observedAt), Date.parse(heard.time))) / 1_000
  const { since, dead } = view.waiting?.get(chain.id) ?? {}, waited = since === undefined ? 0 : (now - since) / 1_000, behind = waited > chain.staleAfterSeconds
  const { halted, warnings: stops } = decided(chain, view)
  const recent = seconds !== null && seconds <= chain.staleAfterSeconds, fresh = recent && !behind && !halted
  const [waits, unalerted] = [pausedOf(stagesBefore, view), pausedOf(stagesOfAlerts, view)]
  const { dealt, shown } = view.gaps?.get(chain.id) ?? {}
  const times = (gaps: number): string => (gaps === 1 ? 'once' : `${gaps} times`)
  const read = view.files?.get(chain.id), silentFor = read === undefined ? Infinity : (now - read) / 1_000
  const warnings = [
    ...(recent ? [] : [seconds === null ? 'No perps data have been received yet' : `The newest perps data are ${age(seconds)} old`]),
    ...(behind ? [`What was heard in the last ${age(waited)} has not been worked out yet`] : []),
    ...stops, ...(waits.length === 0 ? [] : [`Paused: ${waits.join(', ')}: what is heard waits`]), ...(unalerted.length === 0 ? [] : [`Paused: ${unalerted.join(', ')}: no alerts are made of what is heard`]),
    ...(dead === undefined ? [] : [`${dead.batches} batches of what was heard between segments ${dead.from} and ${dead.to} failed for good (${dead.stages.join(', ')}) and are missing until they are redriven`]),
    ...(dealt === undefined ? [] : [`Nothing was heard of the venue for up to ${age(dealt.seconds)}, ${times(dealt.gaps)} in the last day: trades may be missing`]),
    ...(shown === undefined ? [] : [`Prices, contexts or order books were not seen for up to ${age(shown.seconds)}, ${times(shown.gaps)} in the last day: how they stood then is not known`]),
    ...(seconds === null || silentFor <= filesSeconds ? [] : [`${read === undefined ? 'No node\'s files are read' : `A node's files told last of ${age(silentFor)} ago`}: ${followedAlone}`]),
  ]
  return {
    silence: 'unsupported_input', perps: seconds === null ? 'data_gap' : !fresh ? 'stale_pipeline' : dealt === undefined && dead === undefined ? null : 'data_gap', trailing: seconds !== null && !fresh,
    status: { chain: chain.id, tier: 'perps-only', data_fresh: fresh, pipeline: 'perps-only', node: chain.node, warnings },
  }
}

/** One chain at `now` (Unix milliseconds). */
export const assess = (chain: Chain, view: LedgerView, now: number): Judged => {
  if (chain.status === 'perps-only') return venue(chain, view, now)
  if (chain.status !== 'live') return unbuilt(chain)
  const bounds = view.bounds.get(chain.id)
  const head = view.heads.get(chain.id)
  if (chain.optional === true && bounds === undefined && head === undefined) return unbuilt(chain, true)
  const common = { chain: chain.id, pipeline: 'full', node: chain.node } as const
  const dead = view.dead?.get(chain.id)
  const fallen = dead === undefined ? [] : [`${dead.blocks} blocks between ${dead.from} and ${dead.to} failed for good (${dead.stages.join(', ')}): what happened in them is in no answer, or in part, until they are redriven`]
  if (bounds === undefined) {
    return { silence: 'stale_pipeline', status: { ...common, tier: head === undefined ? 'unknown' : 'node-only', data_fresh: false, warnings: [`No block of ${chain.id} has been indexed yet`, ...fallen] } }
  }
  const warnings: string[] = []
  const seconds = (now - Date.parse(bounds.newest_time)) / 1_000
  const old = seconds > chain.staleAfterSeconds
  if (old) warnings.push(`The newest block (${bounds.newest}) is ${age(seconds)} old`)
  const lag = head === undefined ? null : Math.max(0, head.number - bounds.newest)
  if (lag === null) warnings.push('No node has said yet what the head is: the lag is not known')
  else if (lag > toleratedLag) warnings.push(`The data are ${lag} blocks behind the node`)
  // What gave up goes on by itself no more, nor does what waits above it.
  const stuck = dead !== undefined && dead.to > bounds.worked, waits = bounds.waiting > (stuck ? 0 : toleratedWaiting(chain))
  if (waits) warnings.push(`${bounds.waiting} of the newest blocks have not been worked out yet: what happened in them is in no answer, or in part`)
  const { halted, warnings: stops } = decided(chain, view)
  warnings.push(...fallen, ...stops)
  const [held, unalerted] = [pausedOf([...stagesBefore, 'index'], view), pausedOf(['alert'], view)]
  if (held.length > 0) warnings.push(`Paused: ${held.join(', ')}: new blocks wait`)
  if (unalerted.length > 0) warnings.push('Paused: alert: no alerts are made of new blocks')
  if (bounds.missing > 0) warnings.push(`${bounds.missing} wanted blocks between ${bounds.missing_from} and ${bounds.missing_to} have not been indexed`)
  if (bounds.untraced > 0) warnings.push(`Movements inside transactions are not known for ${bounds.untraced} blocks between ${bounds.untraced_from} and ${bounds.untraced_to}`)
  if (bounds.unresolved > 0) warnings.push(`inputs_unresolved: ${bounds.unresolved} inputs spend outputs that are not indexed, or were not when their blocks were: who sent them, and their amounts, are not known, and what their transactions paid may be change`)
  const trailing = old || (lag ?? 0) > toleratedLag || waits || stuck || halted
  return {
    silence: trailing ? 'stale_pipeline' : bounds.missing > 0 || (dead !== undefined && dead.to >= bounds.oldest) ? 'data_gap' : null,
    status: { ...common, tier: trailing ? 'stale' : 'live', data_fresh: !trailing, warnings },
  }
}

/** The aggregate: as good as the worst of its parts; parts that are only recognised do not count. Nor does a venue that was never heard make its data trail, but silence about perps is a gap then. */
export const assessAll = (all: Chain, parts: readonly { readonly part: Chain; readonly judged: Judged }[]): Judged => {
  const live = parts.filter(({ part, judged }) => part.status === 'live' && judged.status.pipeline !== 'pending')
  const wanted = parts.filter(({ part }) => ['BTC', 'HL', 'ETH'].includes(part.id))
  const silence = live.map(({ judged }) => judged.silence).find((reason) => reason !== null) ?? null, venues = parts.filter(({ part }) => part.status === 'perps-only')
  const tiers = live.map(({ judged }) => judged.status.tier)
  const tier = (['unknown', 'node-only', 'stale', 'live'] as const).find((one) => tiers.includes(one)) ?? 'unknown'
  return {
    silence, perps: silence ?? venues.map(({ judged }) => judged.perps ?? null).find((reason) => reason !== null) ?? null, trailing: venues.some(({ judged }) => judged.trailing === true),
    status: {
      chain: all.id, tier, data_fresh: live.length > 0 && live.every(({ judged }) => judged.status.data_fresh), pipeline: 'mixed', node: all.node,
      warnings: wanted.flatMap(({ part, judged }) => judged.status.warnings.map((text) => `${part.id}: ${text}`)),
    },
  }
}
