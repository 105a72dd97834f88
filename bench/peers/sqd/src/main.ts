/** SQD on a local node: `RPC_URL FROM_BLOCK TO_BLOCK DB_URL WRITER=columns|typeorm`; ends with code 0 after the last block. */
import './loopback.js'
import { fileURLToPath } from 'node:url'
import { TypeormDatabase } from '@subsquid/typeorm-store'
import pg from 'pg'
import { targets } from '../lib/model/index.js'
import { openColumnDatabase } from './columns.js'
import { openProcessor } from './processor.js'
import { rowsOf } from './rows.js'
import { createTable, tableNames } from './tables.js'

const need = (name: string): string => {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set`)
  return value
}
const url = need('DB_URL')
const client = new pg.Client({ connectionString: url })
await client.connect()
for (const name of tableNames) await client.query(createTable(name))
await client.end()

const processor = openProcessor(need('RPC_URL'), Number(need('FROM_BLOCK')), Number(need('TO_BLOCK')), 16)
if (need('WRITER') === 'columns') {
  processor.run(openColumnDatabase(url), async ({ store, blocks }) => {
    const rows = rowsOf(blocks)
    for (const name of tableNames) await store.insert(name, rows[name])
  })
} else {
  const database = new TypeormDatabase({ supportHotBlocks: false, projectDir: fileURLToPath(new URL('..', import.meta.url)) })
  processor.run(database, async ({ store, blocks }) => {
    const rows = rowsOf(blocks)
    for (const name of tableNames) await store.insert(rows[name].map((row) => Object.assign(new targets[name](), row)) as never[])
  })
}
