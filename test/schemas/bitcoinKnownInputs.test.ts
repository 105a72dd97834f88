/** Transactions of Bitcoin while a store is brought up to date and workers of the version before go on. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { listMigrations } from '../../schemas/migrations.js'
import { databaseBefore } from '../support/migrated.js'

const name = '0070_bitcoin_known_inputs'

describe('known inputs of Bitcoin come to a store', function () {
  this.timeout(60_000)

  it('who does not say what inputs bring has all transactions wait, between any two steps and after them; who says so has them written at once', async () => {
    const { store, run } = await databaseBefore(name)
    const answer = (block: number, column = '', value = ''): Promise<number> => store.execute(`INSERT INTO btc_answers (chain, generation, p2pkh, p2sh, hrp, halving, block_number, block_hash, parent_hash, version, merkle_root, time, bits, nonce, size, weight, coinbase_text, transactions, sides${column})
      SELECT 'BTC', 1, 0, 5, 'bc', 210000, ${block}, toFixedString('h', 32), toFixedString('', 32), 1, toFixedString('', 32), 1700000000, 1, 1, 100, 400, '',
        arrayMap(n -> (toFixedString(toString(n), 32), toInt32(1), toUInt32(0), toUInt32(100), toUInt32(400), toUInt32(1), toUInt32(1), toUInt64(10 * n)), [1, 2, 3]), []${value}`)
    const placed = async (): Promise<string> => (await store.query(`SELECT concat_ws(' ', toString((SELECT arraySort(groupArray((block_number, tx_index))) FROM btc_read_transactions)), toString((SELECT arraySort(groupArray((block_number, tx_index, input_value, fee))) FROM btc_transactions))) AS places`, {}, z.object({ places: z.string() })))[0]?.places ?? ''
    const { statements = [] } = listMigrations().find(({ id }) => id === name) ?? {}
    const waits = (blocks: number): string => `[${Array.from({ length: blocks }, (_, block) => [0, 1, 2].map((index) => `(${block},${index})`).join(',')).join(',')}] []`
    await answer(0)
    for (const [step, statement] of statements.entries()) {
      await run(statement)
      await answer(step + 1)
      assert.equal(await placed(), waits(step + 2))
    }
    // Once more, as after an interruption.
    for (const statement of statements) await run(statement)
    await answer(9, ', brought', ', [0, NULL, 45]')
    assert.equal(await placed(), waits(statements.length + 1).replace('] []', ',(9,1)] [(9,0,0,NULL),(9,2,45,15)]'))
  })
})
