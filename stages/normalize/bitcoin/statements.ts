/** The normalize stage of Bitcoin, in two halves: reading blocks takes batches in any order, resolving what they spend takes them in the order of blocks. */
import { loadSql } from '../../../schemas/sql.js'
import { onlyWith, type Statements } from '../../stage.js'
import { rawBlocks } from './rawBlocks.js'

const sql = (file: string) => loadSql(import.meta.url, file)
/** What there is to read of a batch. */
export const presentBitcoin = sql('present.sql')
const rare = onlyWith(presentBitcoin)

/** Bytes or JSON to outputs, and as far as the node says what is spent to inputs and transactions. */
export const normalizeBitcoin: Statements = [
  [{ ...sql('decode_raw.sql'), data: rawBlocks }, rare('json', sql('decode_json.sql'))],
]

/** What is due before a batch is valued; the statements that hang on it. */
export const stillRead = sql('due.sql')
export const dueBitcoin = onlyWith(stillRead)

/** Inputs found among our own outputs, then what follows from them. It is the beginning of enrich, the stage that goes in order: what is below a batch is complete then. */
export const resolvingBitcoin = { spent: [dueBitcoin('read', sql('inputs.sql'))], sums: [dueBitcoin('read', sql('transactions.sql'))], shown: [sql('blocks.sql')], checked: [sql('claims.sql')] } satisfies Record<string, Statements[number]>
