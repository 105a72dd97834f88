/** The tables as TypeORM entities, where SQD's own store looks for them. */
import { EntitySchema, type ColumnType } from 'typeorm'
import { tables, type TableName } from '../../src/tables.js'

const entity = (name: TableName): { target: new () => object; schema: EntitySchema } => {
  const target = { [name]: class {} }[name] as new () => object
  const { key, columns } = tables[name]
  const schema = new EntitySchema({
    name, tableName: name, target,
    columns: Object.fromEntries(Object.entries(columns).map(([column, type]) => [column, { type: type as ColumnType, name: column, primary: (key as readonly string[]).includes(column), nullable: true }])),
  })
  return { target, schema }
}

const [block, transaction, log, transfer] = [entity('blocks'), entity('transactions'), entity('logs'), entity('transfers')]
export const targets = { blocks: block.target, transactions: transaction.target, logs: log.target, transfers: transfer.target }
export const entities = [block, transaction, log, transfer].map(({ schema }) => schema)
export const [blocks, transactions, logs, transfers] = entities
