/** Pages of the venue's newest trades that lie in memory alone: what is asked many times a second is read without what stands. */
import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import type { LedgerView } from '../../ledgerView.js'
import type { Ask } from '../../operation.js'
import { At, Price, Size, Usd } from './fields.js'

/** A row of getHlRecent. coin as it is stored, by which pages go on; hash and accounts in plain hex; apart: what tells apart trades without an id; heard: by both sides. */
export const Recent = z.object({
  kind: z.enum(['trade', 'liquidation']), coin: z.string(), side: z.enum(['buy', 'sell']), price: Price, size: Size, value_usd: Usd, timestamp: At, hash: z.string(), trade_id: z.string(), apart: z.string(),
  buyer: z.string(), seller: z.string(), heard: z.boolean(), liquidated: z.string(), method: z.string(),
})
export type Recent = z.infer<typeof Recent>
export const nobody = '0'.repeat(40)

export interface Wanted { readonly from: number; readonly before: number; readonly min_usd: number; readonly limit: number; readonly entered: number | string }

const newestTrades = loadSql(import.meta.url, 'getHlNewest.sql')
const Newest = Recent.omit({ kind: true, apart: true, heard: true, liquidated: true, method: true }).extend({ newest: z.boolean() })
/** What waits for its stages is seconds old: of what stands no more is looked at, so that it costs the same however much stands. */
const recentMs = 30_000
/** Pages that memory had too few trades for, while a view of the ledger lives: asked again meanwhile, the look there would be paid for nothing. */
const short = new WeakMap<LedgerView, Set<string>>()

/** The rows of a first page where all of them are newer than anything that stands; undefined where they are not. */
export const readNewest = async (wanted: Wanted, view: LedgerView, ask: Pick<Ask, 'store'>): Promise<Recent[] | undefined> => {
  const page = `${wanted.min_usd} ${wanted.limit}`
  if (short.get(view)?.has(page) === true) return undefined
  const rows = await ask.store.query(newestTrades, { ...wanted, recent: Date.now() - recentMs }, Newest, { max_threads: 1 })
  if (rows.length < wanted.limit) { short.set(view, (short.get(view) ?? new Set()).add(page)); return undefined }
  if (rows.at(-1)?.newest !== true) return undefined
  return rows.map(({ coin, side, price, size, value_usd, timestamp, hash, trade_id, buyer, seller }) => ({ kind: 'trade', coin, side, price, size, value_usd, timestamp, hash, trade_id, apart: '0', buyer, seller, heard: true, liquidated: nobody, method: '' }))
}
