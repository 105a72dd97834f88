/** What the stages after normalize run for each chain, and the tables of facts that a chain has beside the shared ones. */
import { alertBitcoin, alertHyperliquid, alertStatements } from './alert/statements.js'
import { enrichHyperliquid } from './enrich/hyperliquid/statements.js'
import { enrichBitcoin, enrichBitcoinTip, enrichStatements } from './enrich/statements.js'
import { indexBitcoin, indexStatements } from './index/statements.js'
import type { Statements } from './stage.js'

/** facts: tables of the chain's own with block_number and generation; they are rolled back and counted in the state digest. steps: such as are rolled back and not counted: other tables are made of them, they hang on who watched or on what a schedule had found, or they go after a while. */
export interface ChainLists { readonly enrich: Statements; /** The same in another order, for a block alone. */ readonly enrichTip?: Statements; readonly index: Statements; readonly alert: Statements; readonly facts: readonly string[]; readonly steps: readonly string[]; /** Shared tables of facts that versions before filled for the chain: nobody reads those rows. */ readonly left?: readonly string[] }

export const chainLists: Readonly<Record<string, ChainLists>> = {
  ETH: { enrich: enrichStatements, index: indexStatements, alert: alertStatements, facts: ['address_fees'], steps: ['watched_transfers'] },
  BTC: { enrich: enrichBitcoin, enrichTip: enrichBitcoinTip, index: indexBitcoin, alert: alertBitcoin, facts: ['btc_blocks', 'btc_transactions', 'btc_outputs', 'btc_inputs', 'btc_txids', 'btc_spends', 'btc_flows', 'btc_entity_nets', 'btc_coinjoins'], steps: ['btc_read_blocks', 'btc_read_transactions', 'btc_read_inputs', 'watched_transfers'], left: ['movements'] },
  HL: {
    enrich: enrichHyperliquid, index: [], alert: alertHyperliquid,
    facts: ['hl_fills', 'hl_trades', 'hl_liquidations', 'hl_funding_payments', 'hl_funding_rates', 'hl_ledger_updates', 'hl_coins', 'hl_predicted_fundings', 'hl_candles', 'hl_records', 'hl_unknown', 'hl_gaps'],
    steps: ['hl_read_fills', 'hl_read_trades', 'hl_read_funding_payments', 'hl_read_funding_rates', 'hl_read_ledger_updates', 'hl_account_fills', 'hl_touched', 'hl_alerts', 'hl_leaderboard', 'hl_books', 'hl_contexts', 'hl_mids', 'hl_accounts', 'hl_positions'],
  },
}

/** The lists of a chain by id; one without lists has nothing to run. */
export const listsOf = (chain: string): ChainLists => chainLists[chain] ?? { enrich: [], index: [], alert: [], facts: [], steps: [] }
