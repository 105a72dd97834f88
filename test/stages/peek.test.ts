import assert from 'node:assert/strict'
import type { Piece } from '../../schemas/outgoing.js'
import { plain } from '../../schemas/slots.js'
import { peek } from '../../stages/peek.js'

const source = (pieces: readonly string[]) => {
  const told = { asked: 0, ended: false }
  const from = async function* (): AsyncGenerator<Uint8Array> {
    try { for (const piece of pieces) { told.asked += 1; yield Buffer.from(piece) } } finally { told.ended = true }
  }
  return { told, from: from() }
}
const all = async (pieces: AsyncIterable<Piece>): Promise<string[]> => { const read: string[] = []; for await (const piece of pieces) read.push(Buffer.from('release' in piece ? piece.bytes : piece).toString()); return read }

describe('data whose first piece is waited for', () => {
  it('is what the source yields, but for empty pieces', async () => {
    const { told, from } = source(['', 'one', '', 'two'])
    const peeked = await peek(from)
    assert.equal(told.asked, 1)
    assert.deepEqual([await all(peeked?.pieces ?? assert.fail()), told.ended], [['one', 'two'], true])
  })

  it('may lie in a slot, which whoever takes it releases: an empty one, too', async () => {
    const empty = plain(Buffer.alloc(0)), from = async function* (): AsyncGenerator<Piece> { await Promise.resolve(); yield empty; yield plain(Buffer.from('one')) }
    assert.deepEqual(await all((await peek(from()))?.pieces ?? assert.fail()), ['', 'one'])
  })

  it('is none where the source yields none', async () => { assert.equal(await peek(source([]).from), null) })

  it('lets go of the source when it is not wanted, at once or half way', async () => {
    for (const taken of [0, 1]) {
      const { told, from } = source(['one', 'two', 'three'])
      const peeked = await peek(from)
      for (let count = 0; count < taken; count += 1) await peeked?.pieces.next()
      await peeked?.drop()
      assert.deepEqual([told.ended, told.asked], [true, 1])
    }
  })

  it('fails as the source does', async () => {
    const failing = async function* (): AsyncGenerator<Uint8Array> { yield await Promise.reject(new Error('gone')) }
    await assert.rejects(peek(failing()), /gone/)
  })
})
