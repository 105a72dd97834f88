/** Memory used again: what is released is given out anew, what is not stays as it is; bytes come out as they went in, however they came. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { forTwo, inShared, openGather, slotOf, takeSlot } from '../../schemas/slots.js'

describe('memory for bytes on their way', () => {
  it('is given out again once it is released, and only then', () => {
    const first = takeSlot(300_000), second = takeSlot(300_000)
    assert.notEqual(first.bytes.buffer, second.bytes.buffer)
    const memory = first.bytes.buffer
    first.release()
    first.release()
    const again = [takeSlot(290_000), takeSlot(290_000)].map(({ bytes }) => bytes)
    assert.equal(again.filter(({ buffer }) => buffer === memory).length, 1)
    assert.deepEqual(again.map(({ length }) => length), [290_000, 290_000])
    assert.ok(again.every(({ buffer }) => buffer !== second.bytes.buffer))
  })

  it('is not given out again where it was dropped, by one of two who read it as by both', () => {
    for (const ends of [['drop', 'release'], ['release', 'drop'], ['drop', 'drop']] as const) {
      const slot = takeSlot(300_000), two = forTwo(slot)
      for (const [at, end] of ends.entries()) { two[at]?.[end](); two[at]?.release() }
      slot.release()
      assert.notEqual(takeSlot(300_000).bytes.buffer, slot.bytes.buffer)
    }
  })

  it('is not wasted on what is much smaller', () => {
    const large = takeSlot(8 << 20)
    large.release()
    assert.notEqual(takeSlot(100).bytes.buffer, large.bytes.buffer)
  })

  it('holds what came in pieces of any size, announced or not', () => {
    for (const length of [0, 1, 32_768, 32_769, 65_536, 1_000_003]) for (const [declared, step] of [[length, 65_536], [0, 4_099], [0, 500_000]] as const) {
      const bytes = randomBytes(length), gather = openGather(declared)
      for (let at = 0; at < length; at += step) gather.add(bytes.subarray(at, at + step))
      assert.equal(gather.size(), length)
      assert.ok(gather.whole().bytes.equals(bytes), `${length} bytes by ${step}`)
    }
  })

  it('is counted by V8 where it is large', () => {
    assert.ok(takeSlot(16 << 20).bytes.buffer instanceof SharedArrayBuffer)
    const large = takeSlot((16 << 20) + 1)
    assert.ok(large.bytes.buffer instanceof ArrayBuffer)
    large.release()
    assert.notEqual(takeSlot((16 << 20) + 1).bytes.buffer, large.bytes.buffer)
  })

  it('may come from another thread', () => {
    const memory = new SharedArrayBuffer(100_000), slot = slotOf(memory, 10)
    assert.equal(inShared(slot), slot)
    assert.equal(slot.bytes.length, 10)
  })
})
