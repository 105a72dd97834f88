import assert from 'node:assert/strict'
import fc from 'fast-check'
import { inCoins, satoshisIn } from '../../schemas/satoshis.js'

describe('satoshis', () => {
  it('of coins are those of their digits', () => {
    for (const [coins, satoshis] of [[0, 0n], [-0, 0n], [10, 1_000_000_000n], [0.1, 10_000_000n], [0.29, 29_000_000n], [1.1, 110_000_000n], [1e-8, 1n], [1.5e-7, 15n], [20_999_999.97690001, 2_099_999_997_690_001n], [21_000_000_000, 2_100_000_000_000_000_000n]] as const) assert.equal(satoshisIn(coins), satoshis, String(coins))
  })
  it('are none where a number has more than eight decimals, or is no amount', () => {
    for (const coins of [1e-9, 1.5e-8, 0.123456789, 0.1 + 0.2, 10.000000001, -1, NaN, Infinity]) assert.equal(satoshisIn(coins), null, String(coins))
  })
  it('come back as they were, whatever there ever will be of them', () => {
    fc.assert(fc.property(fc.bigInt({ min: 0n, max: 2_100_000_000_000_000n }), (satoshis) => { assert.equal(satoshisIn(Number(inCoins(satoshis))), satoshis) }), { numRuns: 5_000 })
    assert.deepEqual([inCoins(1n), inCoins(2_099_999_997_690_001n)], ['0.00000001', '20999999.97690001'])
  })
})
