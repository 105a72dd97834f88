/** Canonical JSON by the examples of RFC 8785: numbers (appendix B), strings and literals (3.2.2), keys by UTF-16 code units (3.2.3). */
import assert from 'node:assert/strict'
import { canonicalOf, hashOf } from '../../../schemas/attest/canonical.js'

/** Bits of a double, and what it is written as. */
const numbers: readonly (readonly [string, string])[] = [
  ['0000000000000000', '0'], ['8000000000000000', '0'], ['0000000000000001', '5e-324'], ['8000000000000001', '-5e-324'], ['7fefffffffffffff', '1.7976931348623157e+308'], ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'], ['c340000000000000', '-9007199254740992'], ['4430000000000000', '295147905179352830000'], ['44b52d02c7e14af5', '9.999999999999997e+22'], ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'], ['444b1ae4d6e2ef4e', '999999999999999700000'], ['444b1ae4d6e2ef4f', '999999999999999900000'], ['444b1ae4d6e2ef50', '1e+21'], ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'], ['41b3de4355555553', '333333333.3333332'], ['41b3de4355555554', '333333333.33333325'], ['41b3de4355555555', '333333333.3333333'], ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'], ['becbf647612f3696', '-0.0000033333333333333333'], ['43143ff3c1cb0959', '1424953923781206.2'],
]
const sample = '{ "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001], "string": "\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/", "literals": [null, true, false] }'
const sampleBytes = '7b226c69746572616c73223a5b6e756c6c2c747275652c66616c73655d2c226e756d62657273223a5b3333333333333333332e333333333333332c31652b33302c342e352c302e3030322c31652d32375d2c22737472696e67223a22e282ac245c75303030665c6e4127425c225c5c5c5c5c222f227d'

describe('canonical JSON', () => {
  for (const [bits, text] of numbers) it(`number ${bits} is ${text}`, () => { assert.equal(canonicalOf(Buffer.from(bits, 'hex').readDoubleBE()), text) })

  it('has no NaN, no Infinity, no lone surrogate, no circle', () => {
    const circle: unknown[] = []
    circle.push(circle)
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, '\ud83d', { '\ude00': 1 }, ['a\ud83db'], circle, undefined]) assert.throws(() => canonicalOf(value))
  })

  it('writes strings and literals as the standard does, byte by byte', () => { assert.equal(Buffer.from(canonicalOf(JSON.parse(sample))).toString('hex'), sampleBytes) })

  it('orders keys by UTF-16 code units, in every object and not by code points', () => {
    const keys = { '\u20ac': 'Euro Sign', '\r': 'Carriage Return', '\ufb33': 'Hebrew Letter Dalet With Dagesh', 1: 'One', '\ud83d\ude00': 'Emoji: Grinning Face', '\u0080': 'Control', '\u00f6': 'Latin Small Letter O With Diaeresis' }
    const inOrder = ['Carriage Return', 'One', 'Control', 'Latin Small Letter O With Diaeresis', 'Euro Sign', 'Emoji: Grinning Face', 'Hebrew Letter Dalet With Dagesh']
    assert.deepEqual([...canonicalOf(keys).matchAll(/:"([^"]+)"/g)].map((match) => match[1]), inOrder)
    assert.equal(canonicalOf([{ b: { d: 1, c: [{ z: 0, y: 0 }] }, a: [] }]), '[{"a":[],"b":{"c":[{"y":0,"z":0}],"d":1}}]')
  })

  it('is a fixed point: parsing it and writing it again changes nothing; its hash is of its UTF-8 bytes', () => {
    const text = canonicalOf(JSON.parse(sample))
    assert.equal(canonicalOf(JSON.parse(text)), text)
    assert.equal(hashOf('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})
