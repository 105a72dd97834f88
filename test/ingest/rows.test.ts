import assert from 'node:assert/strict'
import { packed } from '../../stages/ingest/rows.js'

describe('rows on their way to the store', () => {
  it('are few buffers of the same bytes: small pieces together, large ones as they are', () => {
    const large = Buffer.alloc(200_000, 7), piece = (nth: number): Buffer => Buffer.alloc(nth % 50, nth)
    const pieces = [...Array.from({ length: 5_000 }, (_, nth) => piece(nth)), large, large, piece(3), Buffer.alloc(65_536, 1), piece(9), Buffer.alloc(65_535, 2), piece(11), Buffer.alloc(0)]
    const buffers = [...packed(pieces)]
    assert.deepEqual(Buffer.concat(buffers), Buffer.concat(pieces))
    assert.equal(buffers.filter((one) => one === large).length, 2)
    assert.ok(buffers.length < 12 && buffers.every(({ length }) => length > 0), String(buffers.map(({ length }) => length)))
  })

  it('are none where there is nothing', () => { assert.deepEqual([...packed([])], []) })
})
