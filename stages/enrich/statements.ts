/** enrich: prices in the order they build on each other (oracles, pegs unless an oracle says otherwise, the coin, tokens, tokens through tokens), then values and labels. */
import { loadSql } from '../../schemas/sql.js'
import { resolveBitcoin } from '../normalize/bitcoin/statements.js'
import { onlyWith, type Statements } from '../stage.js'

const sql = (file: string) => loadSql(import.meta.url, file)
const rare = onlyWith(sql('present.sql'))

export const enrichStatements: Statements = [
  [rare('answers', sql('prices_chainlink.sql'))],
  [sql('prices_peg.sql')],
  [rare('uncovered', sql('prices_coin.sql'))],
  [rare('legs', sql('prices_tokens.sql'))],
  [rare('hops', sql('prices_two_hop.sql'))],
  [sql('transfers.sql'), rare('legs', sql('swaps.sql'))],
  [rare('legs', sql('wallet_trades.sql'))],
]

const [spent = [], sums = [], summed = [], moved = []] = resolveBitcoin

/** Bitcoin: what inputs spend, its price from Ethereum's side or the perps venue's oracle, then transactions as flows between owners, with which a block can be shown, and movements; then what each entity gained or lost. Whatever a group needs was written by those before it. */
export const enrichBitcoin: Statements = [
  spent,
  [...sums, sql('bitcoin/prices.sql')],
  [sql('bitcoin/flows.sql'), ...summed],
  [...moved, sql('bitcoin/entity_nets.sql'), sql('bitcoin/transfers.sql')],
]
