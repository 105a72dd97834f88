import { z } from 'zod'
import { operation } from '../../operation.js'
import { millis } from '../../fields.js'
import { asOfField, screenedChain, screenedField } from './screenable.js'
import { Asked, disclaimer, FoundShape, openDesk, registers, screenAt } from './screening.js'

const Counts = z.object({ MATCH: z.number().int(), NO_MATCH: z.number().int(), UNKNOWN: z.number().int() })

export default operation({
  name: 'screen_addresses', route: 'POST /v1/forensic/screen/batch', auth: 'key', lane: 'forensic', tool: false, sources: registers,
  summary: 'Up to 1,000 addresses against the sanctions registers, all against one version of each. A text that is no address is UNKNOWN and keeps its place.',
  input: z.object({ addresses: z.array(screenedField).min(1).max(1_000).describe('Addresses of any chain'), chain: z.string().min(1).max(64).default('ALL').describe('Chain id; screening asks all of them'), as_of: asOfField }),
  output: z.object({
    count: z.number().int(), chain: z.string(), statuses: Counts, results: z.array(FoundShape.extend({ address: z.string().describe('In lower case') })).describe('In the order asked'), registers: z.array(Asked), disclaimer: z.string(),
  }),
  run: async (input, ask) => {
    const chain = screenedChain(input.chain)
    const desk = await openDesk(ask, millis(input.as_of) ?? undefined)
    const statuses = { MATCH: 0, NO_MATCH: 0, UNKNOWN: 0 }
    const results = input.addresses.map((address) => {
      const found = screenAt(desk, address)
      statuses[found.sanctions_status] += 1
      return { address: address.toLowerCase(), ...found }
    })
    return { count: results.length, chain, statuses, results, registers: [...desk.asked], disclaimer }
  },
})
