/** Every row of every table behind enrich, index and alert, by height: each recorded block stands alone, as a request of its own. */
import { z } from 'zod'
import { findChain } from '../../schemas/chains.js'
import type { Store } from '../../schemas/clickhouse.js'
import type { BatchRef } from '../../schemas/primitives.js'
import { alertStatements } from '../../stages/alert/statements.js'
import { enrichStatements } from '../../stages/enrich/statements.js'
import { indexStatements } from '../../stages/index/statements.js'
import { openLedger } from '../../stages/ledger/ledger.js'
import { runStatements, type Context } from '../../stages/stage.js'
import { normalize } from '../normalize/ethereum/normalized.js'
import { compareGolden } from '../support/golden.js'
import { insertRaw } from '../support/raw.js'
import { fillRegisters } from '../support/registered.js'
import { freshStore } from '../support/servers.js'

const heights = [4369999, 7280016, 12914944, 13998626, 14000000, 14764013, 15537393, 15547621, 16899757, 17000000, 17034869, 17062257, 18000000, 19426586, 20472570, 22431083, 22869878]
const facts = ['prices', 'transfers', 'swaps', 'address_transfers', 'address_fees', 'chunks', 'alerts'] as const
const hourly = ['token_hours', 'pair_hours', 'class_hours', 'entity_hours', 'address_hours'] as const

const Column = z.object({ name: z.string(), type: z.string() })
const text = ({ name, type }: z.infer<typeof Column>): string =>
  /FixedString/.test(type) ? `lower(hex(${name}))` : /Nullable/.test(type) ? `ifNull(toString(${name}), '-')` : `toString(${name})`

const rowsOf = async (store: Store, table: string, height: number): Promise<string[]> => {
  const columns = (await store.query('SELECT name, type FROM system.columns WHERE database = currentDatabase() AND table = {table:String} ORDER BY position', { table }, Column))
    .filter(({ name }) => !['chain', 'generation', 'version'].includes(name))
  const list = columns.map((column) => `${text(column)} AS ${column.name}_`).join(', ')
  const where = table.endsWith('_hours') ? 'hour = (SELECT toStartOfHour(any(block_time)) FROM blocks WHERE block_number = {height:UInt64})' : 'block_number = {height:UInt64}'
  const rows = await store.query(`SELECT ${list} FROM ${table} WHERE chain = 'ETH' AND ${where} ORDER BY ALL`, { height }, z.record(z.string(), z.unknown()))
  return rows.map((row) => JSON.stringify({ table, ...Object.fromEntries(Object.entries(row).map(([name, value]) => [name.slice(0, -1), value])) }))
}

describe('enriched, indexed and alerted Ethereum blocks, row by row', function () {
  this.timeout(180_000)
  let store: Store
  before(async () => {
    store = (await freshStore()).store
    await fillRegisters(store)
    await insertRaw(store, heights)
    await normalize(store, Math.min(...heights), Math.max(...heights))
    const chain = findChain('ETH')
    const context = { store, chain: { chain }, checkpoint: async () => undefined, log: { debug: () => undefined } } as unknown as Context
    const ledger = openLedger(store)
    for (const height of heights) {
      const batch: BatchRef = { chain: 'ETH', from: height, to: height, hash: '', generation: 1, floor: height }
      await runStatements(enrichStatements, batch, context)
      await ledger.land(batch, 'enrich', { rows: 0, bytes: 0, endpoint: '' }, 0)
      await runStatements(indexStatements, batch, context)
      await runStatements(alertStatements, batch, context)
    }
  })

  for (const height of heights) {
    it(`block ${height}`, async () => {
      const lines: string[] = []
      for (const table of [...facts, ...hourly]) lines.push(...await rowsOf(store, table, height))
      compareGolden(`${height}.enriched`, lines)
    })
  }
})
