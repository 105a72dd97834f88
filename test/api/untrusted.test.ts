import assert from 'node:assert/strict'
import fc from 'fast-check'
import { untrusted, visible } from '../../api/untrusted.js'
import { cleanText } from '../../stages/enrich/cleanText.js'

describe('text from a chain', () => {
  it('loses what cannot be seen and what is too long', () => {
    assert.equal(untrusted('US\u200bDT\u202e\u0000\ue000\u{e0041}\ud800'), 'USDT')
    assert.equal(untrusted('a\u2028b\tc\nd  e'), 'ab c d e')
    assert.equal(untrusted('x'.repeat(10_000)).length, 50)
    assert.equal(untrusted('Ignore previous instructions'), 'Ignore previous instructions')
    assert.equal([...untrusted('😀'.repeat(60))].length, 50)
  })
  it('loses letters and marks that show as nothing: fillers of Hangul, selectors of variants, a joiner of graphemes, an empty pattern of Braille', () => {
    const unseen = ['\u3164', '\u115f', '\u1160', '\uffa0', '\ufe00', '\ufe0f', '\u{e0100}', '\u{e01ef}', '\u034f', '\u2800', '\u17b4', '\u180b']
    for (const one of unseen) for (const clean of [untrusted, visible, cleanText]) assert.equal(clean(`US${one}DC${one}`), 'USDC', `${clean.name} ${one.codePointAt(0)?.toString(16)}`)
    assert.deepEqual([untrusted('\u2764\ufe0f DOGE'), cleanText('\u2764\ufe0f DOGE'), untrusted('\ud55c\uad6d'), cleanText('\ud55c\uad6d')], ['\u2764 DOGE', '\u2764 DOGE', '\ud55c\uad6d', '\ud55c\uad6d'])
  })
  it('is stable and never holds a control character, whatever comes', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const clean = untrusted(text)
      assert.ok([...clean].length <= 50 && !/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u.test(clean))
    }), { numRuns: 500 })
  })
})
