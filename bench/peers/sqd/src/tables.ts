/** The tables SQD writes: the columns its source offers of those our tables have. Hashes and addresses are text, as its users keep them. */

export type Row = Record<string, unknown>

export const tables = {
  blocks: {
    key: ['number'],
    columns: {
      number: 'int8', hash: 'text', parent_hash: 'text', time: 'int8', miner: 'text', gas_used: 'numeric', gas_limit: 'numeric', base_fee_per_gas: 'numeric',
      difficulty: 'numeric', size: 'int8', extra_data: 'text',
    },
  },
  transactions: {
    key: ['block_number', 'tx_index'],
    columns: {
      block_number: 'int8', tx_index: 'int4', time: 'int8', hash: 'text', type: 'int4', from_address: 'text', to_address: 'text', contract_address: 'text', value: 'numeric',
      nonce: 'int8', gas_limit: 'numeric', gas_used: 'numeric', gas_price: 'numeric', max_fee_per_gas: 'numeric', max_priority_fee_per_gas: 'numeric', status: 'int4',
      selector: 'text', input_size: 'int4',
    },
  },
  logs: {
    key: ['block_number', 'log_index'],
    columns: {
      block_number: 'int8', log_index: 'int4', time: 'int8', tx_index: 'int4', tx_hash: 'text', address: 'text', topic0: 'text', topic1: 'text', topic2: 'text', topic3: 'text', data: 'text',
    },
  },
  transfers: {
    key: ['block_number', 'log_index'],
    columns: { block_number: 'int8', log_index: 'int4', time: 'int8', tx_index: 'int4', tx_hash: 'text', token: 'text', from_address: 'text', to_address: 'text', amount: 'numeric' },
  },
} as const satisfies Record<string, { key: readonly string[]; columns: Record<string, string> }>

export type TableName = keyof typeof tables
export const tableNames = Object.keys(tables) as TableName[]

/** The statement that makes a table. */
export const createTable = (name: TableName): string =>
  `CREATE TABLE ${name} (${Object.entries(tables[name].columns).map(([column, type]) => `${column} ${type}`).join(', ')}, PRIMARY KEY (${tables[name].key.join(', ')}))`

/** The statement that inserts rows given as one array for each column. */
export const insertColumns = (name: TableName): string =>
  `INSERT INTO ${name} SELECT * FROM unnest(${Object.values(tables[name].columns).map((type, index) => `$${index + 1}::${type}[]`).join(', ')})`
