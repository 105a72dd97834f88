/** Rows that were persisted, on either side, in the tables that both have. */
import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import type { Store } from '../../../schemas/clickhouse.js'
import { countedTables, type CountedTable } from './peer.js'
import type { Session } from './postgres.js'

/** `amount`: sum of the ERC-20 amounts modulo 2^256, a decimal string. */
export interface Persisted { readonly rows: Readonly<Partial<Record<CountedTable, number>>>; readonly amount: string }

const Row = z.object({ name: z.enum(countedTables), rows: z.coerce.number(), amount: z.string() })

/** Ours between two blocks, inclusive. */
export const countOurs = async (store: Store, from: number, to: number): Promise<Persisted> => {
  const found = await store.query(loadSql(import.meta.url, 'persisted.sql'), { from, to }, Row)
  return { rows: Object.fromEntries(countedTables.map((table) => [table, found.find(({ name }) => name === table)?.rows ?? 0])), amount: found.find(({ name }) => name === 'transfers')?.amount ?? '0' }
}

const modulus = (2n ** 256n).toString()

/** `tables` of theirs between two blocks; amounts of all their transfers. */
export const countTheirs = async (session: Session, tables: readonly CountedTable[], from: number, to: number): Promise<Persisted> => {
  const rows: Partial<Record<CountedTable, number>> = {}
  for (const table of tables) rows[table] = Number((await session.ask(`SELECT count(*) FROM ${table} WHERE ${table === 'blocks' ? 'number' : 'block_number'} BETWEEN ${from} AND ${to}`))[0] ?? 0)
  return { rows, amount: (await session.ask(`SELECT coalesce(sum(amount), 0) % ${modulus}::numeric FROM transfers`))[0]?.split('.')[0] ?? '0' }
}

/** Rows of all tables together. */
export const totalOf = ({ rows }: Persisted): number => Object.values(rows).reduce((sum, count) => sum + count, 0)

/** What differs between the two in the tables the second has, in words; empty where they are equal. */
export const differences = (ours: Persisted, theirs: Persisted): string[] => [
  ...Object.entries(theirs.rows).filter(([table, count]) => ours.rows[table as CountedTable] !== count).map(([table, count]) => `${table}: ${count}, ours ${ours.rows[table as CountedTable] ?? 0}`),
  ...(ours.amount === theirs.amount ? [] : [`sum of amounts: ${theirs.amount}, ours ${ours.amount}`]),
]
