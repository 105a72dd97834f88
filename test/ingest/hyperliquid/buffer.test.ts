/** What is heard while the store is away becomes segments as large as any other, in the order of hearing. */
import assert from 'node:assert/strict'
import { openBuffer } from '../../../stages/ingest/hyperliquid/buffer.js'
import type { Heard, Journal } from '../../../stages/ingest/hyperliquid/journal.js'

const mebibyte = 1 << 20, full = 8 * mebibyte
const one = (nth: number, size: number): Heard => ({ kind: 'ws', request: '{}', payload: Buffer.alloc(size), endpoint: 'venue', at: nth })

/** A journal that takes nothing while it is away, and what it took. */
const openAway = () => {
  const segments: (readonly Heard[])[] = [], state = { away: true, refusesAt: -1 }
  const append = (heard: readonly Heard[]) => {
    if (state.away || segments.length === state.refusesAt) return Promise.reject(new Error('away'))
    segments.push(heard)
    return Promise.resolve({ number: segments.length, hash: '0x', parentHash: '0x', time: 0 })
  }
  const journal: Journal = { newest: () => Promise.resolve(null), header: () => Promise.resolve(null), listened: () => Promise.resolve(null), append }
  return { journal, segments, state }
}
const sizeOf = (heard: readonly Heard[]): number => heard.reduce((sum, { payload }) => sum + payload.length, 0)
const refused = async (done: Promise<void>): Promise<void> => { await assert.rejects(done, /away/) }

describe('what waits for the store', () => {
  it('becomes segments of a usual size when it is back, in its order, and what alone is larger one of its own', async () => {
    const { journal, segments, state } = openAway()
    const buffer = openBuffer(journal, 60_000, () => undefined, () => undefined)
    const sizes = [...Array.from({ length: 60 }, () => mebibyte - 1), full + 5, 7, ...Array.from({ length: 20 }, () => mebibyte)]
    for (const [nth, size] of sizes.entries()) buffer.hear(one(nth, size))
    await refused(buffer.flush())
    state.away = false
    await buffer.close()
    assert.deepEqual(segments.flat().map(({ at }) => at), sizes.map((_, nth) => nth))
    assert.deepEqual(segments.filter((heard) => heard.length > 1 && sizeOf(heard) > full).length, 0)
    assert.ok(segments.some((heard) => heard.length === 1 && sizeOf(heard) > full))
    assert.ok(segments.length <= 13, String(segments.length))
  })

  it('stays in its order where the store goes away again in between', async () => {
    const { journal, segments, state } = openAway()
    const warned: string[] = []
    let landed = 0
    const buffer = openBuffer(journal, 60_000, (reason) => { warned.push(reason) }, () => { landed += 1 })
    for (let nth = 0; nth < 30; nth += 1) buffer.hear(one(nth, mebibyte))
    await refused(buffer.flush())
    state.away = false
    state.refusesAt = 2
    await refused(buffer.flush())
    buffer.hear(one(30, mebibyte))
    state.refusesAt = -1
    await buffer.close()
    assert.deepEqual(segments.map(({ length }) => length), [8, 8, 8, 7])
    assert.deepEqual(segments.flat().map(({ at }) => at), Array.from({ length: 31 }, (_, nth) => nth))
    assert.deepEqual([landed, warned.at(-1)], [4, 'away'])
  })
})
