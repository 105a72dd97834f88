/** Transactions full of one thing, as anybody can send them for the gas of one block. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { insertAnswers } from '../../support/raw.js'
import { freshStore } from '../../support/servers.js'
import { address, hashOf, madeUpBlock, topic, type MadeLog } from './madeUp.js'

const sql = (name: string) => loadSql(new URL('../../../stages/normalize/ethereum/x', import.meta.url).href, `${name}.sql`)
const word = (value: number): string => value.toString(16).padStart(64, '0')
const pool = address('dd'), [sold, bought] = [address('aa'), address('bb')] as const

describe('a transaction of thousands of swaps', function () {
  this.timeout(240_000)
  it('is read within memory that does not grow with their product', async () => {
    const { store } = await freshStore()
    const height = 41_000_000, many = 3_000
    const moved = (token: string, from: string, to: string, amount: number): MadeLog => ({ address: token, topics: ['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', topic(from), topic(to)], data: `0x${word(amount)}` })
    await insertAnswers(store, madeUpBlock(height, Array.from({ length: many }, (_, i) => [
      moved(sold, address('11'), pool, i + 1), moved(bought, pool, address('11'), i + 1_000_001),
      { address: pool, topics: ['0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822', topic(address('11')), topic(address('11'))], data: `0x${word(i + 1)}${word(0)}${word(0)}${word(i + 1_000_001)}` },
    ]).flat()))
    const params = { chain: 'ETH', from: height, to: height, generation: 1 }
    for (const name of ['decode', 'movements']) await store.execute(sql(name), params)
    await store.execute(sql('swap_legs'), params, { max_memory_usage: 1_000_000_000 })
    const [row] = await store.query("SELECT count() AS legs, countIf(token_sold_known AND token_bought_known AND token_sold = unhex(repeat('aa', 20)) AND token_bought = unhex(repeat('bb', 20))) AS named FROM swap_legs", {}, z.object({ legs: z.coerce.number(), named: z.coerce.number() }))
    assert.deepEqual(row, { legs: many, named: many })
  })
})

describe('a transaction of thousands of calls that fail', function () {
  this.timeout(240_000)
  it('is read within memory that does not grow with their square', async () => {
    const { store } = await freshStore()
    const height = 41_000_001, many = 6_000
    const call = (traceAddress: readonly number[], value: number, error?: string) => ({ type: 'call', action: { callType: 'call', from: address('11'), to: address('22'), value: `0x${value.toString(16)}` }, result: null, traceAddress, transactionPosition: 0, transactionHash: hashOf(height + 2_000_000_000), ...(error === undefined ? {} : { error }) })
    const calls = Array.from({ length: many }, (_, i) => [call([2 * i], 1, 'Reverted'), call([2 * i, 0], 2), call([2 * i + 1], 3), call([2 * i + 1, 0], 4)]).flat()
    const answers = madeUpBlock(height, []), [block] = answers
    assert.ok(block)
    await insertAnswers(store, [...answers, { ...block, kind: 'parity_traces', result: JSON.stringify([call([], 0), ...calls]) }])
    const params = { chain: 'ETH', from: height, to: height, generation: 1 }
    await store.execute(sql('decode'), params)
    await store.execute(sql('internal'), params, { max_memory_usage: 1_000_000_000 })
    const rows = await store.query('SELECT toString(amount) AS amount, count() AS moved, min(position) AS first FROM movements GROUP BY amount ORDER BY amount', {}, z.object({ amount: z.string(), moved: z.coerce.number(), first: z.number() }))
    assert.deepEqual(rows, [{ amount: '3', moved: many, first: 3 }, { amount: '4', moved: many, first: 4 }])
  })
})

describe('a transaction of thousands of calls far down', function () {
  this.timeout(240_000)
  it('is read within memory that does not grow with the square of their depth', async () => {
    const { store } = await freshStore()
    const height = 41_000_003, deep = 400, many = 6_000
    const call = (traceAddress: readonly number[], value: number, error?: string) => ({ type: 'call', action: { callType: 'call', from: address('11'), to: address('22'), value: `0x${value.toString(16)}` }, result: null, traceAddress, transactionPosition: 0, transactionHash: hashOf(height + 2_000_000_000), ...(error === undefined ? {} : { error }) })
    const down = Array.from({ length: deep }, () => 0)
    // Below one that failed lies one that failed too; what comes after the inner one lies below the outer still. The last is below none.
    const calls = [
      ...down.map((_, depth) => call(down.slice(0, depth), 0)), ...Array.from({ length: many }, (_, i) => call([...down, i], 1)),
      call([1], 2, 'Reverted'), call([1, 0], 2, 'Reverted'), call([1, 0, 0], 2), call([1, 1], 2), call([10], 3), call([256], 3),
    ]
    const answers = madeUpBlock(height, []), [block] = answers
    assert.ok(block)
    await insertAnswers(store, [...answers, { ...block, kind: 'parity_traces', result: JSON.stringify(calls) }])
    const params = { chain: 'ETH', from: height, to: height, generation: 1 }
    await store.execute(sql('decode'), params)
    await store.execute(sql('internal'), params, { max_memory_usage: 1_000_000_000 })
    const rows = await store.query('SELECT toString(amount) AS amount, count() AS moved, min(position) AS first FROM movements GROUP BY amount ORDER BY amount', {}, z.object({ amount: z.string(), moved: z.coerce.number(), first: z.number() }))
    assert.deepEqual(rows, [{ amount: '1', moved: many, first: deep }, { amount: '3', moved: 2, first: deep + many + 4 }])
  })
})

describe('a batch of thousands of ERC-1155 tokens', function () {
  this.timeout(240_000)
  it('is read within memory that does not grow with its square', async () => {
    const { store } = await freshStore()
    const height = 41_000_002, many = 8_000
    // One list is meant by both offsets: half the gas for as many pairs.
    await insertAnswers(store, madeUpBlock(height, [{ address: sold, topics: ['0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb', topic(address('11')), topic(address('11')), topic(address('22'))],
      data: `0x${word(64)}${word(64)}${word(many)}${Array.from({ length: many }, (_, i) => word(i + 1)).join('')}` }]))
    const params = { chain: 'ETH', from: height, to: height, generation: 1 }
    await store.execute(sql('decode'), params)
    await store.execute(sql('movements'), params, { max_memory_usage: 1_000_000_000 })
    const [row] = await store.query("SELECT count() AS moved, countIf(kind = 'erc1155' AND token_id = sub + 1 AND amount = sub + 1) AS whole, uniqExact(sub) AS places FROM movements", {}, z.object({ moved: z.coerce.number(), whole: z.coerce.number(), places: z.coerce.number() }))
    assert.deepEqual(row, { moved: many, whole: many, places: many })
  })
})
