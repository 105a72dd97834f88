import { z } from 'zod'
import { chainOfAddress, fits, idOf, plainAddress } from '../../../addresses.js'
import { CoverageStatus } from '../../../coverage.js'
import { emptyBecause } from '../../../empty.js'
import { addressField, storedField, chainOf } from '../../../fields.js'
import { operation, type Ask } from '../../../operation.js'
import { withMissing } from '../../../reach.js'
import { emptyUnlessStored, storedChain } from '../../../span.js'
import { emptyIfUnlabelled, withUnlabelled } from '../../../unlabelled.js'
import { emptyIfUnlisted, unlessListed } from '../../../unlisted.js'
import { notLooked, readExposures, TrailExposure, type Exposed } from '../../wallets/trail/exposures.js'
import { MixerLead, MixerUse, mostMixers, readMixerUse, type MixerUses } from './mixerUse.js'

const disclaimer = 'Leads say where to look. None of them is proof, and use of a mixer alone is no wrong.'

/** What an address did itself, and its trails. Rules and clusters know mixers that labels do not: where its trails say that it used such a one, that use is read as well. */
const readBoth = async (address: string, stored: string, upto: number, ask: Ask): Promise<readonly [MixerUses, Exposed]> => {
  const id = idOf(address, stored)
  const [labelled, exposed] = await Promise.all([readMixerUse(id, stored, upto, [], ask), readExposures(address, stored, ask)])
  const told = new Set(labelled.uses.map(({ mixer }) => mixer))
  const others = exposed.dealt.filter((one) => one.classification === 'mixer' && !told.has(one.address))
  return [others.length === 0 ? labelled : await readMixerUse(id, stored, upto, others, ask), exposed]
}

export default operation({
  name: 'get_mixer_use', route: 'GET /v1/forensic/mixers/{address}', auth: 'key', lane: 'forensic', tool: true, cacheSeconds: 30, sources: ['labels', 'transfers', 'btc_coinjoins'], counts: 'interactions', hours: Infinity,
  summary: 'Mixers an address used itself (Tornado, Railgun, CoinJoins), others within two hops, and leads to the other side.',
  input: z.object({ address: addressField, chain: storedField.default('ETH') }),
  output: z.object({
    chain: z.string(), address: z.string(), as_of_block: z.number().int().nullable(), interactions: z.number().int().describe('Of its own and within hops'), direct: z.array(MixerUse).nullable().describe('null: not looked into; of Bitcoin, mixers with an address in its newest 3,000 transactions'),
    has_more: z.boolean().describe(`true: mixers with an address are more than these ${mostMixers}, which interactions counts`),
    within_hops: z.array(TrailExposure).nullable().describe('By trails of two hops both ways, but what is in direct; null: not looked into'), complete: z.boolean().describe('Whether all its money was followed'), leads: z.array(MixerLead), leads_complete: z.boolean().describe('false: leads look at its newest 2,000 uses'), disclaimer: z.string(), coverage_status: CoverageStatus,
  }),
  empty: async ({ address, chain, direct, complete, coverage_status }, ask) => {
    const stored = storedChain({ id: chain })
    if (stored === null) return emptyUnlessStored({ chain })
    if (direct === null && !fits(address, stored, ask)) return emptyBecause('unsupported_input')
    if (direct !== null && !complete) return emptyBecause('data_gap')
    // Which addresses are mixers labels say, and which tokens count lists.
    const untold = emptyIfUnlabelled({ coverage_status }) ?? emptyIfUnlisted({ coverage_status })
    if (direct !== null && untold !== null) return untold
    // Nothing is indexed, or what it did since the newest block is not known.
    return emptyBecause(await ask.services.coverage.silence(stored) ?? (direct === null ? 'data_gap' : 'no_mixer_match'))
  },
  run: async (input, ask) => {
    const address = plainAddress(input.address)
    const asked = chainOf(input.chain)
    const chain = chainOfAddress(asked, address)
    const stored = storedChain(chain)
    const [{ bounds }, status] = await Promise.all([ask.services.coverage.view(), ask.services.coverage.status(asked.id)])
    const upto = stored === null || !fits(address, stored, ask) ? undefined : bounds.get(stored)?.newest
    const [used, exposed] = stored === null || upto === undefined ? [null, notLooked] as const : await readBoth(address, stored, upto, ask)
    const own = new Set(used?.uses.map(({ mixer }) => mixer))
    const within = exposed.besides(own)?.filter(({ classification }) => classification === 'mixer') ?? null
    return {
      chain: chain.id, address, as_of_block: upto ?? null, interactions: (used?.uses.length ?? 0) + (within?.length ?? 0), direct: used?.uses ?? null, has_more: used?.more ?? false, within_hops: within, complete: exposed.complete, leads: used?.leads ?? [], leads_complete: used?.compared ?? false, disclaimer, coverage_status: used === null ? status : await unlessListed(exposed, await withUnlabelled(withMissing(status, bounds.get(chain.id)), chain.id, ask), chain.id, ask),
    }
  },
})
