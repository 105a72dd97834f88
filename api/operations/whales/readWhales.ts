/** Reads movements of one chain below a sort position. */
import type { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { millis } from '../../fields.js'
import type { Ask } from '../../operation.js'
import { PerpsWhaleRow, WhaleRow, type PerpsPosition, type Position } from './whale.js'

const listWhales = loadSql(import.meta.url, 'listWhales.sql')
const listPerpsWhales = loadSql(import.meta.url, 'listPerpsWhales.sql')
/** Clocks differ: what is said to come from the next day is the newest. */
const dayMs = 86_400_000

export interface WhaleQuery {
  readonly chain: string; readonly minUsd: number; readonly limit: number; readonly since?: string | undefined; readonly until?: string | undefined
  /** Inclusive lowest block (default 0) and the position rows lie below (default: all). */
  readonly from?: number; readonly below?: z.infer<typeof Position> | undefined
}

export const newestPosition = ['18446744073709551615', 127, 4294967295, 4294967295] as const

export const readWhales = (query: WhaleQuery, ask: Ask): Promise<z.infer<typeof WhaleRow>[]> => {
  const [block, kind, position, sub] = query.below ?? newestPosition
  return ask.store.query(listWhales, {
    chain: query.chain, min_usd: query.minUsd, from: query.from ?? 0, block, kind, position, sub, limit: query.limit,
    since: millis(query.since) ?? 0, until: millis(query.until) ?? Date.UTC(2200, 0),
  }, WhaleRow)
}

/** The same of the perps venue: large trades and what was closed by force. */
export const readPerpsWhales = (query: Omit<WhaleQuery, 'chain' | 'from' | 'below'> & { readonly below?: z.infer<typeof PerpsPosition> | undefined }, ask: Ask): Promise<z.infer<typeof PerpsWhaleRow>[]> => {
  const [time, coin, tid, extra] = query.below ?? [Date.now() + dayMs, '', '0', '0']
  return ask.store.query(listPerpsWhales, { min_usd: query.minUsd, limit: query.limit, time, coin, tid, extra, since: millis(query.since) ?? 0, until: millis(query.until) ?? Date.UTC(2200, 0) }, PerpsWhaleRow)
}
