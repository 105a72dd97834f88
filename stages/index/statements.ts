/** index: rows by address, aggregates per segment of blocks, text. They read what enrich wrote and not each other. */
import { loadSql } from '../../schemas/sql.js'
import { onlyWith, type Statements } from '../stage.js'

const sql = (file: string) => loadSql(import.meta.url, file)
const rare = onlyWith(sql('../present.sql'))

export const indexStatements: Statements = [
  [sql('address_transfers.sql'), sql('address_segments.sql')],
  [sql('token_segments.sql'), sql('class_segments.sql'), sql('entity_segments.sql'), sql('pair_segments.sql')],
  [sql('chunks.sql'), rare('told', sql('chunks_transfers.sql')), rare('rare', sql('chunks_rare.sql'))],
]
