/** Enrich of Hyperliquid, in the order of segments: what was heard before is left out, so nothing stands twice whoever said it again. */
import { loadSql } from '../../../schemas/sql.js'
import { onlyWith, type Statements } from '../../stage.js'

const sql = (file: string) => loadSql(import.meta.url, file)
const once = onlyWith(sql('present.sql'))

export const enrichHyperliquid: Statements = [[
  once('fills', sql('fills.sql')), once('trades', sql('trades.sql')), once('forced', sql('liquidations.sql')),
  once('payments', sql('funding_payments.sql')), once('rates', sql('funding_rates.sql')), once('updates', sql('ledger_updates.sql')),
], [sql('forget.sql')]]
