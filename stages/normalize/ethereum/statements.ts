/** The normalize stage of Ethereum: raw answers to typed rows, one statement for each file beside this one. */
import { loadSql } from '../../../schemas/sql.js'
import type { Statements } from '../../stage.js'

const sql = (file: string) => loadSql(import.meta.url, file)

/** Groups in order; statements of a group read nothing that the group writes. */
export const normalizeEthereum: Statements = [
  [sql('transactions.sql'), sql('withdrawals.sql')],
  [sql('logs.sql')],
  [sql('blocks.sql'), sql('movements.sql'), sql('internal.sql')],
  [sql('swap_legs.sql')],
  [sql('pool_sightings.sql')],
]
