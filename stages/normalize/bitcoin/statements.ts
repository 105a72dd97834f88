/** The normalize stage of Bitcoin, in two halves: reading blocks takes batches in any order, resolving what they spend takes them in the order of blocks. */
import { loadSql } from '../../../schemas/sql.js'
import { onlyWith, type Statements } from '../../stage.js'
import { rawBlocks } from './rawBlocks.js'

const sql = (file: string) => loadSql(import.meta.url, file)
const rare = onlyWith(sql('present.sql'))

/** Bytes or JSON to outputs, and to inputs as far as the node says what they spend. */
export const normalizeBitcoin: Statements = [
  [{ ...sql('decode_raw.sql'), data: rawBlocks }, rare('json', sql('decode_json.sql'))],
]

/** Inputs found among our own outputs, then what follows from them, what others wait for first. They run first in enrich, the stage that goes in order: what is below a batch is complete then. */
export const resolveBitcoin: Statements = [
  [onlyWith(sql('unresolved.sql'))('inputs', sql('inputs.sql'))],
  [sql('transactions.sql')],
  [sql('blocks.sql'), sql('movements.sql')],
  [sql('claims.sql')],
]
