/** Runs the normalize stage on recorded or made-up blocks and reads its tables as text that can be compared. */
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { normalizeEthereum } from '../../../stages/normalize/ethereum/statements.js'
import { randomName } from '../../support/servers.js'

export const tables = {
  blocks: 'block_number', transactions: 'block_number, tx_index', logs: 'block_number, log_index', withdrawals: 'block_number, withdrawal_index',
  movements: 'block_number, kind, position, sub', swap_legs: 'block_number, log_index', pool_sightings: 'block_number, log_index, pool, source, tokens',
  agent_events: 'block_number, log_index',
} as const
export type Table = keyof typeof tables

/** Every statement of the stage, group by group, as the stage runs them; `token` stands for the batch. */
export const normalize = async (store: Store, from: number, to: number, generation = 1, token = randomName('batch')): Promise<void> => {
  const params = { chain: 'ETH', from, to, hash: '', generation, floor: 0, segmentBlocks: 64 }
  for (const group of normalizeEthereum) await Promise.all(group.map((sql) => store.execute(sql, params, { token: `${token}|${sql.name}` })))
}

const Column = z.object({ name: z.string(), type: z.string() })
const text = ({ name, type }: z.infer<typeof Column>): string => {
  if (/^Array\(FixedString/.test(type)) return `arrayMap(x -> lower(hex(x)), ${name})`
  if (/FixedString|^String/.test(type)) return `lower(hex(${name}))`
  return /Nullable/.test(type) ? `ifNull(toString(${name}), '-')` : `toString(${name})`
}

/** Rows of `table` from `from` to `to` in the order of their sort key, bytes as hex and everything else as the server writes it. */
export const rowsOf = async (store: Store, table: Table, from: number, to = from): Promise<Record<string, string>[]> => {
  const columns = await store.query('SELECT name, type FROM system.columns WHERE database = currentDatabase() AND table = {table:String} ORDER BY position', { table }, Column)
  const list = columns.map((column) => `${text(column)} AS ${column.name}_text`).join(', ')
  const rows = await store.query(`SELECT ${list} FROM ${table} WHERE block_number BETWEEN {from:UInt64} AND {to:UInt64} ORDER BY ${tables[table]}`, { from, to }, z.record(z.string(), z.unknown()))
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name.replace(/_text$/, ''), Array.isArray(value) ? value.join(',') : String(value)])))
}
