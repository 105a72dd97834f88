/** What senders paid for gas: of transactions that were there before the table, and of those that come. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { listMigrations } from '../../schemas/migrations.js'
import { normalize } from '../normalize/ethereum/normalized.js'
import { insertRaw } from '../support/raw.js'
import { freshStore } from '../support/servers.js'

// One of them carries blobs.
const heights = [4369999, 15547621, 22431083]

describe('gas by its sender', function () {
  this.timeout(120_000)

  it('is that of every transaction, blobs too, whether it came before the table or after', async () => {
    const { store } = await freshStore()
    await insertRaw(store, heights)
    await normalize(store, Math.min(...heights), Math.max(...heights))
    const Sums = z.object({ count: z.string(), fees: z.string(), senders: z.string() })
    const sums = (from: string) => store.query(`SELECT count() AS count, toString(sum(fee)) AS fees, uniqExact(address) AS senders FROM ${from}`, {}, Sums)
    const told = '(SELECT from_address AS address, toUInt256(gas_used) * gas_price + if(blob_gas_used > 0, toUInt256(blob_gas_used) * blob_gas_price, 0) AS fee FROM transactions)'
    const [all] = await sums(`${told} WHERE fee > 0`)
    assert.ok(Number(all?.count) > 300 && (await store.query('SELECT count() AS count FROM transactions WHERE blob_gas_used > 0', {}, Sums.pick({ count: true })))[0]?.count !== '0')
    assert.deepEqual(await sums('address_fees'), [all])
    const copy = listMigrations().find(({ id }) => id === '0081_address_fees')?.statements.find((one) => one.includes('INSERT INTO address_fees')) ?? ''
    // What was there before is copied once, and beside what the view has brought meanwhile.
    await store.execute('DELETE FROM address_fees WHERE block_number < 15547621')
    for (const _ of [1, 2]) {
      await store.execute(copy)
      assert.deepEqual(await sums('address_fees'), [all])
    }
  })
})
