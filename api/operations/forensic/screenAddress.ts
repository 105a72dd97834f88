import { z } from 'zod'
import { emptyBecause } from '../../empty.js'
import { operation } from '../../operation.js'
import { millis, skipField } from '../../fields.js'
import { remainderAfter, rowsAfter } from '../../remainder.js'
import { asOfField, screenedChain, screenedField } from './screenable.js'
import { registers, screen, Screening, silenceOfRegisters } from './screening.js'

export default operation({
  name: 'screen_address', aliases: ['screen_sanctions', 'check_sanctions', 'forensic_screen'], route: 'POST /v1/forensic/screen', auth: 'key', lane: 'forensic', tool: true, sources: registers, rows: 'matches', record: 'designations',
  summary: 'Whether an address is on the sanctions registers (OFAC, UK, IL, JP), on any chain. UNKNOWN is no clearance. Use get_wallet_compliance for the whole picture.',
  input: z.object({ address: screenedField, chain: z.string().min(1).max(64).default('ALL').describe('Chain id, also TRON, LTC, XMR and others; all are asked'), as_of: asOfField, offset: skipField }),
  remainder: (args, { matches }, given) => remainderAfter(args, matches.length, given),
  output: Screening.extend({ address: z.string().describe('In lower case'), chain: z.string() }),
  empty: ({ sanctions_status: status, registers: asked }) => emptyBecause(status === 'NO_MATCH' ? 'no_sanctions_match' : silenceOfRegisters(asked) ?? 'unsupported_input'),
  run: async (input, ask) => {
    const chain = screenedChain(input.chain)
    const screened = await screen(input.address, ask, millis(input.as_of) ?? undefined)
    return { address: input.address.toLowerCase(), chain, ...screened, matches: rowsAfter(screened.matches, input.offset) }
  },
})
