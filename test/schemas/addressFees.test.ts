/** What senders paid for gas: of transactions that were there before the table, and of those that come. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { listMigrations, migrate } from '../../schemas/migrations.js'
import { openLedger } from '../../stages/ledger/ledger.js'
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

  it('is made whole where the copy was cut off within a block, of batches that have landed', async () => {
    const { store, url, database } = await freshStore()
    await insertRaw(store, heights)
    await normalize(store, Math.min(...heights), Math.max(...heights))
    const Rows = z.object({ block_number: z.string(), rows: z.string(), fees: z.string() })
    const all = () => store.query('SELECT f.block_number AS block_number, count() AS rows, toString(sum(f.fee)) AS fees FROM address_fees AS f GROUP BY f.block_number ORDER BY f.block_number', {}, Rows)
    const whole = await all(), [open, cut, untouched] = whole
    assert.ok(open !== undefined && cut !== undefined && untouched !== undefined)
    const ledger = openLedger(store), [first, rest] = await ledger.plan('ETH', { seq: 0, generation: 1 }, [[0, 4369999], [4370000, 22431083]].map(([from = 0, to = 0]) => ({ from, to, hash: `0x${to}`, parentHash: '', target: '', floor: 0 }))) ?? []
    await ledger.land(rest ?? assert.fail(), 'normalize', { rows: 1, bytes: 1, endpoint: '' }, 1)
    const left = async (): Promise<void> => { await store.execute('DELETE FROM address_fees WHERE tx_index % 3 = 1 AND block_number < 22431083') }
    const anew = async (): Promise<void> => {
      await store.execute("DELETE FROM migrations WHERE id IN ('0081_address_fees', '0084_address_fees_whole')")
      await migrate(url, database)
    }
    await left()
    const [begun] = await all()
    assert.notDeepEqual(begun, open)
    for (const _ of [1, 2]) {
      await anew()
      assert.deepEqual(await all(), [begun, cut, untouched], 'one of a batch that has not landed is brought by its repeat')
    }
    await ledger.land(first ?? assert.fail(), 'normalize', { rows: 1, bytes: 1, endpoint: '' }, 1)
    await anew()
    assert.deepEqual(await all(), whole)
  })
})
