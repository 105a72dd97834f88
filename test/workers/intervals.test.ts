import assert from 'node:assert/strict'
import fc from 'fast-check'
import { cut, gaps, merge, type Stretch } from '../../workers/intervals.js'

const stretches = fc.array(fc.tuple(fc.nat(200), fc.nat(30)).map(([from, length]): Stretch => ({ from, to: from + length })), { maxLength: 12 })
const blocks = (list: readonly Stretch[]): Set<number> => new Set(list.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, index) => from + index)))

describe('stretches of blocks', () => {
  it('gaps are exactly what is wanted and not covered', () => {
    fc.assert(fc.property(stretches, stretches, (wanted, covered) => {
      const have = blocks(covered)
      assert.deepEqual([...blocks(gaps(wanted, covered))].sort(), [...blocks(wanted)].filter((block) => !have.has(block)).sort())
    }))
  })
  it('merged stretches neither touch nor overlap and lose nothing', () => {
    fc.assert(fc.property(stretches, (list) => {
      const merged = merge(list)
      assert.deepEqual([...blocks(merged)].sort(), [...blocks(list)].sort())
      merged.slice(1).forEach((one, index) => { assert.ok(one.from > (merged[index]?.to ?? 0) + 1) })
    }))
  })
  it('pieces tile the stretch, keep to the size and never cross the grid', () => {
    fc.assert(fc.property(stretches, fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 64 }), (list, size, align) => {
      const whole = merge(list)
      const pieces = cut(whole, size, align)
      assert.deepEqual(merge(pieces), whole)
      for (const { from, to } of pieces) {
        assert.ok(to - from + 1 <= size)
        assert.equal(Math.floor(from / align), Math.floor(to / align))
      }
    }))
  })
})
