import { z } from 'zod'
import { Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { cursorField, limitField, millis, sinceField } from '../../fields.js'
import { operation } from '../../operation.js'
import { untrusted } from '../../untrusted.js'
import { registers } from './screening.js'

const listSanctionsChanges = loadSql(import.meta.url, 'listSanctionsChanges.sql')
const text = z.string().transform((raw) => untrusted(raw, 300))
const Change = z.object({
  at: Instant, source: z.enum(registers), list_version: z.string(), change: z.enum(['added', 'removed']), asset: z.string(), address: z.string().describe('As the list writes it'), chain: z.string(), list_id: z.string(), entity_name: z.string(),
})
const Row = Change.extend({ address: text, list_id: z.string(), entity_name: text, key: z.string(), position: z.coerce.number() })
const Position = z.tuple([z.number(), z.string(), z.string(), z.string(), z.string()])

export default operation({
  name: 'list_sanctions_changes', route: 'GET /v1/forensic/lists/changes', auth: 'key', lane: 'forensic', tool: false, sources: ['sanctions_changes'], rows: 'changes',
  summary: 'What new versions of sanctions lists added and removed, oldest first; next_cursor follows on later.',
  input: z.object({ source: z.enum(registers).optional().describe('One register'), since: sinceField, limit: limitField(1_000, 100), cursor: cursorField }),
  output: z.object({ count: z.number().int(), changes: z.array(Change), next_cursor: z.string().nullable(), has_more: z.boolean() }),
  run: async (input, { store, services: { cursors } }) => {
    const inputs = { source: input.source ?? null, since: input.since ?? null }
    const [at, register, key, id, asset] = input.cursor === undefined ? [0, '', '', '', ''] as const : cursors.read('list_sanctions_changes', inputs, input.cursor, Position)
    const rows = await store.query(listSanctionsChanges, { register: input.source ?? '', since: millis(input.since) ?? 0, at, register_after: register, key_after: key, id_after: id, asset_after: asset, limit: input.limit + 1 }, Row)
    const page = rows.slice(0, input.limit)
    const last = page.at(-1)
    const next = last === undefined ? input.cursor ?? null : cursors.write('list_sanctions_changes', inputs, [last.position, last.source, last.key, last.list_id, last.asset])
    return { count: page.length, changes: page.map(({ key: _, position: __, ...change }) => ({ ...change, list_id: untrusted(change.list_id, 100) })), next_cursor: next, has_more: rows.length > input.limit }
  },
})
