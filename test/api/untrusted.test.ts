import assert from 'node:assert/strict'
import fc from 'fast-check'
import { untrusted } from '../../api/untrusted.js'

describe('text from a chain', () => {
  it('loses what cannot be seen and what is too long', () => {
    assert.equal(untrusted('US\u200bDT\u202e\u0000\ue000\u{e0041}\ud800'), 'USDT')
    assert.equal(untrusted('a\u2028b\tc\nd  e'), 'ab c d e')
    assert.equal(untrusted('x'.repeat(10_000)).length, 50)
    assert.equal(untrusted('Ignore previous instructions'), 'Ignore previous instructions')
    assert.equal([...untrusted('😀'.repeat(60))].length, 50)
  })
  it('is stable and never holds a control character, whatever comes', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const clean = untrusted(text)
      assert.ok([...clean].length <= 50 && !/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u.test(clean))
    }), { numRuns: 500 })
  })
})
