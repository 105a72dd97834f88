/** enrich: prices in the order they build on each other (oracles and pegs, the coin, tokens, tokens through tokens), then values and labels. */
import { loadSql } from '../../schemas/sql.js'
import type { Statements } from '../stage.js'

const sql = (file: string) => loadSql(import.meta.url, file)

export const enrichStatements: Statements = [
  [sql('prices_chainlink.sql'), sql('prices_peg.sql')],
  [sql('prices_coin.sql')],
  [sql('prices_tokens.sql')],
  [sql('prices_two_hop.sql')],
  [sql('transfers.sql'), sql('swaps.sql')],
]
