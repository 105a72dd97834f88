/** Curve's pools that take or give wrapped coin and hold the coin, or the other way round: both move by the amount of the trade. */
import assert from 'node:assert/strict'
import type { Hex } from 'viem'
import { insertAnswers } from '../../support/raw.js'
import { freshStore } from '../../support/servers.js'
import { address, emitted, madeUpBlock, type MadeLog } from './madeUp.js'
import { normalize, rowsOf } from './normalized.js'

const weth: Hex = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
const [pool, trader, token] = ['ee', '11', 'aa'].map(address) as [Hex, Hex, Hex]
const moved = (of: Hex, from: Hex, to: Hex, value: bigint): MadeLog => emitted(of, 'event Transfer(address indexed from, address indexed to, uint256 value)', { from, to, value })
const traded = (sold: bigint, given: bigint, bought: bigint, got: bigint): MadeLog => emitted(pool, 'event TokenExchange(address indexed buyer, uint256 sold_id, uint256 tokens_sold, uint256 bought_id, uint256 tokens_bought)', { buyer: trader, sold_id: sold, tokens_sold: given, bought_id: bought, tokens_bought: got })
const [wraps, unwraps] = ['event Deposit(address indexed dst, uint256 wad)', 'event Withdrawal(address indexed src, uint256 wad)'] as const
const paid = (from: Hex, to: Hex, value: bigint) => ({ type: 'CALL', from, to, value: `0x${value.toString(16)}` })

describe('trades with pools that wrap and unwrap', function () {
  this.timeout(60_000)
  const cases: readonly (readonly [string, readonly MadeLog[], readonly object[], readonly [string, string]])[] = [
    ['unwrap what they take', [moved(weth, trader, pool, 70n), emitted(weth, unwraps, { src: pool, wad: 70n }), moved(token, pool, trader, 30n), traded(0n, 70n, 1n, 30n)], [paid(weth, pool, 70n)], [weth, token]],
    ['wrap what they take', [emitted(weth, wraps, { dst: pool, wad: 70n }), moved(token, pool, trader, 30n), traded(0n, 70n, 1n, 30n)], [paid(trader, pool, 70n), paid(pool, weth, 70n)], [weth, token]],
    ['wrap what they give', [moved(token, trader, pool, 30n), emitted(weth, wraps, { dst: pool, wad: 70n }), moved(weth, pool, trader, 70n), traded(1n, 30n, 0n, 70n)], [paid(pool, weth, 70n)], [token, weth]],
    ['give the coin as it is', [moved(token, trader, pool, 30n), traded(1n, 30n, 0n, 70n)], [paid(pool, trader, 70n)], [token, address('00')]],
    ['take another token of that amount beside the coin: which it was is not known', [moved(address('cc'), trader, pool, 70n), moved(token, pool, trader, 30n), traded(0n, 70n, 1n, 30n)], [paid(trader, pool, 70n)], ['', token]],
  ]
  for (const [index, [name, logs, calls, [sold, bought]]] of cases.entries()) {
    it(name, async () => {
      const { store } = await freshStore()
      const [head, ...rest] = madeUpBlock(50_000_000 + index, logs)
      if (head === undefined) assert.fail()
      const frame = { result: { ...paid(trader, address('22'), 0n), calls } }
      await insertAnswers(store, [head, ...rest, { ...head, kind: 'call_traces', result: JSON.stringify([frame]) }])
      await normalize(store, head.number, head.number)
      const legs = await rowsOf(store, 'swap_legs', head.number)
      assert.deepEqual(legs.map((leg) => [leg['token_sold_known'] === 'true' ? `0x${leg['token_sold'] ?? ''}` : '', leg['token_bought_known'] === 'true' ? `0x${leg['token_bought'] ?? ''}` : '']), [[sold, bought]])
    })
  }
})
