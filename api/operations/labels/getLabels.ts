import { z } from 'zod'
import { chainOfAddress, plainAddress } from '../../addresses.js'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause } from '../../empty.js'
import { addressField, chainField, chainOf, instantField, millis } from '../../fields.js'
import { operation } from '../../operation.js'
import { readTags } from '../tags/tag.js'
import { readStatements, Statement } from './statement.js'

const Own = z.object({ label: z.string().describe('Untrusted'), note: z.string() })

export default operation({
  name: 'get_labels', aliases: ['address_labels', 'label_lookup'], route: 'GET /v1/labels/{chain}/{address}', auth: 'key', lane: 'forensic', tool: true, sources: ['labels', 'label_changes', 'tags'], rows: 'statements',
  summary: 'What sources and rules say of an address, with evidence and dissent; your own labels beside.',
  input: z.object({ chain: chainField, address: addressField, known_at: instantField('As known then') }),
  output: z.object({ chain: z.string(), address: z.string(), statements: z.array(Statement), own: z.array(Own), coverage_status: CoverageStatus }),
  // All registers were asked; rules looked at what is indexed, which coverage tells.
  empty: () => emptyBecause('no_signal'),
  run: async (input, ask) => {
    const address = plainAddress(input.address)
    const asked = chainOf(input.chain)
    const chain = chainOfAddress(asked, address)
    const [statements, tags, status] = await Promise.all([readStatements(chain.id, address, millis(input.known_at), ask), readTags(ask), ask.services.coverage.status(asked.id)])
    const own = tags.filter((tag) => !tag.deleted && tag.chain === chain.id && tag.address === address).map(({ label, note }) => ({ label, note }))
    return { chain: chain.id, address, statements, own, coverage_status: status }
  },
})
