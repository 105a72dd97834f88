/** Transactions of which all inputs are known when their block is read are there at once; the others come when theirs were looked for. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { normalizeBitcoin, resolvingBitcoin } from '../../../stages/normalize/bitcoin/statements.js'
import { runStatements } from '../../../stages/stage.js'
import { bitcoinBatch, bitcoinContext, insertBitcoin, type BitcoinAnswer } from '../../support/bitcoin.js'
import { freshStore } from '../../support/servers.js'
import { countOf, facts, rowsOf } from './facts.js'
import { coinbase, madeJson, madeRaw, makeBlock, type In, type Out } from './madeUp.js'

const pay = (letter: number, value: bigint): Out => ({ value, type: 'pubkeyhash', script: Buffer.concat([Buffer.from('76a914', 'hex'), Buffer.alloc(20, letter), Buffer.from('88ac', 'hex')]) })
const spend = (letter: number, spends?: Out): In => ({ txid: `${letter}${letter}`.repeat(32), vout: 0, sequence: 0, script: Buffer.alloc(0), witness: [], ...(spends === undefined ? {} : { spends }) })
const tx = (ins: readonly In[], ...outs: Out[]) => ({ version: 1, locktime: 0, ins, outs })
/** Transactions with two inputs, one, and one that is worth nothing; `told`: whether the node says what the second of them spends. */
const blockOf = (told: boolean) => makeBlock(5, [coinbase(Buffer.from([1, 5]), [pay(1, 5_000_002_000n)]), tx([spend(2, pay(2, 700n)), spend(3, pay(3, 800n))], pay(4, 500n)), tx([spend(4, told ? pay(5, 3_000n) : undefined)], pay(6, 2_000n)), tx([spend(7, pay(7, 0n))], pay(8, 0n))])

const batch = bitcoinBatch(5, 5)
const read = (store: Store): Promise<number> => runStatements(normalizeBitcoin, batch, bitcoinContext(store))
const resolve = (store: Store, again = false): Promise<number> => runStatements(Object.values(resolvingBitcoin), batch, bitcoinContext(store, again))
const counts = async (store: Store): Promise<number[]> => [await countOf(store, 'btc_transactions'), await countOf(store, 'btc_read_transactions'), await countOf(store, 'btc_read_inputs')]
const opened = async (answer: BitcoinAnswer): Promise<Store> => {
  const { store } = await freshStore()
  await insertBitcoin(store, [answer])
  await read(store)
  return store
}
const everything = async (store: Store): Promise<unknown> => Promise.all(facts.map((table) => rowsOf(store, table, 5)))

/** As a version before 0070 read a block: all of its transactions wait. */
const waitAll = (store: Store): Promise<number> => store.execute('INSERT INTO btc_read_transactions (chain, block_number, tx_index, block_hash, block_time, txid, version, locktime, size, weight, input_count, output_count, output_value, generation) SELECT chain, block_number, tx_index, block_hash, block_time, txid, version, locktime, size, weight, input_count, output_count, output_value, generation FROM btc_transactions')

describe('what a node tells of inputs', function () {
  this.timeout(60_000)

  for (const [kind, made] of [['bytes', madeRaw], ['JSON', madeJson]] as const) {
    it(`as ${kind}: a transaction waits for nothing where all of its inputs are told, and is what it is when it waited`, async () => {
      const store = await opened(made(5, blockOf(true))), waited = await opened(made(5, blockOf(true)))
      assert.deepEqual(await counts(store), [4, 0, 0])
      const fees = await store.query('SELECT toString(tuple(coinbase, input_value, output_value, fee, unresolved_inputs)) AS row FROM btc_transactions ORDER BY tx_index', {}, z.object({ row: z.string() }))
      assert.deepEqual(fees.map(({ row }) => row), ['(true,0,5000002000,NULL,0)', '(false,1500,500,1000,0)', '(false,3000,2000,1000,0)', '(false,0,0,0,0)'])
      await waitAll(waited)
      await waited.execute('DELETE FROM btc_transactions WHERE 1')
      assert.deepEqual(await counts(waited), [0, 4, 0])
      for (const one of [store, waited]) await resolve(one)
      assert.deepEqual([await counts(store), await counts(waited)], [[4, 0, 0], [4, 4, 0]])
      assert.deepEqual(await everything(waited), await everything(store))
    })
  }

  it('where one is not told, its transaction waits, and the others do not', async () => {
    const store = await opened(madeJson(5, blockOf(false)))
    assert.deepEqual(await counts(store), [3, 1, 1])
    await resolve(store)
    assert.deepEqual(await counts(store), [4, 1, 1])
    const whole = await everything(store)
    await resolve(store, true)
    assert.deepEqual(await everything(store), whole)
  })

  it('stands once, though a version before let it wait and this one wrote it', async () => {
    const store = await opened(madeRaw(5, blockOf(true))), fresh = await opened(madeRaw(5, blockOf(true)))
    await waitAll(store)
    for (const one of [store, fresh]) await resolve(one)
    assert.deepEqual(await everything(store), await everything(fresh))
  })
})
