/** Which of some transactions are CoinJoins: of what leaves one nobody in particular is the sender, and of what goes in nobody the receiver. */
import { z } from 'zod'
import { Hash } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import type { Ask } from '../../operation.js'

const coinjoinsWithin = loadSql(import.meta.url, 'coinjoinsWithin.sql')

/** Hashes of CoinJoins (of confidence 50 and more) in the blocks of `rows`, which are of Bitcoin. */
export const joinedAmong = async (rows: readonly { readonly block_number: number }[], ask: Ask): Promise<ReadonlySet<string>> => {
  const blocks = [...new Set(rows.map(({ block_number: block }) => block))]
  return new Set(blocks.length === 0 ? [] : (await ask.store.query(coinjoinsWithin, { blocks }, z.object({ tx_hash: Hash }))).map(({ tx_hash: hash }) => hash))
}
