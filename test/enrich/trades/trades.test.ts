import assert from 'node:assert/strict'
import { at, coin, units, usdc, weth } from '../handmade.js'
import { buy, ledgerOf, me, move, other, pool, resultsOf, sell, shifted, token, tradesOf, type Step } from './ledger.js'

const router = at('4000')
const one = (rows: readonly { readonly block: number }[], block: number) => rows.filter((row) => row.block === block)

describe('trades of wallets', function () {
  this.timeout(120_000)
  it('belong to who paid and received, whatever a router did between; what only passes through trades nothing', async () => {
    const through = { n: 1, position: 0, token: usdc, amount: units(100, 6) }
    const store = await ledgerOf([
      { moves: [{ ...through, from: me, to: router }, { ...through, position: 1, from: router, to: pool }, { ...through, position: 2, token, from: pool, to: router, amount: units(50, 18) },
        { ...through, position: 3, token, from: router, to: me, amount: units(50, 18) }], swaps: [{ n: 1, log: 4, sold: usdc, amountSold: units(100, 6), bought: token, amountBought: units(50, 18) }] },
      // Arbitrage: a token that came and went in one transaction.
      { moves: [...buy(2, 50, 100).moves, ...sell(2, 50, 110).moves.map((row) => ({ ...row, position: row.position + 10 }))], swaps: [...buy(2, 50, 100).swaps, { ...sell(2, 50, 110).swaps[0]!, log: 13 }] },
      // No swap: a transfer, not a trade.
      move(3, 5, at('77'), me),
    ])
    assert.deepEqual((await tradesOf(store)).map(({ block, account, side, role, basis, amount, pool: swapped, usd }) => [block, account, side, role, basis, amount, swapped, usd]), [[1, me, 'buy', 'sender', 'netted', 50, 50, 100]])
  })

  it('value one token for another alike on both sides, or neither', async () => {
    const deep = { ...buy(1, 100, 200), swaps: [{ ...buy(1, 100, 200).swaps[0]!, depthSold: units(1e6, 6), depthBought: units(5e5, 18) }] }
    const change = (n: number, from: string, to: string) => ({
      moves: [{ n, position: 1, token: from, from: me, to: pool, amount: units(10, 18) }, { n, position: 2, token: to, from: pool, to: me, amount: units(4, 18) }],
      swaps: [{ n, log: 3, sold: from, amountSold: units(10, 18), bought: to, amountBought: units(4, 18) }],
    })
    const rows = await tradesOf(await ledgerOf([deep, change(2, token, other), change(3, at('b1'), at('b2'))]))
    assert.deepEqual(one(rows, 2).map((row: any) => [row.token, row.side, row.amount, row.usd]), [[token, 'sell', 10, 20], [other, 'buy', 4, 20]])
    assert.deepEqual(one(rows, 3).map((row: any) => [row.side, row.usd]), [['sell', null], ['buy', null]])
  })

  it('tell a sale for the coin by its swaps where inner movements are unknown, unless others sold beside', async () => {
    const sale = (n: number, given: number) => ({
      moves: [{ n, position: 1, token, from: me, to: pool, amount: units(given, 18) }, { n, position: 2, token: weth, from: pool, to: router, amount: units(1, 18) }, { n, position: 4, kind: 'unwrap', token: weth, from: router, to: coin, amount: units(1, 18) }],
      swaps: [{ n, log: 3, sold: token, amountSold: units(100, 18), bought: weth, amountBought: units(1, 18) }],
    })
    const priced = { moves: [], swaps: [{ n: 1, log: 0, sold: usdc, amountSold: units(2000, 6), depthSold: units(1e6, 6), bought: weth, amountBought: units(1, 18) }] }
    const rows = await tradesOf(await ledgerOf([priced, sale(2, 100), sale(3, 40)]))
    assert.deepEqual(rows.map(({ block, account, side, basis, amount, usd }) => [block, account, side, basis, amount, usd]), [[2, me, 'sell', 'legs', 100, 2000], [3, me, 'sell', 'legs', 40, null]])
  })

  it('count the coin that is not seen beside what else came, but no fee that a route keeps', async () => {
    const sale = (n: number, came: string, whole: number) => ({
      moves: [{ n, position: 1, token, from: me, to: pool, amount: units(100, 18) }, { n, position: 2, token: weth, from: pool, to: router, amount: units(1, 18) },
        { n, kind: 'unwrap', position: 4, token: weth, from: router, to: coin, amount: units(1, 18) }, { n, position: 5, token: came, from: at('d0'), to: me, amount: came === coin ? units(whole, 18) : units(whole, 6), ...(came === coin ? { kind: 'native' } : {}) }],
      swaps: [{ n, log: 3, sold: token, amountSold: units(100, 18), bought: weth, amountBought: units(1, 18) }],
    })
    const bought = (n: number, passed: number) => ({
      moves: [{ n, position: 1, token: usdc, from: me, to: pool, amount: units(2000, 6) }, { n, position: 4, token: other, from: pool, to: me, amount: units(10, 18) }],
      swaps: [{ n, log: 2, sold: usdc, amountSold: units(2000, 6), bought: weth, amountBought: units(1, 18) }, { n, log: 3, sold: weth, amountSold: units(passed, 18), bought: other, amountBought: units(10, 18) }],
    })
    const priced = { moves: [], swaps: [{ n: 1, log: 0, sold: usdc, amountSold: units(2000, 6), depthSold: units(1e6, 6), bought: weth, amountBought: units(1, 18) }] }
    const traced = sale(5, usdc, 0.01)
    const rows = await tradesOf(await ledgerOf([priced, sale(2, usdc, 0.01), sale(3, at('b1'), 7), sale(4, coin, 0.5), traced, bought(6, 0.99), bought(7, 0.5)],
      (store) => store.execute('ALTER TABLE blocks UPDATE internal_complete = true WHERE block_number = 5 SETTINGS mutations_sync = 1')))
    assert.deepEqual(rows.filter((row) => row.account === me && row.token !== at('b1')).map(({ block, side, basis, usd }) => [block, side, basis, usd]),
      [[2, 'sell', 'legs', 2000.01], [3, 'sell', 'legs', null], [4, 'sell', 'netted', 1000], [5, 'sell', 'netted', 0.01], [6, 'buy', 'netted', 2000], [7, 'buy', 'legs', 1000]])
    assert.deepEqual(rows.filter((row) => row.token === at('b1')).map(({ side, usd }) => [side, usd]), [['buy', null]])
  })

  it('belong to the owner of an order that somebody else sent, and are marked where a token keeps a part', async () => {
    const owner = at('51')
    const taxed = buy(2, 100, 100)
    const rows = await tradesOf(await ledgerOf([
      { moves: [{ n: 1, position: 1, token: usdc, from: owner, to: pool, amount: units(30, 6) }, { n: 1, position: 2, token, from: pool, to: owner, amount: units(10, 18) }],
        swaps: [{ n: 1, log: 3, sold: usdc, amountSold: units(30, 6), bought: token, amountBought: units(10, 18), aggregator: true, trusted: false }] },
      { moves: [taxed.moves[0]!, { ...taxed.moves[1]!, amount: units(90, 18) }, { ...taxed.moves[1]!, position: 5, to: at('7a'), amount: units(10, 18) }], swaps: taxed.swaps },
    ]))
    assert.deepEqual(rows.map(({ block, account, role, amount, pool: swapped, usd }) => [block, account, role, amount, swapped, usd]), [[1, owner, 'owner', 10, 0, 30], [2, me, 'sender', 90, 100, 100]])
  })

  it('carry the gas of their transaction once', async () => {
    const priced = { moves: [], swaps: [{ n: 1, log: 0, sold: usdc, amountSold: units(2000, 6), depthSold: units(1e6, 6), bought: weth, amountBought: units(1, 18) }] }
    const swap = { ...buy(2, 5, 10), moves: [...buy(2, 5, 10).moves, { n: 2, position: 8, token: other, from: pool, to: me, amount: units(1, 18) }] }
    const store = await ledgerOf([priced, swap], (empty) => empty.execute(`INSERT INTO transactions (chain, block_number, tx_index, from_address, gas_used, gas_price) SELECT 'ETH', 2, 0, unhex({me:String}), 100000, 20000000000`, { me: me.slice(2) })
      .then(() => empty.execute('DELETE FROM transactions WHERE block_number = 2 AND gas_used = 0')))
    assert.deepEqual((await tradesOf(store)).map((row) => [row.token, row.usd, row.gas, row.gas_usd]), [[token, null, '2000000000000000', 4], [other, null, '0', null]])
  })
})

interface Case { readonly steps: readonly Step[]; readonly wanted: Readonly<Record<string, number>>; readonly upto?: number }
const cases: Readonly<Record<string, Case>> = {
  // Average: 150 × (3 − 2). FIFO: 100 × (3 − 1) + 50 × (3 − 3). Held: 100 for 11 blocks, 50 for 10.
  'partial sales: by average cost and by FIFO': { steps: [buy(1, 100, 100), buy(2, 100, 300), sell(12, 150, 450)],
    wanted: { held: 50, cost: 100, lots: 150, average: 150, fifo: 200, excess: 0, unpriced: 0, closings: 1, hours: 100 * 132 + 50 * 120 } },
  'a sale above what is known leaves the rest without a result': { steps: [buy(1, 10, 10), sell(2, 30, 60)], wanted: { held: 0, cost: 0, lots: 0, average: 10, fifo: 10, excess: 20 } },
  'what was given has no cost, and no result': { steps: [move(1, 50, at('77'), me), sell(2, 30, 60)], wanted: { held: 0, unpriced: 20, average: 0, fifo: 0, excess: 30, closings: 1 } },
  'gifts do not dilute what was paid': { steps: [buy(1, 100, 100), move(2, 900, at('77'), me), sell(3, 100, 250)], wanted: { held: 0, unpriced: 900, average: 150, fifo: 150, excess: 0 } },
  'what leaves takes the gifts first, then lots at no result': { steps: [buy(1, 100, 100), move(2, 50, at('77'), me), move(3, 90, me, at('78')), sell(4, 60, 120)],
    wanted: { held: 0, unpriced: 0, average: 60, fifo: 60, excess: 0, cost: 0 } },
  'flips: in and out again, once with a loss': { steps: [buy(1, 10, 100), sell(2, 10, 150), buy(3, 10, 200), sell(4, 10, 120)], wanted: { held: 0, average: -30, fifo: -30, closings: 2, cost: 0 } },
  'a transfer to oneself changes nothing': { steps: [buy(1, 10, 100), move(2, 10, me, me), sell(3, 10, 130)], wanted: { held: 0, unpriced: 0, average: 30, fifo: 30, excess: 0 } },
  'a purchase at an unknown price is kept apart': { steps: [
    { moves: [{ n: 1, position: 1, token: at('b1'), from: me, to: pool, amount: '7' }, { n: 1, position: 2, token, from: pool, to: me, amount: units(10, 18) }],
      swaps: [{ n: 1, log: 3, sold: at('b1'), amountSold: '7', bought: token, amountBought: units(10, 18) }] }, buy(2, 10, 20), sell(3, 15, 45)],
  wanted: { held: 0, unpriced: 5, average: 10, fifo: 10, excess: 5 } },
  'a loss that has not been taken is none': { steps: [buy(1, 3, 100), sell(2, 1, 1)], wanted: { held: 2, cost: 66.666667, average: -32.333333, fifo: -32.333333 } },
  'as of a height: what came later is not in it': { steps: [buy(1, 10, 100), sell(2, 5, 100), sell(9, 5, 0.5)], wanted: { held: 5, cost: 50, average: 50, closings: 1 }, upto: 8 },
}
const apart = 13
const assetOf = (index: number): string => at(`c${index.toString(16).padStart(2, '0')}`)

describe('ledgers of wallets', function () {
  this.timeout(120_000)
  let store: Awaited<ReturnType<typeof ledgerOf>>
  before(async () => { store = await ledgerOf(Object.values(cases).flatMap(({ steps }, index) => shifted(steps, index * apart, assetOf(index)))) })

  for (const [index, [name, { wanted, upto }]] of Object.entries(cases).entries()) {
    it(name, async () => {
      const row = (await resultsOf(store, me, upto === undefined ? undefined : upto + index * apart)).find((one) => one.token === assetOf(index))
      assert.deepEqual(Object.fromEntries(Object.keys(wanted).map((key) => [key, row?.[key as keyof typeof row]])), wanted)
    })
  }
})
