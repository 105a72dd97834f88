import { z } from 'zod'
import { Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause } from '../../empty.js'
import { storedField, chainOf, cursorField, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { untrusted } from '../../untrusted.js'

const listLabelChanges = loadSql(import.meta.url, 'listLabelChanges.sql'), isSource = loadSql(import.meta.url, 'isSource.sql')
const text = z.string().transform((raw) => untrusted(raw, 64))
const Change = z.object({
  version: z.number().int().describe('Run that noted it'), action: z.enum(['added', 'changed', 'removed']), at: Instant, chain: z.string(), address: z.string(), label: z.string(), entity: z.string(), classification: z.string(),
  source: z.string(), rule: z.string(), rule_version: z.number().int(), confidence_level: z.string(), confidence: z.number().int(), official: z.boolean().describe('As in a statement about an address'), valid_from: Instant, valid_to: Instant.nullable(),
})
const Row = Change.extend({ label: z.string(), entity: text, rule: text })
/** The last row: version, chain, address, source, label and (not in older cursors) when. */
const Position = z.tuple([z.number(), z.string(), z.string(), z.string(), z.string(), z.number().optional()])
/** Behind every time. */
const endOfTime = Date.UTC(2299, 0)

export default operation({
  name: 'list_label_changes', aliases: ['label_changes'], route: 'GET /v1/labels/changes', auth: 'key', lane: 'forensic', tool: true, sources: ['label_changes'], rows: 'changes', foreign: ['label', 'entity'],
  summary: 'Labels added, changed, removed, oldest first; next_cursor follows on later.',
  input: z.object({
    chain: storedField.optional(), source: z.string().min(1).max(80).optional().describe('Register, import, or rules'), since_version: z.number().int().min(0).default(0).describe('Versions after this'),
    limit: limitField(1_000, 100), cursor: cursorField,
  }),
  output: z.object({ count: z.number().int(), changes: z.array(Change), next_cursor: z.string().nullable(), has_more: z.boolean(), coverage_status: CoverageStatus }),
  // A name that no source has would make the empty answer look like evidence.
  empty: async (_output, ask, { source }) => (source === undefined || (await ask.store.query(isSource, { source }, z.object({ changes: z.number() }))).length > 0 ? null : emptyBecause('unsupported_input')),
  run: async (input, ask) => {
    const chain = input.chain === undefined ? null : chainOf(input.chain).id
    const inputs = { chain, source: input.source, since_version: input.since_version }
    const [version, afterChain, afterAddress, afterSource, afterLabel, afterAt = endOfTime] = input.cursor === undefined ? [input.since_version + 1, '', '', '', ''] as const : ask.services.cursors.read('list_label_changes', inputs, input.cursor, Position)
    const [rows, status] = await Promise.all([
      ask.store.query(listLabelChanges, {
        version, after_chain: afterChain, after_address: afterAddress, after_source: afterSource, after_label: afterLabel, after_at: afterAt, chain: chain === 'ALL' ? '' : chain ?? '', source: input.source ?? '', limit: input.limit + 1,
      }, Row),
      ask.services.coverage.status(chain ?? 'ALL'),
    ])
    const page = rows.slice(0, input.limit)
    const last = page.at(-1)
    const next = last === undefined ? input.cursor ?? null : ask.services.cursors.write('list_label_changes', inputs, [last.version, last.chain, last.address, last.source, last.label, Date.parse(last.at)])
    return { count: page.length, changes: page.map((row) => ({ ...row, label: untrusted(row.label, 64) })), next_cursor: next, has_more: rows.length > input.limit, coverage_status: status }
  },
})
