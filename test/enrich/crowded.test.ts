/** Transactions as large as whoever pays for a block can make them. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { loadSql } from '../../schemas/sql.js'
import { insertBlocks } from '../support/btcLedger.js'
import { freshStore } from '../support/servers.js'

const sql = (file: string) => loadSql(new URL('../../stages/enrich/x', import.meta.url).href, file)

describe('a transaction of Bitcoin that fills its block', function () {
  this.timeout(240_000)
  it('moves value to each who did not pay, within memory that does not grow with the product of inputs and outputs', async () => {
    const { store } = await freshStore()
    const payers = 6_000, paid = 16_000
    await insertBlocks(store, [{ number: 800_000, txs: [{
      ins: Array.from({ length: payers }, (_, i) => ({ address: `payer ${i}`, value: 10_000 + i })),
      // What goes back to payers moves nothing.
      outs: [...Array.from({ length: paid }, (_, i) => ({ address: `paid ${i}`, value: 1_000 })), ...Array.from({ length: 10 }, (_, i) => ({ address: `payer ${i}`, value: 1_000 }))],
    }] }])
    await store.execute(sql('bitcoin/transfers.sql'), { chain: 'BTC', from: 800_000, to: 800_000, generation: 0 }, { max_memory_usage: 1_000_000_000 })
    const [row] = await store.query(`SELECT count() AS moved, max(sub) AS last, countIf(from_address = unhex(substring(lower(hex(SHA256('payer ${payers - 1}'))), 1, 40))) AS told FROM transfers`, {}, z.object({ moved: z.coerce.number(), last: z.number(), told: z.coerce.number() }))
    assert.deepEqual(row, { moved: paid, last: paid - 1, told: paid })
  })
})
