import { z } from 'zod'
import { findChain, chains } from '../../../schemas/chains.js'
import { emptyBecause } from '../../empty.js'
import { unknownChain } from '../../faults.js'
import { operation } from '../../operation.js'
import { addressField } from '../../fields.js'
import { registers, screen, Screening } from './screening.js'

/** Chains whose addresses registers list, beside those of this service. */
const listedChains: Readonly<Record<string, string>> = {
  TRON: 'TRON', TRX: 'TRON', LTC: 'LTC', XMR: 'XMR', ZEC: 'ZEC', DASH: 'DASH', BCH: 'BCH', BSV: 'BSV', BTG: 'BTG', ETC: 'ETC', XVG: 'XVG', XRP: 'XRP', BSC: 'BSC', XBT: 'BTC',
}
const screenable = [...new Set([...chains.map(({ id }) => id), ...Object.values(listedChains)])].sort()

export default operation({
  name: 'screen_address', aliases: ['screen_sanctions', 'check_sanctions', 'forensic_screen'], route: 'POST /v1/forensic/screen', auth: 'key', lane: 'forensic', tool: true, sources: registers, rows: 'matches', record: 'designations',
  summary: 'Whether an address is on the sanctions registers (OFAC, UK, IL, JP), on any chain. UNKNOWN is no clearance. Use get_wallet_compliance for the whole picture.',
  input: z.object({ address: addressField, chain: z.string().min(1).max(64).default('ALL').describe('Chain id, also TRON, LTC, XMR and others; screening asks all of them') }),
  output: Screening.extend({ address: z.string().describe('In lower case'), chain: z.string() }),
  empty: ({ sanctions_status: status }) => emptyBecause(status === 'NO_MATCH' ? 'no_sanctions_match' : 'data_gap'),
  run: async (input, ask) => {
    const chain = findChain(input.chain)?.id ?? listedChains[input.chain.toUpperCase()]
    if (chain === undefined) throw unknownChain(input.chain, screenable, 'Leave chain out to screen on all chains.')
    return { address: input.address.toLowerCase(), chain, ...await screen(input.address, ask) }
  },
})
