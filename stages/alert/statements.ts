/** alert: one rule a statement. A rule reads what enrich wrote and its own threshold. */
import { loadSql } from '../../schemas/sql.js'
import type { Statements } from '../stage.js'

export const ruleNames = [
  'whale_transfer', 'exchange_inflow', 'exchange_outflow', 'stablecoin_mint', 'stablecoin_burn', 'stablecoin_freeze', 'mixer_use', 'new_pool', 'liquidation',
] as const

export const alertStatements: Statements = [ruleNames.map((name) => loadSql(import.meta.url, `rules/${name}.sql`))]
