import { z } from 'zod'
import { Instant } from '../../../schemas/primitives.js'
import { chainOfAddress, fits, plainAddress } from '../../addresses.js'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause } from '../../empty.js'
import { addressField, storedField, chainOf } from '../../fields.js'
import { operation } from '../../operation.js'
import { withMissing } from '../../reach.js'
import { emptyUnlessStored, storedChain } from '../../span.js'
import { withUnlabelled } from '../../unlabelled.js'
import { unlessListed } from '../../unlisted.js'
import { registers, screen, Screening, type Screening as Screened } from '../forensic/screening.js'
import { OwnCluster } from './cluster.js'
import { incomplete } from './dealings.js'
import { directRiskOf, EntityLabel, Exposure, factsOf, Intent, Level, Part, type Facts } from './risk.js'
import { notLooked, readExposures, type Exposed } from './trail/exposures.js'
import { gapOf, leastOf, levelOf, ofBoth, ownScoreOf, readRule, scoreOf, volumeScoreOf, weighed, WeighedExposure, type RiskRule } from './trail/scores.js'

const partsOf = (screening: Screened, { label, cluster, exposures, exposuresLooked }: Facts, exposed: Exposed, rule: RiskRule) => ({
  sanctions: { MATCH: { score: 100, reason: 'Listed' }, NO_MATCH: { score: 0, reason: 'Screened, not listed' }, UNKNOWN: { score: null, reason: screening.reason ?? 'Not screened' } }[screening.sanctions_status],
  mixer: scoreOf(exposed, rule, (category) => category === 'mixer'), behavior: ownScoreOf(label, rule, cluster), volume: volumeScoreOf(exposures, gapOf(exposed), rule, exposuresLooked),
})

const { disclaimer: _, ...sanctionsShape } = Screening.shape

export default operation({
  name: 'get_wallet_compliance', aliases: ['wallet_risk', 'get_compliance', 'address_risk'], route: 'GET /v1/wallets/compliance/{address}', auth: 'key', lane: 'compliance', tool: true, cacheSeconds: 10, sources: [...registers, 'labels', 'transfers', 'risk_rules'], rows: 'risk_score',
  summary: 'The risk of an address: sanctions, mixers, behaviour, volume, counterparties. A null score is unknown, never low: risk_at_least is what is known. Use trace_funds for where funds came from.',
  input: z.object({ address: addressField, chain: storedField.default('ETH') }),
  output: z.object({
    chain: z.string(), address: z.string(), risk_score: z.number().int().min(0).max(100).nullable(), risk_level: Level.nullable(), risk_at_least: z.number().int().min(0).max(100).describe('What is known weighs this much: listings, what it is, and whom it dealt with; what is not known can only add to it'), breakdown: z.object({ sanctions: Part, mixer: Part, behavior: Part, volume: Part }),
    sanctions: z.object(sanctionsShape), label: EntityLabel.nullable(), btc_cluster: OwnCluster.nullable().optional().describe('As in get_wallet'), intents: z.array(Intent).nullable().describe('Of those it sent among its newest 300 with value; null: not looked into'),
    counterparty_risk: z.object({ score: z.number().int().nullable(), reason: z.string(), exposures: z.array(Exposure).nullable().describe('null: not looked into'), exposures_complete: z.boolean().optional().describe(incomplete) }),
    exposure: z.array(WeighedExposure).nullable().describe('Two hops both ways; null: not looked into'), complete: z.boolean().describe('Whether all its money was followed and priced'), scored_at: Instant.nullable(), disclaimer: z.string(), coverage_status: CoverageStatus,
  }),
  // What is known of a risk is a finding, though no whole score comes of it.
  asked: ({ risk_at_least: known }) => known === 0,
  // What was not known may be with the next register or block.
  settled: ({ risk_score: score }) => score !== null,
  empty: (output, ask) => emptyUnlessStored(output) ?? emptyBecause(fits(output.address, output.chain, ask) ? 'data_gap' : 'unsupported_input'),
  run: async (input, ask) => {
    const address = plainAddress(input.address)
    const asked = chainOf(input.chain)
    const chain = chainOfAddress(asked, address)
    const stored = storedChain(chain)
    // As it was given: letter case may say that it is mistyped.
    const [{ disclaimer, ...sanctions }, facts, exposed, rule, status, { bounds }] = await Promise.all([
      screen(input.address, ask), factsOf(address, chain.id, stored, ask), stored !== null && fits(address, stored, ask) ? readExposures(address, stored, ask) : notLooked, readRule(ask), ask.services.coverage.status(asked.id), ask.services.coverage.view(),
    ])
    const breakdown = partsOf({ ...sanctions, disclaimer }, facts, exposed, rule)
    const counterparties = scoreOf(exposed, rule, () => true)
    // A listing outweighs everything; without every register, or where the money was not followed, there is no whole score, and of a part of the chain no low one.
    const score = sanctions.sanctions_status === 'MATCH' ? 100 : sanctions.sanctions_status === 'UNKNOWN' ? null : ofBoth(breakdown.behavior, exposed, rule)
    const atLeast = Math.max(breakdown.sanctions.score ?? 0, breakdown.behavior.score ?? 0, score ?? 0, leastOf(exposed, rule), await directRiskOf(address, stored, rule, facts, ask))
    return {
      chain: chain.id, address, risk_score: score, risk_level: score === null ? null : levelOf(score, rule), risk_at_least: atLeast, breakdown, sanctions, label: facts.label, ...(facts.cluster === undefined ? {} : { btc_cluster: facts.cluster }), intents: facts.intents,
      counterparty_risk: { ...counterparties, exposures: facts.exposures, exposures_complete: facts.exposuresComplete }, exposure: exposed.exposures?.map((one) => weighed(one, rule)) ?? null, complete: exposed.complete, scored_at: score === null ? null : new Date().toISOString(), disclaimer, coverage_status: exposed.exposures === null ? status : await unlessListed(exposed, await withUnlabelled(withMissing(status, bounds.get(chain.id)), chain.id, ask), chain.id, ask),
    }
  },
})
