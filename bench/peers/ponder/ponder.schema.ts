/** The tables Ponder writes: the columns its events offer of those our tables have. */
import { onchainTable, primaryKey } from 'ponder'

export const blocks = onchainTable('blocks', (t) => ({
  number: t.bigint().primaryKey(), hash: t.hex().notNull(), parent_hash: t.hex().notNull(), time: t.bigint().notNull(), miner: t.hex().notNull(), gas_used: t.bigint().notNull(),
  gas_limit: t.bigint().notNull(), base_fee_per_gas: t.bigint(), difficulty: t.bigint().notNull(), size: t.bigint().notNull(), extra_data: t.hex().notNull(),
}))

export const transfers = onchainTable('transfers', (t) => ({
  block_number: t.bigint().notNull(), log_index: t.integer().notNull(), time: t.bigint().notNull(), tx_index: t.integer().notNull(), tx_hash: t.hex().notNull(),
  token: t.hex().notNull(), from_address: t.hex().notNull(), to_address: t.hex().notNull(), amount: t.bigint().notNull(),
}), (table) => ({ key: primaryKey({ columns: [table.block_number, table.log_index] }) }))
