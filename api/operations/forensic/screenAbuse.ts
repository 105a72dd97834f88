import { z } from 'zod'
import { Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { chainOfAddress, fits, labelKey, plainAddress } from '../../addresses.js'
import { cut, firstOf } from '../../cut.js'
import { emptyBecause } from '../../empty.js'
import { addressField, chainField, chainOf, skipField } from '../../fields.js'
import { operation } from '../../operation.js'
import { remainderAfter, rowsAfter } from '../../remainder.js'
import { untrusted } from '../../untrusted.js'

const listAbuse = loadSql(import.meta.url, 'listAbuse.sql')
const listAbuseLists = loadSql(import.meta.url, 'listAbuseLists.sql')
/** Classes that are a report of abuse; listings of authorities are screen_address's. */
const classes = ['scam', 'hack', 'ransomware', 'extremism', 'blacklisted'] as const

const Report = z.object({
  classification: z.enum(classes), label: z.string().describe('Untrusted text'), entity: z.string(), source: z.string(), list: z.string().describe('List within the source'), confidence: z.number().int(), official: z.boolean().describe('Published by an authority or the service itself: it goes before all but what is set by hand here'), valid_from: Instant,
  reference: z.string().nullable().describe('Where the source says so: untrusted'),
})
const shown = z.string().transform((raw) => untrusted(raw, 100))
const Row = Report.extend({ label: shown, entity: shown, list: shown, reference: z.string().transform((raw) => (raw === '' ? null : untrusted(raw, 300))) })
const List = z.object({ source: z.string(), addresses: z.number().int().describe('With a report, on this chain'), version: z.string().nullable(), sha256: z.string().nullable(), loaded_at: Instant.nullable() })

/** In one answer. */
const most = 100

/** Chains whose addresses have a form of their own that is checked. */
const checked = new Set(['ETH', 'BTC'])

export default operation({
  name: 'screen_abuse', aliases: ['check_abuse'], route: 'GET /v1/forensic/abuse/{address}', auth: 'key', lane: 'forensic', tool: true, cacheSeconds: 30, sources: ['labels'], rows: 'reports',
  summary: 'What community lists report of an address: scam, hack, ransomware, extremism, blacklists. screen_address asks the sanctions lists.',
  input: z.object({ address: addressField, chain: chainField.default('ALL'), offset: skipField }),
  remainder: (args, { reports }, given) => remainderAfter(args, reports.length, given),
  output: z.object({ chain: z.string(), address: z.string(), count: z.number().int(), reports: z.array(Report).describe(`${most} at most`), has_more: cut('skip these'), screened: z.array(List).describe('Lists that were asked; [] where none knows the chain, or the address is none of it') }),
  empty: ({ chain, address, screened }, ask) => emptyBecause(checked.has(chain) && !fits(address, chain, ask) ? 'unsupported_input' : screened.length === 0 ? 'data_gap' : 'no_abuse_match'),
  run: async (input, ask) => {
    const { store, signal } = ask
    const address = plainAddress(input.address)
    const chain = chainOfAddress(chainOf(input.chain), address)
    if (checked.has(chain.id) && !fits(address, chain.id, ask)) return { chain: chain.id, address, count: 0, reports: [], has_more: false, screened: [] }
    const [found, screened] = await Promise.all([
      store.query(listAbuse, { chain: chain.id, address: labelKey(address, chain.id), classes, limit: input.offset + most + 1 }, Row, {}, signal), store.query(listAbuseLists, { chain: chain.id, classes }, List, {}, signal),
    ])
    const { rows: reports, count, has_more } = firstOf(rowsAfter(found, input.offset), most)
    return { chain: chain.id, address, count, reports, has_more, screened }
  },
})
