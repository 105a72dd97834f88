import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { chainOfAddress, plainAddress } from '../../addresses.js'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause } from '../../empty.js'
import { addressField, storedField, chainOf, instantField, millis, skipField } from '../../fields.js'
import { operation, type Ask } from '../../operation.js'
import { remainderAfter, rowsAfter } from '../../remainder.js'
import { emptyUnlessStored } from '../../span.js'
import { emptyIfUnlabelled, withUnlabelled } from '../../unlabelled.js'
import { readTags } from '../tags/tag.js'
import { moreIsSaid, mostStatements, readSaid, Statement } from './statement.js'

const notedThen = loadSql(import.meta.url, 'notedThen.sql')
const unnoted = 'No run over the labels had noted by then what registers said: what was known may be more than this'
/** A register that is loaded counts at once, and is history from the next run on. */
const wasNoted = async (at: number | null, ask: Ask): Promise<boolean> => at === null || (await ask.store.query(notedThen, { at }, z.object({ noted: z.coerce.boolean() })))[0]?.noted === true
const Own = z.object({ label: z.string().describe('Untrusted'), note: z.string() })

export default operation({
  name: 'get_labels', aliases: ['address_labels', 'label_lookup'], route: 'GET /v1/labels/{chain}/{address}', auth: 'key', lane: 'forensic', tool: true, sources: ['labels', 'label_changes', 'tags'], rows: 'statements', foreign: ['label', 'entity', 'reference', 'note'],
  summary: 'What sources and rules say of an address, with evidence and dissent; your own labels beside.',
  input: z.object({ chain: storedField, address: addressField, known_at: instantField('As known then'), offset: skipField }),
  remainder: (args, { statements }, given) => remainderAfter(args, statements.length, given),
  output: z.object({ chain: z.string(), address: z.string(), statements: z.array(Statement).describe('1,000 at most'), own: z.array(Own), coverage_status: CoverageStatus }),
  // All registers were asked, where there are any; rules looked at what is indexed, which coverage tells. Of chains without an index nobody says anything here.
  empty: (output) => emptyUnlessStored(output) ?? emptyIfUnlabelled(output) ?? emptyBecause(output.coverage_status.warnings.includes(unnoted) ? 'data_gap' : 'no_signal'),
  run: async (input, ask) => {
    const address = plainAddress(input.address)
    const asked = chainOf(input.chain)
    const chain = chainOfAddress(asked, address)
    const at = millis(input.known_at)
    const [all, tags, status, noted] = await Promise.all([readSaid(chain.id, address, at, ask), readTags(ask), ask.services.coverage.status(asked.id).then((told) => withUnlabelled(told, chain.id, ask)), wasNoted(at, ask)])
    const statements = all.slice(0, mostStatements), warnings = [...status.warnings, ...(noted ? [] : [unnoted]), ...(all.length > statements.length ? [moreIsSaid] : [])]
    const own = tags.filter((tag) => tag.chain === chain.id && tag.address === address).map(({ label, note }) => ({ label, note }))
    return { chain: chain.id, address, statements: rowsAfter(statements, input.offset), own, coverage_status: { ...status, warnings } }
  },
})
