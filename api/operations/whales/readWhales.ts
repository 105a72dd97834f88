/** Reads movements of one chain below a sort position. */
import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { endOfTime, millis } from '../../fields.js'
import type { Ask } from '../../operation.js'
import { joinedAmong } from '../bitcoin/joined.js'
import { PerpsWhaleRow, WhaleRow, type PerpsPosition, type Position } from './whale.js'

const listWhales = loadSql(import.meta.url, 'listWhales.sql'), blocksWithin = loadSql(import.meta.url, 'blocksWithin.sql')
const listPerpsWhales = loadSql(import.meta.url, 'listPerpsWhales.sql')
/** Clocks differ: what is said to come from the next day is the newest. */
const dayMs = 86_400_000

export interface WhaleQuery {
  readonly chain: string; readonly minUsd: number; readonly limit: number; readonly since?: string | undefined; readonly until?: string | undefined
  /** Inclusive lowest block (default 0) and the position rows lie below (default: all). */
  readonly from?: number; readonly below?: z.infer<typeof Position> | undefined
}

export const newestPosition = ['18446744073709551615', 127, 4294967295, 4294967295] as const

const Within = z.object({ first: z.string(), last: z.string(), blocks: z.number() })

/** Of what comes out of a CoinJoin any of those who took part may be the sender. */
const oneOfMany = { from_address: `0x${'0'.repeat(40)}`, from_label: '', from_entity: '', from_class: 'coinjoin' }
const withoutJoinedSenders = async (rows: z.infer<typeof WhaleRow>[], ask: Ask): Promise<z.infer<typeof WhaleRow>[]> => {
  const joined = await joinedAmong(rows.filter(({ kind }) => kind === 'utxo'), ask)
  return rows.map((row) => (joined.has(row.tx_hash) ? { ...row, ...oneOfMany } : row))
}

export const readWhales = async ({ chain, minUsd, limit, from = 0, below, ...times }: WhaleQuery, ask: Ask): Promise<z.infer<typeof WhaleRow>[]> => {
  const [block, kind, position, sub] = below ?? newestPosition
  const [since, until] = [millis(times.since), millis(times.until)]
  const spanned = { chain, since: since ?? 0, until: until ?? endOfTime }
  // Heights are looked up only where times are given: planning it costs as much as the rest.
  const [within] = since === null && until === null ? [] : await ask.store.query(blocksWithin, spanned, Within)
  // Without a block of that time there are no heights to bound the reading with: it would go down to the first block.
  if (within?.blocks === 0) return []
  const lowest = within !== undefined && BigInt(within.first) > BigInt(from) ? within.first : from
  return withoutJoinedSenders(await ask.store.query(listWhales, { ...spanned, min_usd: minUsd, from: lowest, to: within?.last ?? newestPosition[0], block, kind, position, sub, limit }, WhaleRow), ask)
}

/** The same of the perps venue: large trades and what was closed by force. */
export const readPerpsWhales = (query: Omit<WhaleQuery, 'chain' | 'from' | 'below'> & { readonly below?: z.infer<typeof PerpsPosition> | undefined }, ask: Ask): Promise<z.infer<typeof PerpsWhaleRow>[]> => {
  const [time, coin, tid, extra] = query.below ?? [Date.now() + dayMs, '', '0', '0']
  return ask.store.query(listPerpsWhales, { min_usd: query.minUsd, limit: query.limit, time, coin, tid, extra, since: millis(query.since) ?? 0, until: millis(query.until) ?? endOfTime }, PerpsWhaleRow)
}
