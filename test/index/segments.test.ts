import assert from 'node:assert/strict'
import { z } from 'zod'
import { fresh, pass, put, seen } from './segments.js'

describe('segments', () => {
  it('do not depend on how blocks are cut into batches', async function () {
    this.timeout(120_000)
    const cuts = [[[1, 10]], Array.from({ length: 10 }, (_, i) => [i + 1, i + 1]), [[1, 3], [4, 9], [10, 10]]] as [number, number][][]
    const [whole, ...others] = await Promise.all(cuts.map(async (ranges) => {
      const store = await fresh()
      await put(store, 1, 10)
      await pass(store, ranges)
      return seen(store)
    }))
    for (const rows of Object.values(whole ?? {})) assert.ok(rows.length > 0)
    for (const other of others) assert.deepEqual(other, whole)
  })

  it('add up to the transfers, priced and labelled', async () => {
    const store = await fresh()
    await put(store, 1, 20)
    await pass(store, [[1, 9], [10, 20]])
    const Row = z.object({ table: z.string(), n: z.coerce.number(), usd: z.number() })
    const rows = await store.query(`SELECT 'transfers' AS table, count() AS n, sum(value_usd) AS usd FROM transfers
      UNION ALL SELECT 'tokens', sum(transfers), sum(value_usd) FROM token_hours UNION ALL SELECT 'classes', sum(transfers), sum(value_usd) FROM class_hours
      UNION ALL SELECT 'in', sum(transfers_in), sum(usd_in) FROM address_hours UNION ALL SELECT 'out', sum(transfers_out), sum(usd_out) FROM address_hours
      UNION ALL SELECT 'sides', count() / 2, sum(value_usd) / 2 FROM address_transfers`, {}, Row)
    for (const row of rows) assert.deepEqual([row.n, Math.round(row.usd)], [40, Math.round(rows[0]?.usd ?? 0)], row.table)
    const [exchange] = await store.query('SELECT \'e\' AS table, transfers_in AS n, usd_in AS usd FROM entity_hours WHERE entity = \'Some\' AND transfers_out = 0', {}, Row)
    assert.deepEqual([exchange?.n, exchange?.usd], [20, 2_000_210])
  })
})
