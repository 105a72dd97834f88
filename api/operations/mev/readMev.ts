/** Reads finds of extracted value below a sort position. */
import type { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import type { Ask } from '../../operation.js'
import { newestHeight } from '../../pages.js'
import { Find, type Position } from './find.js'

const listMev = loadSql(import.meta.url, 'listMev.sql')
const bare = (text: string | undefined): string => (text ?? '').replace(/^0x/i, '').toLowerCase()

/** Hex with 0x; heights inclusive. `event` is the hash of a find or of a transaction. */
export interface MevQuery {
  readonly chain: string; readonly limit: number; readonly kind?: string | undefined; readonly searcher?: string | undefined; readonly pool?: string | undefined; readonly event?: string | undefined
  readonly from?: number | undefined; readonly to?: number | undefined; readonly below?: z.infer<typeof Position> | undefined
}

export const readMev = (query: MevQuery, ask: Ask): Promise<z.infer<typeof Find>[]> => ask.store.query(listMev, {
  chain: query.chain, kind: query.kind ?? '', searcher: bare(query.searcher), pool: bare(query.pool), event: bare(query.event), from: query.from ?? 0, to: query.to ?? newestHeight,
  block: query.below?.[0] ?? newestHeight, id: bare(query.below?.[1] ?? 'ff'.repeat(32)), limit: query.limit,
}, Find)
