/** One statement about an address: what, by whom, how sure, since when, the rows it rests on, and who says otherwise. */
import { z } from 'zod'
import { Hash, Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { labelKey } from '../../addresses.js'
import type { Ask } from '../../operation.js'
import { untrusted } from '../../untrusted.js'

const Example = z.object({ block_number: z.number().int(), tx_hash: Hash, position: z.number().int() })
export const Evidence = z.object({
  as_of_height: z.number().int(), rows: z.number().int(), first_block: z.number().int(), last_block: z.number().int(), value_usd: z.number().nullable(),
  examples: z.array(Example).describe('Up to 3; position: log index, or place in the block'), facts: z.record(z.string(), z.string()),
})
const Said = z.object({
  label: z.string(), entity: z.string(), classification: z.string(), source: z.string().describe('Register, import, or rules'), rule: z.string(), rule_version: z.number().int(), confidence: z.number().int(), confidence_level: z.string(),
  official: z.boolean().describe('An authority\'s list, or what a service publishes of itself: it goes before all but what is set by hand here (level override)'),
  valid_from: Instant, valid_to: Instant.nullable(), known_since: Instant.nullable().describe('null: no run has noted it yet'), reference: z.string().nullable().describe('Where the source says so: untrusted'),
  evidence: Evidence.nullable().describe('Of a rule'),
})
export const Statement = Said.extend({ dissent: z.array(z.string()).describe('Sources that say otherwise') })
export type Statement = z.infer<typeof Statement>

const shown = z.string().transform((raw) => untrusted(raw, 64))
export const SaidRow = Said.extend({ label: shown, entity: shown, rule: shown, reference: z.string().transform((raw) => (raw === '' ? null : untrusted(raw, 300))) })

/** Classes that say what an address does beside what it is: they contradict nobody. */
const beside = new Set(['unknown', 'contract', 'token', 'whale', 'fresh', 'sanctioned', 'blacklisted'])
const familyOf = (classification: string): string => (classification.startsWith('exchange') ? 'exchange' : classification)
const nameOf = (entity: string): string => entity.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
const disagree = (one: z.infer<typeof Said>, other: z.infer<typeof Said>): boolean =>
  (!beside.has(one.classification) && !beside.has(other.classification) && familyOf(one.classification) !== familyOf(other.classification))
  || (one.entity !== '' && other.entity !== '' && nameOf(one.entity) !== nameOf(other.entity))

/** As the columns sure and precedence of labels have them. */
const sureOf = ({ official, confidence }: z.infer<typeof Said>): number => (official ? 100 : confidence)
const precedenceOf = ({ official, confidence_level: level }: z.infer<typeof Said>): number => (level === 'override' ? 2 : official ? 1 : 0)

const now = loadSql(import.meta.url, 'listStatements.sql')
const derived = loadSql(import.meta.url, 'listDerived.sql')
const then = loadSql(import.meta.url, 'listStatementsThen.sql')

/** As many statements as are told of one address, and what is said where there are more. */
export const mostStatements = 1_000, moreIsSaid = 'More is said of it than the 1,000 surest statements'

/** Statements about an address, the surest first: more than are told where there are more; `knownAt` (Unix milliseconds): as this installation knew them then, null: now. */
export const readSaid = async (chain: string, text: string, knownAt: number | null, ask: Ask): Promise<Statement[]> => {
  const address = labelKey(text, chain)
  const rows = knownAt !== null ? await ask.store.query(then, { chain, address, at: knownAt }, SaidRow) : (await Promise.all([now, derived].map((sql) => ask.store.query(sql, { chain, address }, SaidRow)))).flat()
    .sort((one, other) => sureOf(other) - sureOf(one) || precedenceOf(other) - precedenceOf(one) || Date.parse(other.valid_from) - Date.parse(one.valid_from))
  return rows.map((row) => ({ ...row, evidence: row.source === 'rules' ? row.evidence : null, dissent: [...new Set(rows.filter((other) => other.source !== row.source && disagree(row, other)).map(({ source }) => source))].sort() }))
}
