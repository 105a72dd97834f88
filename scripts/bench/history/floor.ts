/** What ClickHouse takes for the least of questions over HTTP: no lookup of ours can be faster. */
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { loadSql } from '../../../schemas/sql.js'
import { quantile } from '../figures.js'
import { addressesFor, asks } from './ask.js'

/** Medians in milliseconds. */
export interface Floor { readonly nothing: number; /** The newest 50 rows of an address from a table of nothing else. */ readonly lookup: number; readonly rows: number }

export const benchFloor = async (store: Store, clickhouse: string, database: string, addresses: readonly string[]): Promise<Floor> => {
  await store.execute(loadSql(import.meta.url, 'floor.sql'), { addresses })
  await store.execute('OPTIMIZE TABLE floor_transfers FINAL')
  const median = async (statement: (n: number) => string): Promise<number> => {
    const taken: number[] = []
    for (let n = 0; n < 4 * asks; n += 1) {
      const started = performance.now()
      const answer = await fetch(`${clickhouse}/?database=${database}&max_threads=1&param_address=${addressesFor(addresses, n).slice(2)}`, { method: 'POST', body: statement(n) })
      const text = await answer.text()
      if (answer.status !== 200) throw new Error(`bench: ClickHouse answered ${answer.status} ${text.slice(0, 300)}`)
      // The first half is not counted.
      if (n >= 2 * asks) taken.push(performance.now() - started)
    }
    return quantile(taken, 0.5)
  }
  const nothing = await median(() => 'SELECT 1')
  const lookup = await median(() => 'SELECT * FROM floor_transfers WHERE address = toFixedString(unhex({address:String}), 20) ORDER BY address DESC, block_number DESC LIMIT 50 FORMAT RowBinary')
  const [row] = await store.query('SELECT count() AS rows FROM floor_transfers', {}, z.object({ rows: z.coerce.number() }))
  await store.execute('DROP TABLE floor_transfers SYNC')
  return { nothing, lookup, rows: row?.rows ?? 0 }
}
