import assert from 'node:assert/strict'
import { z } from 'zod'
import { alertStatements } from '../../stages/alert/statements.js'
import { at, coin, putBlocks, putMoves, putSwaps, putTokens, run, units, usdc, weth } from '../enrich/handmade.js'
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

  it('are put into words: a token of a stranger stops no block', async () => {
    const store = await fresh()
    const whole = at('0d'), bare = at('0e'), leader = at('1ead'), mixer = at('77')
    await putTokens(store, [whole, bare].map((address) => ({ address, symbol: 'WHOLE', decimals: 0, source: 'node' })))
    await store.insert('labels', [{ chain: 'ETH', address: mixer, label: 'A Mixer', entity: '', category: 'mixer', source: 'test', rule: '', confidence: 90, licence: '', valid_from: '2020-01-01T00:00:00Z', removed: false, version: 1 }])
    await store.execute('SYSTEM RELOAD DICTIONARY label_of')
    await putBlocks(store, 1, 3)
    await putSwaps(store, [
      { n: 1, log: 1, sold: usdc, amountSold: units(2000, 6), depthSold: units(1e6, 6), bought: weth, amountBought: units(1, 18) },
      { n: 1, log: 2, sold: weth, amountSold: units(1, 18), depthSold: units(100, 18), bought: whole, amountBought: '2' },
      { n: 2, log: 3, sold: whole, amountSold: largest, bought: at('ff'), amountBought: '1', trusted: false }])
    await putMoves(store, [
      { n: 2, position: 1, token: whole, from: at('01'), to: at('02'), amount: largest }, { n: 2, position: 2, token: whole, from: mixer, to: at('02'), amount: largest },
      { n: 3, position: 1, token: usdc, from: coin, to: at('03'), amount: largest }, { n: 3, position: 2, token: bare, from: mixer, to: at('02'), amount: largest }])
    await store.execute(`INSERT INTO leader_runs (chain, rule, rule_version, as_of, in_force_from) VALUES ('ETH', 'smart_trader', 1, 1, 1)`)
    await store.execute(`INSERT INTO leaders (chain, rule, rule_version, as_of, in_force_from, days, account) SELECT 'ETH', 'smart_trader', 1, 1, 1, 30, unhex({leader:String})`, { leader: leader.slice(2) })
    await store.execute(`INSERT INTO wallet_trades (chain, account, block_number, position, token, side, amount, usd) SELECT 'ETH', unhex({leader:String}), 3, 9, unhex({whole:String}), 'buy', 5, 1e70`, { leader: leader.slice(2), whole: whole.slice(2) })
    await pass(store, [[1, 3]])
    await run(store, alertStatements, [[1, 3]])
    const words = (from: string, what: string) => store.query(`SELECT ${what} AS text FROM ${from} ORDER BY text`, {}, z.object({ text: z.string() })).then((rows) => rows.map(({ text }) => text))
    assert.deepEqual(await words('chunks WHERE topic IN (\'swap\', \'whale_transfer\')', 'left(text, 60)'), [
      'Large swap: about $1.157920892373162e80 by the own pools of ', 'Large transfer: 1.157920892373162e71 USDC ($1.15792089237316',
      'Large transfer: 1.157920892373162e77 of token 0x000000000000', 'Large transfer: 1.157920892373162e77 of token 0x000000000000'])
    assert.deepEqual(await words('alerts WHERE block_number > 1', 'concat(rule, \': \', left(summary, 40))'), [
      'copy_trade: Leader 0x0000000000000000000000000000000', 'stablecoin_mint: 1.157920892373162e71 USDC minted, accoun', 'whale_transfer: 1.157920892373162e71 USDC ($1.1579208923',
      'whale_transfer: 1.157920892373162e77 of token 0x00000000', 'whale_transfer: 1.157920892373162e77 of token 0x00000000'])
  })
})
