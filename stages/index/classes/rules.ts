/** The rules that derive classes of addresses from what the chain shows. A rule whose words or numbers change gets a new version, in its file and here. */
import { loadSql, type SqlFile } from '../../../schemas/sql.js'

/** id: also the file and what labels name as their rule. classification: what it makes of an address. rowsEach: it keeps something of every address there ever was, and is given a slice of them for each so many rows of history; left out: all at once. */
export interface Rule { readonly id: string; readonly version: number; readonly classification: string; readonly level: string; readonly says: string; readonly rowsEach?: number; readonly sql: SqlFile }

const rule = (id: string, classification: string, level: string, says: string, version = 1, sliced: { readonly rowsEach?: number } = {}): Rule => ({ id, version, classification, level, says, ...sliced, sql: loadSql(import.meta.url, `${id}.sql`) })

/**
 * Measured on 40 million movements by address and 20 million logs: a slice of exchange_deposit takes 4 s and 600 MB (all at once 67 s and 2.8 GB), contract 7 s and 500 MB.
 * Logs are not sorted by address, so contract reads all their addresses for each slice: it has few. Each rule reads the ledger alone and no other rule's labels, so their order says nothing.
 */
export const rules: readonly Rule[] = [
  rule('exchange_deposit', 'exchange_deposit', 'heuristic', 'Sends to one exchange only, first within a day of what it got, and 0.9 to 1.1 of it', 2, { rowsEach: 8_000_000 }),
  rule('exchange_hot', 'exchange_hot', 'heuristic', 'A labelled address of an exchange that paid 10 or more strangers in 30 days', 2),
  rule('exchange_cold', 'exchange_cold', 'heuristic', 'A labelled address of an exchange that took in a million USD and paid only its own, what it sent to itself aside', 3),
  rule('dex_pool', 'dex', 'ledger_immanent', 'A pool that a known factory created'),
  rule('mixer_pool', 'mixer', 'heuristic', 'Told two or more events of the form of Tornado Cash'),
  rule('mev_bot', 'mev_bot', 'heuristic', 'Took two or more sandwiches, arbitrages or just-in-time mints of grade medium or high'),
  rule('contract', 'contract', 'ledger_immanent', 'Emitted a log and signed no transaction, or was created by a transaction', 2, { rowsEach: 500_000_000 }),
  rule('whale', 'whale', 'heuristic', 'Signs for itself, is named by nobody, and moved ten million USD to or from others in movements of a million or more in 30 days, of the coin and listed tokens', 4),
  rule('fresh_wallet', 'fresh', 'ledger_immanent', 'Sent its first transaction within 7 days and received 100,000 USD or more from others, of the coin and listed tokens', 3),
]
