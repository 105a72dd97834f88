/** Migrations that copy what is there: of two processes that migrate at once one copies. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { migrate } from '../../schemas/migrations.js'
import { freshStore } from '../support/servers.js'

describe('two processes that migrate at once', function () {
  this.timeout(120_000)

  it('copy what is there once', async () => {
    const { store, url, database } = await freshStore()
    const rows = 600_000
    await store.execute(`INSERT INTO transactions (chain, block_number, tx_index, from_address, gas_used, gas_price, generation)
      SELECT 'ETH', intDiv(number, 200), number % 200, unhex(leftPad(hex(number % 5000), 40, '0')), 21000, 7, 0 FROM numbers({rows:UInt32})`, { rows })
    await store.execute('TRUNCATE TABLE address_fees')
    await store.execute("DELETE FROM migrations WHERE id = '0081_address_fees'")
    const applied = await Promise.all([migrate(url, database), migrate(url, database)])
    assert.ok(applied.flat().includes('0081_address_fees'))
    const [row] = await store.query('SELECT count() AS count, uniqExact(block_number, tx_index) AS kinds FROM address_fees', {}, z.object({ count: z.coerce.number(), kinds: z.coerce.number() }))
    assert.deepEqual(row, { count: rows, kinds: rows })
  })
})
