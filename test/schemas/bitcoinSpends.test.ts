/** Where outputs of Bitcoin were spent: of inputs that were there before the table, and of those that come. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { migrate } from '../../schemas/migrations.js'
import { openLedger } from '../../stages/ledger/ledger.js'
import { databaseBefore } from '../support/migrated.js'

const name = '0094_bitcoin_spends'
const Rows = z.object({ place: z.string() })

describe('spends of Bitcoin', function () {
  this.timeout(60_000)

  it('are those of every input but the coinbases\', whether it came before the table or after, is resolved or waits, and where the copy was cut off', async () => {
    const { store, url, database } = await databaseBefore(name)
    const places = async (from: string): Promise<string[]> => (await store.query(`SELECT concat_ws(' ', toString(block_number), toString(tx_index), toString(prefix), toString(prev_vout), toString(generation)) AS place FROM ${from} ORDER BY place`, {}, Rows)).map(({ place }) => place)
    const spends = (): Promise<string[]> => places('btc_spends')
    const read = (): Promise<string[]> => places(`(SELECT DISTINCT * FROM (SELECT block_number, tx_index, reinterpretAsUInt64(prev_txid) AS prefix, prev_vout, generation FROM btc_inputs WHERE prevout != 'coinbase' UNION ALL SELECT block_number, tx_index, reinterpretAsUInt64(prev_txid), prev_vout, generation FROM btc_read_inputs))`)
    /** Two transactions of two inputs, beside the coinbase; the second's are not known. */
    const put = async (block: number): Promise<void> => {
      const rows = (unknown: boolean): string => `SELECT 'BTC', ${block}, intDiv(number, 2), number % 2, SHA256(toString(intDiv(number, 2))), if(number < 2, toFixedString('', 32), SHA256(concat('${block} ', toString(number)))), number, 1 FROM numbers(6) WHERE ${unknown ? '' : 'NOT '}number IN (4, 5) AND number != 1`
      await store.execute(`INSERT INTO btc_inputs (chain, block_number, tx_index, vin, txid, prev_txid, prev_vout, generation, prevout) SELECT *, if(tx_index = 0, 'coinbase', 'node') FROM (SELECT r.1 AS chain, r.2 AS block, r.3 AS tx_index, r.4 AS vin, r.5 AS txid, r.6 AS prev, r.7 AS vout, r.8 AS generation FROM (SELECT tuple(*) AS r FROM (${rows(false)})))`)
      await store.execute(`INSERT INTO btc_read_inputs (chain, block_number, tx_index, vin, txid, prev_txid, prev_vout, generation) ${rows(true)}`)
    }
    const resolve = (where: string): Promise<number> => store.execute(`INSERT INTO btc_inputs (chain, block_number, tx_index, vin, txid, prev_txid, prev_vout, generation, prevout) SELECT chain, block_number, tx_index, vin, txid, prev_txid, prev_vout, generation, 'own' FROM btc_read_inputs WHERE ${where}`)
    const ledger = openLedger(store)
    const [landed, open] = await ledger.plan('BTC', { seq: 0, generation: 1 }, [[1, 3], [4, 4]].map(([from = 0, to = 0]) => ({ from, to, hash: `0x${to}`, parentHash: '', target: '', floor: 0 }))) ?? []
    await ledger.land(landed ?? assert.fail(), 'normalize', { rows: 1, bytes: 1, endpoint: '' }, 1)
    for (const block of [1, 2, 3, 4]) await put(block)
    // One block is resolved, one in part.
    await resolve('block_number = 1 OR block_number = 2 AND vin = 0')
    const all = await read(), standing = all.filter((place) => !place.startsWith('4 '))
    assert.equal(all.length, 16)
    const anew = async (): Promise<void> => { await store.execute('DELETE FROM migrations WHERE id = {name:String}', { name }); await migrate(url, database) }
    await migrate(url, database)
    assert.deepEqual(await spends(), standing, 'of a batch that has not landed a repeat brings them')
    // Once more, and after a copy that was cut off within blocks.
    await anew()
    assert.deepEqual(await spends(), standing)
    await store.execute('DELETE FROM btc_spends WHERE prev_vout % 2 = 1 OR block_number = 3')
    await resolve('block_number = 3')
    await anew()
    assert.deepEqual(await spends(), standing)
    await ledger.land(open ?? assert.fail(), 'normalize', { rows: 1, bytes: 1, endpoint: '' }, 1)
    await anew()
    assert.deepEqual(await spends(), all)
    await store.execute(`INSERT INTO btc_sides (chain, generation, block_number, tx_index, place, side, prev_txid, prev_vout) SELECT 'BTC', 1, 5, number, 0, number + 1, SHA256(toString(number)), number FROM numbers(4)`)
    assert.deepEqual((await read()).length, all.length + 2)
    assert.deepEqual(await spends(), await read())
  })
})
