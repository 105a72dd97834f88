import { z } from 'zod'
import { chains } from '../../../schemas/chains.js'
import { fits, plainAddress } from '../../addresses.js'
import { CoverageStatus } from '../../coverage.js'
import { Empty, emptyBecause } from '../../empty.js'
import { addressField } from '../../fields.js'
import { operation, type Ask } from '../../operation.js'
import { isWhole, withMissing } from '../../reach.js'
import { emptyUnlessStored } from '../../span.js'
import { Statement } from '../labels/statement.js'
import { Profile, readKnown } from './profile.js'

const OnChain = z.object({
  chain: z.string(), profile: Profile.nullable(), labels: z.array(Statement), empty: Empty.optional().describe('Why there is no profile'), coverage_status: CoverageStatus,
})

const onChain = async (address: string, chain: (typeof chains)[number], ask: Ask): Promise<z.infer<typeof OnChain>> => {
  const { coverage } = ask.services
  const [known, status, silence, { bounds }] = await Promise.all([readKnown(address, chain, ask), coverage.status(chain.id), coverage.silence(chain.id), coverage.view()])
  const empty = emptyUnlessStored({ chain: chain.id }) ?? emptyBecause(fits(address, chain.id, ask) ? silence ?? (isWhole(bounds.get(chain.id)) ? 'no_signal' : 'data_gap') : 'unsupported_input')
  return { chain: chain.id, profile: known.profile, labels: known.labels, ...(known.profile === null ? { empty } : {}), coverage_status: withMissing(status, bounds.get(chain.id)) }
}

export default operation({
  name: 'get_wallet_all_chains', aliases: ['wallet_all_chains'], route: 'GET /v1/wallets/{address}/all-chains', auth: 'key', lane: 'behavioral', tool: true, cacheSeconds: 15, sources: ['transfers', 'labels', 'label_changes'], rows: 'profiles',
  summary: 'One address on every chain: its profile, or why there is none. Use get_wallet for tokens and counterparties.',
  input: z.object({ address: addressField }),
  output: z.object({ address: z.string(), seen_on: z.array(z.string()), profiles: z.array(OnChain), coverage_status: CoverageStatus }),
  run: async (input, ask) => {
    const address = plainAddress(input.address)
    const [status, ...profiles] = await Promise.all([
      ask.services.coverage.status('ALL'), ...chains.filter(({ status: state }) => state !== 'aggregate' && state !== 'unbacked').map((chain) => onChain(address, chain, ask)),
    ])
    return { address, seen_on: profiles.filter(({ profile }) => profile !== null).map(({ chain }) => chain), profiles, coverage_status: status }
  },
})
