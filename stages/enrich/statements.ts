/** enrich: prices in the order they build on each other (oracles, pegs unless an oracle says otherwise, the coin, tokens, tokens through tokens), then values and labels. */
import { loadSql } from '../../schemas/sql.js'
import { dueBitcoin, resolvingBitcoin } from '../normalize/bitcoin/statements.js'
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

const { spent, sums, shown, checked } = resolvingBitcoin
const valued: Statements = [spent, [...sums, dueBitcoin('told', sql('bitcoin/prices.sql'))]], flows = sql('bitcoin/flows.sql'), nets = sql('bitcoin/entity_nets.sql'), transfers = sql('bitcoin/transfers.sql')

/** Bitcoin: what inputs spend, its price from Ethereum's side or the perps venue's oracle, then transactions as flows between owners, and what moved between parties; then what each entity gained or lost. Whatever a group needs was written by those before it. */
export const enrichBitcoin: Statements = [...valued, [flows, ...shown, transfers], [...checked, nets]]
/** A block at the tip: what is asked about first comes first, the rest one by one, so that whoever asks for the block meanwhile is answered beside it. */
export const enrichBitcoinTip: Statements = [...valued, [flows, ...shown], [transfers], [nets], checked]
