/** Slices of the addresses: all of them, each once, as many as there are rows for. */
import assert from 'node:assert/strict'
import { slicesOf } from '../../stages/slices.js'

describe('slices of addresses', () => {
  it('are one where there is little, else a power of two, and 65,536 at most', () => {
    const counts = [[0, 8], [8, 8], [9, 8], [17, 8], [1e12, 8], [5, Infinity]] as const
    assert.deepEqual(counts.map(([rows, each]) => slicesOf(rows, each).length), [1, 1, 2, 4, 65_536, 1])
  })

  it('follow each other from the first address to the last', () => {
    for (const count of [1, 2, 256, 65_536]) {
      const slices = slicesOf(count, 1)
      assert.equal(slices.length, count)
      assert.equal(slices[0]?.first, '0'.repeat(40))
      assert.equal(slices.at(-1)?.last, 'f'.repeat(40))
      for (const [index, { first, last }] of slices.entries()) {
        assert.ok(first.length === 40 && last.length === 40)
        if (index > 0) assert.equal(BigInt(`0x${first}`), BigInt(`0x${slices[index - 1]?.last ?? ''}`) + 1n)
      }
    }
  })
})
