/** The normalize stage of Hyperliquid: what was heard, in any order, into rows; what must not stand twice waits for enrich. */
import { loadSql } from '../../../schemas/sql.js'
import { onlyWith, type Statements } from '../../stage.js'

const sql = (file: string) => loadSql(import.meta.url, file)
const heard = onlyWith(sql('families.sql'))

export const normalizeHyperliquid: Statements = [[
  heard('trades', sql('decode_trades.sql')), heard('fills', sql('decode_fills.sql')), heard('markets', sql('decode_markets.sql')), heard('leaders', sql('decode_leaderboard.sql')), heard('rest', sql('decode_rest.sql')),
]]
