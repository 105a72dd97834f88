/** The normalize stage of Ethereum: raw answers to typed rows, one statement for each file beside this one. */
import { loadSql } from '../../../schemas/sql.js'
import { onlyWith, type Statements } from '../../stage.js'

const sql = (file: string) => loadSql(import.meta.url, file)
/** What there is in a batch. */
export const presentEthereum = sql('present.sql')
const rare = onlyWith(presentEthereum)

/** Groups in order; statements of a group read nothing that the group writes. */
export const normalizeEthereum: Statements = [
  [sql('decode.sql')],
  [sql('movements.sql'), rare('traced', sql('internal.sql')), rare('created', sql('pools_created.sql')), rare('agents', sql('agent_events.sql'))],
  [sql('swap_legs.sql')],
  [sql('pools_named.sql')],
]
