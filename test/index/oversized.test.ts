import assert from 'node:assert/strict'
import { z } from 'zod'
import { at, putBlocks, putMoves, putSwaps, usdc, weth } from '../enrich/handmade.js'
import { fresh, pass } from './segments.js'

const largest = (2n ** 256n - 1n).toString()
const spam = at('5ba3'), plain = at('9a1')
const Row = z.object({ key: z.string(), transfers: z.coerce.number(), amount: z.string().nullable() })

describe('sums of absurd amounts', function () {
  this.timeout(60_000)

  it('are unknown, never wrapped, and leave other tokens alone', async () => {
    const store = await fresh()
    await putBlocks(store, 1, 9)
    await putMoves(store, [
      { n: 1, position: 1, token: spam, from: at('be0'), to: at('02'), amount: largest },
      { n: 9, position: 1, token: spam, from: at('be0'), to: at('02'), amount: largest },
      { n: 1, position: 2, token: spam, from: at('03'), to: at('be0'), amount: '7' },
      { n: 2, position: 1, token: plain, from: at('be0'), to: at('02'), amount: (2n ** 200n - 1n).toString() },
      { n: 9, position: 2, token: plain, from: at('be0'), to: at('02'), amount: (2n ** 200n - 1n).toString() }])
    await putSwaps(store, [
      { n: 1, log: 3, sold: spam, amountSold: largest, bought: weth, amountBought: '1' }, { n: 2, log: 3, sold: spam, amountSold: largest, bought: weth, amountBought: '1' },
      { n: 1, log: 4, sold: usdc, amountSold: '5', bought: weth, amountBought: '6' }])
    await pass(store, [[1, 9]])
    const rows = (table: string, key: string, count: string, amount: string, where: string) =>
      store.query(`SELECT ${key} AS key, ${count} AS transfers, toString(${amount}) AS amount FROM ${table} WHERE ${where} ORDER BY key`, {}, Row)
    const token = 'concat(\'0x\', lower(hex(token)))'
    const twice = (2n * (2n ** 200n - 1n)).toString()
    const expected = [{ key: plain, transfers: 2, amount: twice }, { key: spam, transfers: 3, amount: null }]
    assert.deepEqual(await rows('token_hours', token, 'transfers', 'amount', '1'), expected)
    assert.deepEqual(await rows('token_days', token, 'transfers', 'amount', '1'), expected)
    assert.deepEqual(await rows('class_hours', token, 'transfers', 'amount', 'from_class = \'exchange\''), [expected[0], { key: spam, transfers: 2, amount: null }])
    assert.deepEqual(await rows('entity_hours', token, 'transfers_out', 'amount_out', 'entity = \'Some\''), [expected[0], { key: spam, transfers: 2, amount: null }])
    assert.deepEqual(await rows('pair_hours', 'protocol', 'swaps', 'amount_a', `token_a = unhex('${spam.slice(2)}')`), [{ key: 'uniswap_v2', transfers: 2, amount: null }])
    assert.deepEqual(await rows('pair_hours', 'protocol', 'swaps', 'amount_a', `token_a = unhex('${usdc.slice(2)}')`), [{ key: 'uniswap_v2', transfers: 1, amount: '5' }])
    const [kept] = await store.query(`SELECT sum(oversized) AS transfers, toString(sum(amount)) AS amount, 'kept' AS key FROM token_segments WHERE token = unhex('${spam.slice(2)}')`, {}, Row)
    assert.deepEqual(kept, { key: 'kept', transfers: 2, amount: '7' })
  })
})
