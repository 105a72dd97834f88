/** Classes that rules found, for addresses of which no register knows one. */
import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import type { Ask } from '../../operation.js'
import { untrusted } from '../../untrusted.js'

const readByRules = loadSql(import.meta.url, 'readByRules.sql')
const shown = z.string().transform((raw) => untrusted(raw, 120))
const Said = z.object({ address: z.string(), label: shown, entity: shown, classification: z.string(), sure: z.number().int() })

interface Known { readonly address: string; readonly label: string; readonly entity: string; readonly classification: string; /** As the column of labels, 0 to 100. */ readonly sure?: number }
/** A row about an address, with what rules say where its class is unknown; names that a register gave stay. */
export type WithRules = <Row extends Known>(row: Row) => Row

/** What rules of `chain` say of `addresses` (some hundred at most; 0x and lower case), to be put into rows about them. */
export const readRules = async (addresses: readonly string[], chain: string, { store }: Pick<Ask, 'store'>): Promise<WithRules> => {
  const said = addresses.length === 0 ? new Map<string, z.infer<typeof Said>>() : new Map((await store.query(readByRules, { chain, addresses }, Said)).map((one) => [one.address, one]))
  return (row) => {
    const rule = row.classification === 'unknown' ? said.get(row.address) : undefined
    if (rule === undefined) return row
    return { ...row, label: row.label === '' ? rule.label : row.label, entity: row.entity === '' ? rule.entity : row.entity, classification: rule.classification, ...(row.sure === undefined ? {} : { sure: rule.sure }) }
  }
}
