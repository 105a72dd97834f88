import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contentOf, frameAt } from '../../../stages/ingest/hyperliquid/frames.js'
import { openSum, sumOf } from '../../../stages/ingest/hyperliquid/xxh32.js'
import { block, frame, skippable } from '../../support/lz4.js'

const folder = mkdtempSync(join(tmpdir(), 'hl-lz4-'))
/** What a file's whole frames hold; what follows the last of them is left. */
const unpack = async (bytes: Buffer): Promise<string> => {
  const path = join(folder, 'file')
  writeFileSync(path, bytes)
  const handle = await open(path), pieces: Buffer[] = []
  try {
    for (let at = 0; at < bytes.length;) {
      const one = await frameAt(handle, at, bytes.length, { start: -1, at: -1 })
      if (one === null) break
      for await (const piece of contentOf(handle, one)) pieces.push(Buffer.from(piece))
      at = one.end
    }
  } finally { await handle.close() }
  return Buffer.concat(pieces).toString('latin1')
}
const garbled = (bytes: Buffer, why: string): Promise<void> => assert.rejects(unpack(bytes), { code: 'FILE_GARBLED' }, why)
const hello = block(Buffer.from('hello '), true)

describe('LZ4 files', () => {
  after(() => { rmSync(folder, { recursive: true }) })

  it('literals, matches that overlap themselves, long lengths', async () => {
    assert.equal(await unpack(frame([block(Buffer.from([0x30, 97, 98, 99]))])), 'abc')
    // 'ab', then 10 bytes from two back, then 'z'.
    assert.equal(await unpack(frame([block(Buffer.from([0x26, 97, 98, 2, 0, 0x10, 122]))])), 'ababababababz')
    const long = Buffer.from('x'.repeat(300))
    assert.equal(await unpack(frame([block(Buffer.concat([Buffer.from([0xf0, 255, 30]), long]))])), 'x'.repeat(300))
  })

  it('what the usual packer writes: one block with its size told, and blocks on each other with checksums', async () => {
    const lines = Array.from({ length: 40 }, (_, nth) => `{"line":${nth},"of":"a node, of which much is the same"}\n`).join('')
    for (const packed of [
      'BCJNGGxAPggAAAAAAAC4/QAAAPQleyJsaW5lIjowLCJvZiI6ImEgbm9kZSwgb2Ygd2hpY2ggbXVjaCBpcyB0aGUgc2FtZSJ9CjQAHzE0ACAfMjQAIB8zNAAgHzQ0ACAfNTQAIB82NAAgHzc0ACAfODQAIB851AEhDwkCIg8KAiEfMQsCIR8xDAIhHzENAiEfMQ4CIR8xDwIhHzEQAiEfMRECIR8xEgIhHzISAiEfMhwEIg8SAiEfMhICIR8yEgIhHzISAiEfMhICIR8yEgIhHzISAiEfMhICIR8zEgIhHzMSAiEfMy8GIg8SAiEfMxICIR8zEgIhHzMSAiEfMxICIR8zEgIhHzMSAhRQbWUifQoAAAAAG/6wiA==',
      'BCJNGHRAvQABAAD0JXsibGluZSI6MCwib2YiOiJhIG5vZGUsIG9mIHdoaWNoIG11Y2ggaXMgdGhlIHNhbWUifQo0AB8xNAAgHzI0ACAfMzQAIB80NAAgHzU0ACAfNjQAIB83NAAgHzg0ACAfOTQAIB8xCQIiDwoCIR8xCwIhHzEMAiEfMQ0CIR8xDgIhHzEPAiEfMRACIR8xEQIhHzESAiEfMhICIR8yEgIhHzISAiEfMhICIR8yEgIhHzISAiEfMhICIR8yEgIhHzISAiEfMhICIR8zEgIhHzMSAiEfMxICIR8zEgIhHzMSAiEfMxICIR8zEgIhHzMSAiEfMxICIR8zEgIUUG1lIn0KssJs8QAAAAAb/rCI',
    ]) {
      const bytes = Buffer.from(packed, 'base64')
      assert.equal(await unpack(bytes), lines)
      for (const at of [5, 40, 150, bytes.length - 2]) { const bad = Buffer.from(bytes); bad[at] = (bad[at] ?? 0) ^ 1; await garbled(bad, String(at)) }
    }
  })

  it('stored blocks, blocks that look back at the one before, several frames, frames to skip', async () => {
    const one = frame([hello, block(Buffer.from([0x02, 6, 0, 0x10, 33]))])
    assert.equal(await unpack(one), 'hello hello !')
    assert.equal(await unpack(Buffer.concat([one, skippable(Buffer.from('abc')), one])), 'hello hello !hello hello !')
    assert.equal(await unpack(frame([block(Buffer.from('hello '), true, true)], 0x50)), 'hello ')
    assert.equal(await unpack(Buffer.alloc(0)), '')
  })

  it('what is longer than what can be looked back at', async () => {
    const blocks = Array.from({ length: 5 }, (_, nth) => Buffer.alloc(65_536, String(nth)))
    // After them, four bytes from as far back as can be.
    const far = Buffer.from([0x00, 0xff, 0xff, 0x10, 33])
    assert.equal(await unpack(frame([...blocks.map((bytes) => block(bytes, true)), block(far)])), `${blocks.join('')}4444!`)
    await garbled(frame([block(blocks[0] ?? Buffer.alloc(0), true), block(far)], 0x60), 'blocks that stand alone')
  })

  it('what is cut off waits; what is something else is refused, not guessed', async () => {
    for (const whole of [frame([hello]), frame([hello], 0x44, Buffer.from('hello ')), skippable(Buffer.from('abc'))]) for (let size = 1; size < whole.length; size += 1) assert.equal(await unpack(whole.subarray(0, size)), '', String(size))
    await garbled(Buffer.from('{"block_number":1}'), 'no frame')
    await garbled(frame([block(Buffer.from([0x11, 97, 9, 0]))]), 'before the beginning')
    await garbled(frame([hello], 0x44, Buffer.from('hallo ')), 'checksum')
    await garbled(frame([hello], 0x41), 'dictionary')
    // 18 bytes that unpack to more than a block may hold.
    await garbled(frame([block(Buffer.concat([Buffer.from([0x1f, 97, 1, 0]), Buffer.alloc(300, 255), Buffer.from([0])]))]), 'too long')
    await garbled(Buffer.concat([frame([]).subarray(0, -4), Buffer.from([1, 0, 1, 0])]), 'a block of more than 64 KiB')
  })

  it('checksums are those of the documentation, in whatever pieces bytes come', () => {
    assert.deepEqual(['', 'a', 'abc', 'Nobody inspects the spammish repetition'].map((text) => sumOf(Buffer.from(text))), [0x02cc5d05, 0x550d7456, 0x32d153ff, 0xe2293b2f])
    const bytes = Buffer.from(Array.from({ length: 100 }, (_, nth) => nth)), sum = openSum()
    for (const [from, to] of [[0, 3], [3, 15], [15, 17], [17, 64], [64, 100]] as const) sum.update(bytes.subarray(from, to))
    assert.equal(sum.digest(), sumOf(bytes))
  })
})
