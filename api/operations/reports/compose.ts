/** A compliance report before it is signed: what was found of one address, by which rows, lists, blocks and rules. */
import { randomUUID } from 'node:crypto'
import { Json } from '../../../schemas/attest/canonical.js'
import { reportFormat } from '../../../schemas/attest/signedReport.js'
import type { Chain } from '../../../schemas/chains.js'
import { AppError } from '../../../schemas/errors.js'
import { plainAddress } from '../../addresses.js'
import { inBitcoinsWords } from '../../bitcoinTexts.js'
import type { Ask } from '../../operation.js'
import { storedChain } from '../../span.js'
import { untrusted } from '../../untrusted.js'
import getWallet from '../wallets/getWallet.js'
import getWalletCompliance from '../wallets/getWalletCompliance.js'
import traceFunds from '../wallets/traceFunds.js'
import { saysNothing } from '../wallets/trail/scores.js'
import { buildBasis, evalBaseline, headOf, indexedOf, provenanceOf, stands } from './basis.js'
import { evidenceOf, idsOf, type Evidence, type Found } from './evidence.js'

/** Reorgs that a report is begun anew after. */
const attempts = 3
/** The longest text that lists or chains bring into a report. */
const longest = 500

const find = async (address: string, chain: string, ask: Ask): Promise<Found> => {
  const trail = (direction: 'source' | 'destination') => traceFunds.run(traceFunds.input.parse({ address, chain, direction, hops: 2, limit: 20 }), ask)
  const [compliance, wallet, source, destination] = await Promise.all([
    getWalletCompliance.run(getWalletCompliance.input.parse({ address, chain }), ask), getWallet.run(getWallet.input.parse({ address, chain }), ask), trail('source'), trail('destination'),
  ])
  return { compliance, wallet, source, destination }
}

/** Each part of the score with the evidence it rests on. */
const findingsOf = ({ compliance: { breakdown, label, counterparty_risk: counterparty } }: Found, evidence: Evidence) => ({
  sanctions: { ...breakdown.sanctions, evidence: idsOf(evidence, 'designation') }, mixer: { ...breakdown.mixer, evidence: idsOf(evidence, 'exposure', ({ classification }) => classification === 'mixer') },
  behavior: { ...breakdown.behavior, evidence: [...idsOf(evidence, 'label'), ...saysNothing(label) ? idsOf(evidence, 'cluster') : []] }, volume: { ...breakdown.volume, evidence: idsOf(evidence, 'direct_exposure') },
  counterparties: { score: counterparty.score, reason: counterparty.score === null ? counterparty.reason : 'Exposure within two hops, every weighed class', evidence: idsOf(evidence, 'exposure') },
})

/** unknown: every part without a score of its own, also where a listing or the rest decides. */
const conclusionOf = ({ compliance }: Found) => {
  const { sanctions, risk_score: score, risk_level: level, risk_at_least: least, breakdown: { sanctions: _, ...breakdown }, counterparty_risk: counterparty } = compliance
  const parts = { ...breakdown, counterparties: counterparty }
  const unknown = [...sanctions.sanctions_status === 'UNKNOWN' ? [`Sanctions: ${sanctions.reason ?? 'not screened'}`] : [], ...Object.entries(parts).filter(([, part]) => part.score === null).map(([name, part]) => `${name}: ${part.reason}`)]
  return { status: sanctions.sanctions_status === 'MATCH' || (sanctions.sanctions_status === 'NO_MATCH' && score !== null) ? 'CONCLUSIVE' : 'INCONCLUSIVE', sanctions_status: sanctions.sanctions_status, match_count: sanctions.match_count, risk_score: score, risk_level: level, risk_at_least: least, unknown }
}

/** Up to which block clusters were read by which owners of Bitcoin addresses are told; null: they have looked at none. */
const clustersOf = ({ compliance: { btc_cluster: cluster } }: Found) => (cluster === undefined ? {} : { btc_clusters_as_of_height: cluster?.as_of_height ?? null })

const trailOf = ({ direction, as_of_block: height, hops, traced, origins, checks, too_busy: busy, has_more: more }: Found['source']) => ({ direction, as_of_block: height, hops, traced, origins, checks, too_busy: busy, branches_left_out: more })

/** As JSON has it: texts without what cannot be seen, so that nothing in them acts on a reader; nothing undefined. */
const cleaned = (value: unknown): Json => Json.parse(JSON.parse(JSON.stringify(value, (_name, part: unknown) => (typeof part === 'string' ? untrusted(part, longest) : part))))

/** The report on the address `given`, whose letter case may say that it is mistyped. Throws 503 REORG_UNDER_WAY where the chain does not hold still. */
export const composeReport = async (given: string, chain: Chain, ask: Ask): Promise<Json> => {
  const stored = storedChain(chain)
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const begun = await headOf(stored, ask)
    const [raw, provenance, baseline] = await Promise.all([find(given, chain.id, ask), provenanceOf(ask), evalBaseline(ask)])
    const ended = await headOf(stored, ask)
    if (begun === 'gone' || ended === 'gone' || !(await Promise.all([begun, ended].map((head) => stands(stored, head, ask)))).every(Boolean)) continue
    const found = await inBitcoinsWords(raw, chain.id, ask.store, { signal: ask.signal }) as Found
    const evidence = evidenceOf(found)
    return cleaned({
      format: reportFormat, kind: 'compliance', report_id: randomUUID(), generated_at: new Date().toISOString(), subject: { chain: chain.id, address: plainAddress(given) }, conclusion: conclusionOf(found), findings: findingsOf(found, evidence),
      label: found.compliance.label, profile: found.wallet.profile, lists: found.compliance.sanctions.registers, evidence: evidence.rows, evidence_left_out: evidence.left_out,
      trails: [trailOf(found.source), trailOf(found.destination)],
      heights: begun === null || ended === null ? [] : [{ chain: stored, ...await indexedOf(stored, ask), ...clustersOf(found), begun_at: begun, ended_at: ended }], coverage_status: found.compliance.coverage_status,
      ...buildBasis(ask), eval_baseline: baseline, data_provenance: provenance, disclaimer: found.compliance.disclaimer,
    })
  }
  throw new AppError('REORG_UNDER_WAY', 'Blocks of this chain were replaced while the report was made. Ask again in a few seconds.', { status: 503, retry: 'attempt' })
}
