/** index: rows by address, aggregates per segment of blocks, text. They read what enrich wrote and not each other. */
import { loadSql } from '../../schemas/sql.js'
import { onlyWith, type Statements } from '../stage.js'

const sql = (file: string) => loadSql(import.meta.url, file)
const rare = onlyWith(sql('../present.sql'))
const versions = sql('segment_versions.sql')
const segments = (name: string) => ({ ...sql(`${name}_segments.sql`), given: versions })

export const indexStatements: Statements = [
  [sql('address_transfers.sql'), segments('address')],
  [segments('token'), segments('class'), segments('entity'), segments('pair')],
  [sql('chunks.sql'), rare('told', sql('chunks_transfers.sql')), rare('rare', sql('chunks_rare.sql'))],
]
