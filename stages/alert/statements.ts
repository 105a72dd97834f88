/** alert: rules on the same rows share a statement. A rule reads what enrich wrote and its own threshold. */
import { loadSql } from '../../schemas/sql.js'
import { onlyWith, type Statements } from '../stage.js'

const sql = (file: string) => loadSql(import.meta.url, `rules/${file}`)
const rare = onlyWith(loadSql(import.meta.url, '../present.sql'))
const watched = onlyWith(loadSql(import.meta.url, 'watching.sql'))('watched', sql('watched.sql'))

export const alertStatements: Statements = [
  [rare('alerting', sql('transfers.sql')), rare('stablecoins', sql('stablecoins.sql')), watched],
  [rare('created', sql('new_pool.sql')), rare('liquidated', sql('liquidation.sql')), rare('led', sql('copy_trade.sql'))],
]

/** Bitcoin: rules on what transactions move between owners. */
export const alertBitcoin: Statements = [[sql('bitcoin.sql'), watched]]
