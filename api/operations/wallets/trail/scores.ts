/** Scores of risk by an open formula, whose weights and thresholds stand in risk_rules and risk_weights. Unknown stays null. */
import { z } from 'zod'
import { loadSql } from '../../../../schemas/sql.js'
import { AppError } from '../../../../schemas/errors.js'
import type { Ask } from '../../../operation.js'
import { TrailExposure, type Exposed } from './exposures.js'

const riskRule = loadSql(import.meta.url, 'riskRule.sql')
const Rule = z.object({ rule: z.string(), version: z.number(), decay: z.number(), own_confidence: z.number(), severe: z.number(), high: z.number(), medium: z.number(), weights: z.array(z.tuple([z.string(), z.number()])) })
/** Version and numbers of the rule; weights by category, from 0 to 1. */
export type RiskRule = Omit<z.infer<typeof Rule>, 'weights'> & { readonly weights: ReadonlyMap<string, number> }
export interface Scored { readonly score: number | null; readonly reason: string }

/** The newest rule. */
export const readRule = async (ask: Ask): Promise<RiskRule> => {
  const [rule] = await ask.store.query(riskRule, { rule: 'exposure_score' }, Rule)
  if (rule === undefined) throw new AppError('NO_RULE', 'No rule for scores of risk is stored', { status: 503, retry: 'attempt' })
  return { ...rule, weights: new Map(rule.weights) }
}

/** rule/version. */
export const nameOf = ({ rule, version }: RiskRule): string => `${rule}/${version}`
const percent = (clean: number): number => Math.round(100 * (1 - clean))
export const levelOf = (score: number, { severe, high, medium }: RiskRule): 'severe' | 'high' | 'medium' | 'low' => (score >= severe ? 'severe' : score >= high ? 'high' : score >= medium ? 'medium' : 'low')

export const WeighedExposure = TrailExposure.extend({
  weight: z.number().nullable().describe('Of its category in the rule of the score; null: it has none'), contribution: z.number().nullable().describe('weight × share × decay^(hops − 1) × confidence / 100; the score is 100 × (1 − Π (1 − contribution)); null: unknown, not 0'), score_rule: z.string(),
})
/** What an exposure weighs in the score. */
export const weighed = (one: TrailExposure, rule: RiskRule): z.infer<typeof WeighedExposure> => {
  const weight = rule.weights.get(one.classification) ?? null
  return { ...one, weight, contribution: weight === null ? 0 : one.share === null ? null : weight * one.share * rule.decay ** (one.hops - 1) * (one.confidence ?? 100) / 100, score_rule: nameOf(rule) }
}

/** `score` where it may be said: of an index that is not whole, or without labels or lists of the tokens that moved, only what is above low, since what is not there may have happened. */
const standing = (score: number, gap: string | null, rule: RiskRule): number | null => (gap === null || levelOf(score, rule) !== 'low' ? score : null)
/** Why what was not seen is unknown; null: it did not happen. */
export const gapOf = ({ whole, labelled, listed }: Pick<Exposed, 'whole' | 'labelled' | 'listed'>): string | null => (!labelled ? 'no register of labels is loaded, so who is risky is unknown' : !listed ? 'no list of tokens is loaded, so what moved in tokens is unknown' : !whole ? 'what is indexed is not the whole chain, so what was not seen is unknown' : null)

/** Over what was seen of the categories that `counts` names. Unknown where any of them has no share, or part of what was seen was not followed. */
const seenOf = ({ exposures, followed }: Exposed, rule: RiskRule, counts: (category: string) => boolean): Scored => {
  if (exposures === null) return { score: null, reason: 'Its trail was not looked into: nothing is indexed, it is no address of this chain, or it is too busy' }
  const counted = exposures.filter(({ classification }) => rule.weights.has(classification) && counts(classification))
  if (counted.some(({ share }) => share === null)) return { score: null, reason: `${nameOf(rule)}: exposed, but how much is unknown: a balance, a price or the history is not whole` }
  if (!followed) return { score: null, reason: `${nameOf(rule)}: part of the money could not be followed${counted.length > 0 ? '; what was is in exposure' : ''}` }
  const clean = counted.reduce((product, one) => product * (1 - (weighed(one, rule).contribution ?? 0)), 1)
  return { score: percent(clean), reason: `${nameOf(rule)} over ${counted.length} exposures within two hops` }
}
/** The same as far as it may be said. */
export const scoreOf = (exposed: Exposed, rule: RiskRule, counts: (category: string) => boolean): Scored => {
  const { score, reason } = seenOf(exposed, rule, counts), gap = gapOf(exposed)
  return score === null || standing(score, gap, rule) !== null ? { score, reason } : { score: null, reason: `${reason}: ${gap ?? ''}` }
}
/** What is known of whom it dealt with weighs this much, however much is not: exposures without a share count for nothing. */
export const leastOf = ({ exposures }: Exposed, rule: RiskRule): number => percent((exposures ?? []).reduce((product, one) => product * (1 - (weighed(one, rule).contribution ?? 0)), 1))
/** What the address is, or whom it dealt with, whichever is worse. */
export const ofBoth = (own: Scored, exposed: Exposed, rule: RiskRule): number | null => {
  const { score } = seenOf(exposed, rule, () => true)
  return score === null ? null : standing(Math.max(own.score ?? 0, score), gapOf(exposed), rule)
}

/** Whether `label` leaves it to the cluster to say what an address is. */
export const saysNothing = (label: { readonly entity: string; readonly classification: string } | null): boolean => label === null || (label.entity === '' && label.classification === 'unknown')

interface ClusterOwner { readonly entity: string; readonly classification: string; readonly confidence: number }
/** What it is by its cluster alone: never as sure as a label that says so, so it may add to a score, and clears nobody. */
const clusterScoreOf = ({ entity, classification, confidence }: ClusterOwner, rule: RiskRule): Scored => {
  const [weight, known] = [rule.weights.get(classification), `no label of its own says whose it is; its cluster goes by ${entity} (${classification}), as known now`]
  return { score: weight === undefined ? null : Math.round(weight * confidence), reason: `${nameOf(rule)}: ${known}, with confidence ${confidence}: inputs spent together are no proof${weight === undefined ? '; that class has no weight, and clears nobody' : ''}` }
}

/** What the address is itself, by its best label; where none names its owner or its class, by its cluster. */
export const ownScoreOf = (label: { readonly entity: string; readonly classification: string; readonly confidence: number; readonly official: boolean } | null, rule: RiskRule, cluster?: { readonly owner: ClusterOwner | null } | null): Scored => {
  const owner = saysNothing(label) ? cluster?.owner ?? null : null
  if (owner !== null) return clusterScoreOf(owner, rule)
  if (label === null) return { score: null, reason: 'Nobody says what it is' }
  const { classification, confidence, official } = label
  if (classification === 'unknown') return { score: null, reason: 'It has a name, and nobody says what it is' }
  const weight = rule.weights.get(classification)
  const sure = official || confidence >= rule.own_confidence ? 1 : confidence / 100
  return { score: Math.round(100 * (weight ?? 0) * sure), reason: `${nameOf(rule)}: said to be ${classification} ${official ? 'officially' : `with confidence ${confidence}`}${weight === undefined ? ', which has no weight' : ''}` }
}

interface Volume { readonly classification: string; readonly usd_in: number; readonly usd_out: number; readonly unpriced: number; readonly usd_weighed?: number | undefined; readonly unpriced_weighed?: number | undefined; readonly confidence: number | null }
/** Dollars that weigh: of the coin and listed tokens, where they are told apart. */
const weightyOf = ({ usd_in: came, usd_out: went, usd_weighed: weighs = came + went }: Volume): number => weighs
/** What those of them that have a weight weigh, share being of `all` dollars. */
const volumeOf = (weighed: readonly Volume[], all: number, rule: RiskRule): number => percent(weighed.reduce((product, one) => product * (1 - (rule.weights.get(one.classification) ?? 0) * weightyOf(one) / all * (one.confidence ?? 100) / 100), 1))
const allOf = (exposures: readonly Volume[]): number => exposures.reduce((sum, one) => sum + weightyOf(one), 0)
/** The least that direct dealings weigh: by what has a price, and as if the `unassigned` dollars beside them were nobody risky's. */
export const leastVolumeOf = (exposures: readonly Volume[], unassigned: number, rule: RiskRule): number => { const all = allOf(exposures) + unassigned; return all === 0 ? 0 : volumeOf(exposures, all, rule) }
/** 100 × (1 − Π (1 − weight × share × confidence / 100)) over the weighed categories it dealt with directly, share being of its priced volume, in and out, of the coin and listed tokens. Unknown where some of that has no price, or not all it moved was looked through (`looked`: only of Bitcoin); low only where there is no `gap` (gapOf). */
export const volumeScoreOf = (exposures: readonly Volume[] | null, gap: string | null, rule: RiskRule, looked?: boolean): Scored => {
  if (exposures === null) return { score: null, reason: 'Its counterparties were not looked into: nothing is indexed, or it is too busy' }
  const all = allOf(exposures)
  const weighed = exposures.filter(({ classification }) => rule.weights.has(classification))
  if (looked === false) return { score: null, reason: `${nameOf(rule)}: only its newest transactions were looked through; what they show is in counterparty_risk` }
  if (weighed.some(({ unpriced, unpriced_weighed: blank = unpriced }) => blank > 0)) return { score: null, reason: `${nameOf(rule)}: exposed, but some of those transfers have no price${looked === undefined ? '' : ', or no known amount'}` }
  if (all === 0) return { score: null, reason: `Nothing it moved${looked === undefined ? ' of the coin and listed tokens' : ''} has a price` }
  const [score, reason] = [standing(volumeOf(weighed, all, rule), gap, rule), `${nameOf(rule)}: direct volume with ${weighed.length} weighed categories, of the priced volume${looked === undefined ? ' in the coin and listed tokens' : ''}`]
  const beside = weighed.some((one) => one.usd_in + one.usd_out > weightyOf(one) || one.unpriced > (one.unpriced_weighed ?? one.unpriced)) ? '; what moved in tokens that no list names does not count' : ''
  return { score, reason: `${score === null ? `${reason}: ${gap ?? ''}` : reason}${beside}` }
}
