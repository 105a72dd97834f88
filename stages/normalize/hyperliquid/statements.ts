/** The normalize stage of Hyperliquid: what was heard, in any order, into rows; what must not stand twice waits for enrich. */
import { loadSql } from '../../../schemas/sql.js'
import type { Statements } from '../../stage.js'

export const normalizeHyperliquid: Statements = [[loadSql(import.meta.url, 'decode.sql')]]
