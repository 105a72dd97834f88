/** Writes rows of `tokens`. */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Store } from '../../schemas/clickhouse.js'

/** One token; address in lower-case hex with 0x. */
export interface TokenRow {
  readonly chain: string; readonly address: string; readonly symbol: string; readonly name: string; readonly decimals: number | null
  readonly stable: boolean; readonly source: string; readonly version: number
}

const statement = `INSERT INTO tokens (chain, address, symbol, name, decimals, stable, source, version)
  SELECT chain, toFixedString(unhex(substring(address, 3)), 20), symbol, name, decimals, stable, source, version
  FROM input('chain String, address String, symbol String, name String, decimals Nullable(UInt8), stable Bool, source String, version UInt64') FORMAT JSONEachRow`

/** Resolves when the rows are stored; the newest version of an address counts, so repeating is harmless. */
export const insertTokens = async (store: Store, rows: readonly TokenRow[]): Promise<void> => {
  if (rows.length > 0) await store.insertStream(statement, Readable.from([rows.map((row) => JSON.stringify(row)).join('\n')]), {}, randomUUID())
}
