/** Bytes on their way: they arrive as they were although their slots are written anew as soon as they are released, which is before the end; where sending failed they are dropped, each once. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { outgoing, over, type Piece } from '../../schemas/outgoing.js'
import { takeSlot, type Slot } from '../../schemas/slots.js'
import { varint } from '../../stages/ingest/rows.js'
import { freshStore } from '../support/servers.js'

/** Slots of these sizes, each byte of one the same; zeros are written over one in the moment it is released. */
const filled = (sizes: readonly number[]) => {
  const sent = createHash('sha256'), state = { taken: 0, released: 0, dropped: 0, mostHeld: 0 }
  const slotOf = (size: number): Slot => {
    const slot = takeSlot(size)
    slot.bytes.fill(1 + (state.taken % 255))
    sent.update(slot.bytes)
    state.taken += 1
    state.mostHeld = Math.max(state.mostHeld, state.taken - state.released)
    return { bytes: slot.bytes, release: () => { state.released += 1; slot.bytes.fill(0); slot.release() }, drop: () => { state.dropped += 1; slot.drop() } }
  }
  return { state, slotOf, sent: () => sent.digest('hex'), pieces: async function* (): AsyncGenerator<Piece> { for (const size of sizes) { await Promise.resolve(); yield slotOf(size) } } }
}

/** A server that reads with pauses, or hangs up after some bytes; what it read, hashed. */
const slowServer = async (failAfter = Infinity) => {
  const got = createHash('sha256')
  const server = createServer((asked, answer) => {
    void (async () => {
      let read = 0
      for await (const chunk of asked as AsyncIterable<Buffer>) {
        got.update(chunk)
        read += chunk.length
        if (read > failAfter) { asked.destroy(); return }
        if (read % 7 === 0) await sleep(3)
      }
      answer.end('read')
    })().catch(() => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, got: () => got.digest('hex'), close: () => { server.closeAllConnections(); server.close() } }
}

const post = async (port: number, stream: Readable): Promise<void> => {
  const asked = request({ host: '127.0.0.1', port, method: 'POST' })
  const answered = new Promise<void>((resolve, reject) => { asked.once('response', (answer) => { answer.resume().once('end', resolve) }); asked.once('error', reject) })
  await Promise.all([pipeline(stream, asked), answered])
}

describe('bytes on their way to the store', function () {
  this.timeout(60_000)
  for (const [name, sizes] of [['large', Array.from({ length: 40 }, () => 700_001)], ['small', Array.from({ length: 3_000 }, (_, n) => 1 + (n * 37) % 9_000)], ['mixed', Array.from({ length: 120 }, (_, n) => (n % 3 === 0 ? 2_500_007 : n % 3 === 1 ? 3 : 65_536))],
    // A part of the largest size with little on both sides: what may be unwritten is most here, and half of what is waited for would be too little.
    ['at the edge', Array.from({ length: 90 }, (_, n) => [10_000, 1 << 20, 40_000][n % 3] ?? 0)]] as const) {
    it(`arrive as they were, slots released on the way: ${name}`, async () => {
      const server = await slowServer(), from = filled(sizes), stream = outgoing(from.pieces())
      try { await post(server.port, stream) } finally { server.close() }
      assert.equal(server.got(), from.sent())
      const bytes = sizes.reduce((sum, size) => sum + size, 0), held = from.state.taken - from.state.released
      assert.ok(held > 0 && held * bytes / sizes.length < 6 << 20, `${held} of ${sizes.length} held at the end`)
      stream.emit(over, true)
      assert.deepEqual([from.state.released, from.state.dropped], [sizes.length, 0])
    })
  }

  it('are dropped where sending failed: somebody may still be sending them', async () => {
    const server = await slowServer(5 << 20), from = filled(Array.from({ length: 60 }, () => 700_001)), stream = outgoing(from.pieces())
    try { await assert.rejects(post(server.port, stream)) } finally { server.close() }
    const { released, taken, dropped } = from.state
    assert.ok(released < taken && dropped === taken - released, JSON.stringify(from.state))
    for (const stands of [true, false]) stream.emit(over, stands)
    assert.deepEqual([from.state.released, from.state.dropped], [released, dropped])
  })

  it('are dropped where the store refuses them, also when it has read all, and where nothing was sent', async () => {
    const { store } = await freshStore()
    await store.execute('CREATE TABLE kept (bytes String) ENGINE = MergeTree ORDER BY tuple()')
    const sizes = Array.from({ length: 12 }, () => 700_001)
    const of = (from: ReturnType<typeof filled>, last: Uint8Array) => outgoing((async function* (): AsyncGenerator<Piece> { for (const size of sizes) { await Promise.resolve(); yield varint(size); yield from.slotOf(size) } yield last })())
    for (const [into, last, isHeld, taken] of [['kept', varint(5), undefined, 12], ['nowhere', Buffer.alloc(0), undefined, undefined], ['kept', Buffer.alloc(0), () => { throw new Error('it is no longer held') }, 0]] as const) {
      const from = filled([])
      await assert.rejects(store.feed(`INSERT INTO ${into} FORMAT RowBinary`, of(from, last), {}, {}, isHeld))
      if (taken !== undefined) assert.equal(from.state.taken, taken)
      for (const end = Date.now() + 5_000; from.state.released + from.state.dropped < from.state.taken && Date.now() < end;) await sleep(5)
      assert.equal(from.state.released + from.state.dropped, from.state.taken)
      assert.ok(from.state.taken === 0 || from.state.dropped > 0, 'the last of them are not given out again')
    }
    assert.deepEqual(await store.query('SELECT count() AS rows FROM kept', {}, z.object({ rows: z.coerce.number() })), [{ rows: 0 }])
  })

  it('are rows of the store, whose acknowledgement releases the last of them', async () => {
    const { store } = await freshStore()
    await store.execute('CREATE TABLE kept (bytes String) ENGINE = MergeTree ORDER BY tuple()')
    const sizes = Array.from({ length: 24 }, (_, n) => 100 + n * 83_000), from = filled(sizes), hashes: string[] = []
    const rows = async function* (): AsyncGenerator<Piece> {
      for (const size of sizes) { await Promise.resolve(); const slot = from.slotOf(size); hashes.push(createHash('sha256').update(slot.bytes).digest('hex')); yield varint(size); yield slot }
    }
    await store.insertStream('INSERT INTO kept FORMAT RowBinary', outgoing(rows()), {}, 'one')
    assert.equal(from.state.released, sizes.length)
    assert.ok(from.state.mostHeld < sizes.length)
    const there = await store.query('SELECT lower(hex(SHA256(bytes))) AS hash FROM kept', {}, z.object({ hash: z.string() }))
    assert.deepEqual(there.map(({ hash }) => hash).sort(), hashes.sort())
  })
})
