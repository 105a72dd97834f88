/** Transactions of which all inputs are known when their block is read are there at once; the others come when theirs were looked for. */
import assert from 'node:assert/strict'
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
/** Two transactions with two inputs and one; `told`: whether the node says what the last input spends. */
const blockOf = (told: boolean) => makeBlock(5, [coinbase(Buffer.from([1, 5]), [pay(1, 5_000_002_000n)]), tx([spend(2, pay(2, 700n)), spend(3, pay(3, 800n))], pay(4, 500n)), tx([spend(4, told ? pay(5, 3_000n) : undefined)], pay(6, 2_000n))])

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

describe('what a node tells of inputs', function () {
  this.timeout(60_000)

  for (const [kind, made] of [['bytes', madeRaw], ['JSON', madeJson]] as const) {
    it(`as ${kind}: a transaction waits for nothing where all of its inputs are told`, async () => {
      const store = await opened(made(5, blockOf(true)))
      assert.deepEqual(await counts(store), [3, 0, 0])
      await resolve(store)
      const [coin, two, one] = await rowsOf(store, 'btc_transactions', 5)
      for (const row of [coin, two, one]) assert.ok(row !== undefined)
      assert.deepEqual(await counts(store), [3, 0, 0])
    })
  }

  it('where one is not told, its transaction waits, and the others do not', async () => {
    const store = await opened(madeJson(5, blockOf(false)))
    assert.deepEqual(await counts(store), [2, 1, 1])
    await resolve(store)
    assert.deepEqual(await counts(store), [3, 1, 1])
    const whole = await everything(store)
    await resolve(store, true)
    assert.deepEqual(await everything(store), whole)
  })

  it('what was read before transactions were written at once is written when its batch is resolved', async () => {
    const store = await opened(madeRaw(5, blockOf(true))), fresh = await opened(madeRaw(5, blockOf(true)))
    // As the blocks were read then: all transactions waited.
    await store.execute('INSERT INTO btc_read_transactions (chain, block_number, tx_index, block_hash, block_time, txid, version, locktime, size, weight, input_count, output_count, output_value, generation) SELECT chain, block_number, tx_index, block_hash, block_time, txid, version, locktime, size, weight, input_count, output_count, output_value, generation FROM btc_transactions')
    await store.execute('DELETE FROM btc_transactions WHERE 1')
    assert.deepEqual(await counts(store), [0, 3, 0])
    for (const one of [store, fresh]) await resolve(one)
    assert.deepEqual(await counts(store), [3, 3, 0])
    assert.deepEqual(await everything(store), await everything(fresh))
  })
})
