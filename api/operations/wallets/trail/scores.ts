/** A score of exposures by an open formula: 1 − Π (1 − weight · share · decay^(hops − 1)) over exposures, times 100. */
import type { Exposed, TrailExposure } from './exposures.js'

/** What a category weighs, from 0 to 1; those that are not here do not. */
export const weights: Readonly<Record<string, number>> = { sanctioned: 1, extremism: 1, hack: 0.95, ransomware: 0.95, blacklisted: 0.9, market: 0.9, scam: 0.8, mixer: 0.7, gambling: 0.4 }
const decay = 0.7
const formula = 'exposure_score/1'

/** Score and reason over categories that `counts` names. Unknown where any of them has no share, or part of the money was not looked into and nothing was found. */
export const scoreOf = ({ exposures, complete }: Exposed, counts: (category: string) => boolean): { readonly score: number | null; readonly reason: string } => {
  if (exposures === null) return { score: null, reason: 'Its trail was not looked into: nothing is indexed, or it is too busy' }
  const weighed = exposures.filter(({ classification }) => weights[classification] !== undefined && counts(classification))
  if (weighed.some(({ share }) => share === null)) return { score: null, reason: `${formula}: exposed, but how much is unknown: a balance, a price or the history is not whole` }
  if (!complete) return { score: null, reason: `${formula}: part of the money could not be followed${weighed.length > 0 ? '; what was is in exposure' : ''}` }
  const clean = weighed.reduce((product, one: TrailExposure) => product * (1 - (weights[one.classification] ?? 0) * (one.share ?? 0) * decay ** (one.hops - 1)), 1)
  return { score: Math.round(100 * (1 - clean)), reason: `${formula} over ${weighed.length} exposures within two hops` }
}
