import assert from 'node:assert/strict'
import { unpackLz4 } from '../../../stages/ingest/hyperliquid/lz4.js'

const header = Buffer.from('04224d186040ff', 'hex')
const block = (bytes: Buffer, plain = false): Buffer => { const size = Buffer.alloc(4); size.writeUInt32LE((bytes.length | (plain ? 0x80000000 : 0)) >>> 0); return Buffer.concat([size, bytes]) }
const frame = (...blocks: Buffer[]): Buffer => Buffer.concat([header, ...blocks, Buffer.alloc(4)])
const text = (bytes: Buffer): string => bytes.toString('latin1')

describe('LZ4 files', () => {
  it('literals, matches that overlap themselves, long lengths', () => {
    assert.equal(text(unpackLz4(frame(block(Buffer.from([0x30, 97, 98, 99]))))), 'abc')
    // 'ab', then 10 bytes from two back, then 'z'.
    assert.equal(text(unpackLz4(frame(block(Buffer.from([0x26, 97, 98, 2, 0, 0x10, 122]))))), 'ababababababz')
    const long = Buffer.from('x'.repeat(300))
    assert.equal(text(unpackLz4(frame(block(Buffer.concat([Buffer.from([0xf0, 255, 30]), long]))))), 'x'.repeat(300))
  })

  it('stored blocks, blocks that look back at the one before, several frames, frames to skip', () => {
    const one = frame(block(Buffer.from('hello '), true), block(Buffer.from([0x02, 6, 0, 0x10, 33])))
    assert.equal(text(unpackLz4(one)), 'hello hello !')
    const skipped = Buffer.concat([Buffer.from('502a4d1803000000', 'hex'), Buffer.from('abc')])
    assert.equal(text(unpackLz4(Buffer.concat([one, skipped, one]))), 'hello hello !hello hello !')
    assert.equal(unpackLz4(Buffer.alloc(0)).length, 0)
  })

  it('what is cut off or something else is refused, not guessed', () => {
    const whole = frame(block(Buffer.from('hello '), true))
    for (let size = 1; size < whole.length; size += 1) assert.throws(() => unpackLz4(whole.subarray(0, size)), { code: 'FILE_GARBLED' }, String(size))
    const [summed, skipped] = [Buffer.concat([Buffer.from('04224d186440ff', 'hex'), whole.subarray(7), Buffer.alloc(4)]), Buffer.from('502a4d1803000000616263', 'hex')]
    assert.equal(text(unpackLz4(Buffer.concat([summed, skipped]))), 'hello ')
    for (let less = 1; less < 5; less += 1) assert.throws(() => unpackLz4(summed.subarray(0, -less)), { code: 'FILE_GARBLED' }, `checksum, ${less} less`)
    assert.throws(() => unpackLz4(skipped.subarray(0, -1)), { code: 'FILE_GARBLED' })
    assert.throws(() => unpackLz4(Buffer.from('{"block_number":1}')), { code: 'FILE_GARBLED' })
    assert.throws(() => unpackLz4(frame(block(Buffer.from([0x11, 97, 9, 0])))), { code: 'FILE_GARBLED' })
  })
})
