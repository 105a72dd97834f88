/** A store that hands Postgres one array for each column: the fastest insert its client has short of COPY. */
import pg from 'pg'
import { insertColumns, tables, type Row, type TableName } from './tables.js'

interface Head { readonly height: number; readonly hash: string }
export interface ColumnStore { insert(table: TableName, rows: readonly Row[]): Promise<void> }

/** What the processor asks of a database: where it stands, and rows and the new head in one transaction. */
export const openColumnDatabase = (connectionString: string) => {
  const client = new pg.Client({ connectionString })
  return {
    supportsHotBlocks: false as const,
    connect: async (): Promise<Head> => {
      await client.connect()
      await client.query('CREATE TABLE IF NOT EXISTS status (height int8, hash text)')
      const { rows: [row] } = await client.query<{ height: string; hash: string }>('SELECT height, hash FROM status')
      return row === undefined ? { height: -1, hash: '0x' } : { height: Number(row.height), hash: row.hash }
    },
    transact: async ({ nextHead }: { prevHead: Head; nextHead: Head; isOnTop: boolean }, write: (store: ColumnStore) => Promise<void>): Promise<void> => {
      await client.query('BEGIN')
      await write({
        insert: async (table, rows) => {
          await client.query({ name: table, text: insertColumns(table), values: Object.keys(tables[table].columns).map((column) => rows.map((row) => row[column] ?? null)) })
        },
      })
      await client.query('DELETE FROM status')
      await client.query('INSERT INTO status VALUES ($1, $2)', [nextHead.height, nextHead.hash])
      await client.query('COMMIT')
    },
  }
}
