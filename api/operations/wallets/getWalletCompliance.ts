import { z } from 'zod'
import { EvmAddress, Instant } from '../../../schemas/primitives.js'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause } from '../../empty.js'
import { addressField, chainField, chainOf } from '../../fields.js'
import { operation } from '../../operation.js'
import { emptyUnlessStored, storedChain } from '../../span.js'
import { registers, screen, Screening, type Screening as Screened } from '../forensic/screening.js'
import { EntityLabel, Exposure, factsOf, Intent, Level, Part, type Scores } from './risk.js'
import { readExposures, TrailExposure, type Exposed } from './trail/exposures.js'
import { scoreOf, weights } from './trail/scores.js'

const levelOf = (score: number): z.infer<typeof Level> => (score >= 90 ? 'severe' : score >= 60 ? 'high' : score >= 30 ? 'medium' : 'low')

const partsOf = (screening: Screened, scores: Scores | null, exposed: Exposed) => {
  const sanctions = { MATCH: { score: 100, reason: 'Listed' }, NO_MATCH: { score: 0, reason: 'Screened, not listed' }, UNKNOWN: { score: null, reason: screening.reason ?? 'Not screened' } }[screening.sanctions_status]
  const part = (score: number | undefined) => (score === undefined ? { score: null, reason: 'Not scored yet' } : { score, reason: `Scored at ${scores?.scored_at ?? ''}` })
  return { sanctions, mixer: scores === null ? scoreOf(exposed, (category) => category === 'mixer') : part(scores.mixer), behavior: part(scores?.behavior), volume: part(scores?.volume) }
}

const { disclaimer: _, ...sanctionsShape } = Screening.shape

export default operation({
  name: 'get_wallet_compliance', aliases: ['wallet_risk', 'get_compliance', 'address_risk'], route: 'GET /v1/wallets/compliance/{address}', auth: 'key', lane: 'compliance', tool: true, cacheSeconds: 10, sources: [...registers, 'labels', 'transfers', 'wallet_scores'], rows: 'risk_score',
  summary: 'The risk of an address: sanctions, mixers, behaviour, volume, label, counterparties. A null score is unknown, never low. Use trace_funds for where its funds came from.',
  input: z.object({ address: addressField, chain: chainField.default('ETH') }),
  output: z.object({
    chain: z.string(), address: z.string(), risk_score: z.number().int().min(0).max(100).nullable(), risk_level: Level.nullable(), breakdown: z.object({ sanctions: Part, mixer: Part, behavior: Part, volume: Part }),
    sanctions: z.object(sanctionsShape), label: EntityLabel.nullable(), intents: z.array(Intent).nullable().describe('null: not known'),
    counterparty_risk: z.object({ score: z.number().int().nullable(), exposures: z.array(Exposure).nullable().describe('null: not looked into') }),
    exposure: z.array(TrailExposure).nullable().describe('Two hops both ways; null: not looked into'), scored_at: Instant.nullable(), disclaimer: z.string(), coverage_status: CoverageStatus,
  }),
  empty: (output) => emptyUnlessStored(output) ?? emptyBecause('data_gap'),
  run: async (input, ask) => {
    const address = /^0x/i.test(input.address) ? input.address.toLowerCase() : input.address
    const chain = chainOf(input.chain)
    const stored = storedChain(chain)
    const [{ disclaimer, ...sanctions }, { label, exposures, intents, scores }, exposed, status] = await Promise.all([
      screen(address, ask), factsOf(address, chain.id, stored, ask), stored !== null && EvmAddress.safeParse(address).success ? readExposures(address, stored, ask) : { exposures: null, complete: false }, ask.services.coverage.status(chain.id),
    ])
    // A listing outweighs everything; without every register there is no whole score.
    const score = sanctions.sanctions_status === 'MATCH' ? 100 : sanctions.sanctions_status === 'UNKNOWN' ? null : scores?.risk_score ?? null
    return {
      chain: chain.id, address, risk_score: score, risk_level: score === null ? null : levelOf(score), breakdown: partsOf({ ...sanctions, disclaimer }, scores, exposed), sanctions, label, intents,
      counterparty_risk: { score: scores?.counterparties ?? scoreOf(exposed, (category) => weights[category] !== undefined).score, exposures }, exposure: exposed.exposures, scored_at: scores?.scored_at ?? null, disclaimer, coverage_status: status,
    }
  },
})
