/** alert: rules on the same rows share a statement. A rule reads what enrich wrote and its own threshold. */
import { loadSql } from '../../schemas/sql.js'
import { onlyWith, type Statements } from '../stage.js'

const sql = (file: string) => loadSql(import.meta.url, `rules/${file}`)
const rare = onlyWith(loadSql(import.meta.url, '../present.sql'))
const watching = onlyWith(loadSql(import.meta.url, 'watching.sql'))

export const alertStatements: Statements = [
  [rare('alerting', sql('transfers.sql')), rare('stablecoins', sql('stablecoins.sql')), watching('watched', sql('watched.sql'))],
  [rare('created', sql('new_pool.sql')), rare('liquidated', sql('liquidation.sql')), rare('led', sql('copy_trade.sql'))],
]

/** Bitcoin: rules on what transactions move between owners, and whoever of those that are watched received or spent. */
export const alertBitcoin: Statements = [[sql('bitcoin.sql'), watching('watched', sql('watched_bitcoin.sql'))]]

const venue = onlyWith(loadSql(import.meta.url, 'presentHyperliquid.sql'))

/** Hyperliquid: what the venue closed by force, and what accounts that gained before open. */
export const alertHyperliquid: Statements = [[venue('forced', sql('hyperliquid_liquidations.sql')), venue('opened', sql('hyperliquid_copy_trade.sql'))]]
