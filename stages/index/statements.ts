/** index: rows by address, aggregates per segment of blocks, text. They read what enrich wrote, and what a group before theirs did. */
import { loadSql } from '../../schemas/sql.js'
import { onlyWith, type Statements } from '../stage.js'

const sql = (file: string) => loadSql(import.meta.url, file)
const rare = onlyWith(sql('../present.sql'))
const extracted = onlyWith(sql('mev/present.sql'))
const found = onlyWith(sql('mev/found.sql'))
const versions = sql('segment_versions.sql')
const segments = (name: string) => ({ ...sql(`${name}_segments.sql`), given: versions })

export const indexStatements: Statements = [
  [sql('address_transfers.sql'), segments('address')],
  [segments('token'), segments('class'), segments('entity_token'), segments('pair'), segments('top')],
  [extracted('sandwiched', sql('mev/sandwiches.sql')), extracted('cycled', sql('mev/arbitrages.sql')), extracted('served', sql('mev/jits.sql')), rare('liquidated', sql('mev/liquidations.sql'))],
  [found('found', sql('mev/mev.sql'))],
  [sql('chunks.sql'), rare('told', sql('chunks_transfers.sql')), rare('rare', sql('chunks_rare.sql'))],
]

const bitcoinSegments = (name: string) => ({ ...sql(`bitcoin/${name}_segments.sql`), given: versions })

/** Bitcoin: addresses and entities by exact inputs and outputs; tokens and classes as every chain. */
export const indexBitcoin: Statements = [
  [sql('bitcoin/address_transfers.sql'), bitcoinSegments('address'), sql('bitcoin/coinjoins.sql')],
  // Texts ask which transactions are CoinJoins.
  [segments('token'), segments('class'), bitcoinSegments('entity_token'), sql('bitcoin/chunks.sql')],
]
