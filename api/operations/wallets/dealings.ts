/** With whom an address dealt directly. On Bitcoin that is worked out from whole transactions: a row of one address there names no more than one of the others. */
import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import type { Ask } from '../../operation.js'

const listCounterparties = loadSql(import.meta.url, 'listCounterparties.sql')
const listExposures = loadSql(import.meta.url, 'listExposures.sql')
const listBtcDealings = loadSql(import.meta.url, 'listBtcDealings.sql')

/** Newest transactions of an address of Bitcoin that are looked through: each costs a granule of inputs and one of outputs. 3,000 in as many blocks, of an address with a million rows, took 0.9 s on two cores. */
export const newestTxs = 3_000
const topCounterparties = 10
/** Classes there are, and more. */
const everyClass = 1_000

/** Only of Bitcoin: whether all its transactions were looked through, and whether `rows` are all it dealt with: with an input that is not known somebody is missing. */
export interface Dealings<Row> { readonly rows: Row[]; readonly looked: boolean | undefined; readonly complete: boolean | undefined; /** Dollars it moved where nobody's share is known, at most: in no row's sums. */ readonly unassigned: number }
/** What complete: false means, for an answer's fields. */
export const incomplete = `Only of Bitcoin. false: of its newest ${newestTxs} transactions alone, or an input of them is not known, and so who else paid`
interface Of { readonly chain: string; readonly address: string; /** Transfers of the address, as they are counted. */ readonly transfers: number; /** The cluster that the address is in: its other addresses are no owner's by it. */ readonly own: string | null | undefined }

/** With the ten it moved most value with, or with every class of them (`classes`); `row` is one of them. */
export const readDealings = async <Row extends z.ZodRawShape>({ transfers, own, ...of }: Of, classes: boolean, row: z.ZodObject<Row>, ask: Ask): Promise<Dealings<z.infer<z.ZodObject<Row>>>> => {
  if (of.chain !== 'BTC') return { rows: await ask.store.query(classes ? listExposures : listCounterparties, of, row), looked: undefined, complete: undefined, unassigned: 0 }
  const found = await ask.store.query(listBtcDealings, { ...of, classes, own: classes ? own ?? '' : '', most: newestTxs, limit: classes ? everyClass : topCounterparties }, z.looseObject({ cluster: z.string().nullable(), cut: z.coerce.boolean(), unresolved: z.coerce.boolean(), unassigned: z.number() }))
  const looked = found[0] === undefined ? transfers <= newestTxs : !found[0].cut
  // One by one they are marked by their cluster, without its owner.
  return { rows: row.array().parse(found.map((one) => (!classes && one.cluster !== null && one.cluster === own ? { ...one, entity: '', classification: 'unknown' } : one))), looked, complete: looked && found[0]?.unresolved !== true, unassigned: found[0]?.unassigned ?? 0 }
}
