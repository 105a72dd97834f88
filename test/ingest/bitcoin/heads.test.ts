import assert from 'node:assert/strict'
import type { Store } from '../../../schemas/clickhouse.js'
import { Publisher } from 'zeromq'
import { freePort } from '../../../scripts/embedded/ports.js'
import { freshStore } from '../../support/servers.js'
import { batchOf, landed, open, small, startNode, stopAll } from './support.js'

const withoutWork = { BTC_CHECK_WORK: 'false' }
/** Of a wait that is not given up. */
const still = new AbortController().signal

describe('heads of Bitcoin', function () {
  this.timeout(60_000)
  let store: Store
  before(async () => { ({ store } = await freshStore()) })
  afterEach(stopAll)

  it('move with the node, and go back with it', async () => {
    const node = await startNode({ relink: small, head: small.from + 3 })
    const { source } = open(store, [node.url])
    const first = await source.head()
    assert.deepEqual([first.number, first.finalized], [small.from + 3, small.from - 3])
    node.control.change({ head: small.from + 5 })
    const next = await source.head()
    assert.equal(next.number, small.from + 5)
    assert.deepEqual(await source.header(small.from + 4), { number: small.from + 4, hash: next.parentHash, parentHash: first.hash, time: next.time - 600 })
    assert.equal(await source.header(small.from + 6), null)
    node.control.change({ forkAt: small.from + 4, head: small.from + 4 })
    const other = await source.head()
    assert.deepEqual([other.number, other.parentHash], [small.from + 4, first.hash])
    assert.notEqual(other.hash, next.parentHash)
  })

  it('are asked for by one small call while they stand still', async () => {
    const node = await startNode({ relink: small })
    const { source } = open(store, [node.url])
    await source.head()
    const calls = () => ({ ...(node.control.state() as { calls: Record<string, number> }).calls })
    const before = calls()
    await source.head()
    assert.deepEqual(calls(), { ...before, getbestblockhash: (before['getbestblockhash'] ?? 0) + 1 })
  })

  it('are those most endpoints agree on; the one that dissents is asked last', async () => {
    const [one, two, liar] = [await startNode({ relink: small }), await startNode({ relink: small }), await startNode({ relink: small })]
    liar.control.change({ forkAt: small.from + 5 })
    const { source, context } = open(store, [liar.url, one.url, two.url], withoutWork)
    const head = await source.head()
    assert.ok(!head.endpoint.endsWith('#0'))
    const batch = { ...await batchOf(source, small.from + 6), hash: (await open(store, [one.url]).source.header(small.from + 6))?.hash ?? '' }
    await source.ingest(batch, context)
    assert.ok((await landed(store, batch)).every(({ endpoint }) => !endpoint.endsWith('#0')))
    const even = open(store, [one.url, liar.url])
    await assert.rejects(even.source.head(), /disagree about block/)
  })

  it('a block that is on no chain any more is gone, and one that does not fit its place is refused', async () => {
    const node = await startNode({ relink: small })
    const { source, context } = open(store, [node.url], withoutWork)
    const batch = await batchOf(source, small.from + 8)
    node.control.change({ forkAt: small.from + 7 })
    await assert.rejects(source.ingest(batch, context), (thrown: { code?: string }) => thrown.code === 'BLOCK_GONE')
    await assert.rejects(source.ingest({ ...batch, from: small.from + 6 }, context), (thrown: { code?: string }) => thrown.code === 'BLOCK_REPLACED')
    assert.deepEqual(await landed(store, batch), [])
  })

  it('announced over ZeroMQ wake who waits, also when it happened a moment before', async () => {
    const url = `tcp://127.0.0.1:${await freePort()}`
    const publisher = new Publisher()
    await publisher.bind(url)
    const { source } = open(store, [(await startNode({ relink: small })).url], { BTC_ZMQ_URL: url })
    assert.ok(source.announced)
    try {
      // A subscriber that is not there yet hears nothing: it is told until it does.
      const waiting = source.announced(still)
      const telling = setInterval(() => { void publisher.send(['hashblock', Buffer.alloc(32), Buffer.alloc(4)]) }, 50)
      await waiting
      await source.announced(still)
      clearInterval(telling)
    } finally { publisher.close() }
  })

  it('are asked for by what was announced beside the question which the newest is, once, and never taken for it', async () => {
    const url = `tcp://127.0.0.1:${await freePort()}`, publisher = new Publisher(), node = await startNode({ relink: small, head: small.from + 2 })
    await publisher.bind(url)
    const { source } = open(store, [node.url], { BTC_ZMQ_URL: url })
    assert.ok(source.announced)
    const headers = () => (node.control.state() as { calls: Record<string, number> }).calls['getblockheader'] ?? 0
    const tell = (hash: string): void => { void publisher.send(['hashblock', Buffer.from(hash, 'hex'), Buffer.alloc(4)]) }
    try {
      const first = await source.head()
      // A subscriber that is not there yet hears nothing: it is told until it does, and may hear it again.
      const heard = source.announced(still), telling = setInterval(() => { tell(first.hash.slice(2)) }, 20)
      await heard
      clearInterval(telling)
      node.control.change({ head: small.from + 3 })
      const next = (await open(store, [node.url]).source.head()).hash
      tell(next.slice(2))
      let before = headers()
      assert.equal((await source.head()).hash, next)
      assert.equal(headers(), before + 1)
      // Of a block below, and of one that no node has.
      for (const orphan of [first.parentHash.slice(2), 'ab'.repeat(32)]) {
        before = headers()
        tell(orphan)
        for (const end = Date.now() + 10_000; headers() === before && Date.now() < end;) assert.equal((await source.head()).hash, next)
        for (let look = 0; look < 3; look += 1) assert.equal((await source.head()).hash, next)
        assert.equal(headers(), before + 1)
      }
    } finally { publisher.close() }
  })

  it('of a replayed node are announced as they change', async () => {
    const url = `tcp://127.0.0.1:${await freePort()}`
    const node = await startNode({ relink: small, head: small.from, zmq: url })
    const { source } = open(store, [node.url], { BTC_ZMQ_URL: url })
    assert.ok(source.announced)
    const waiting = source.announced(still)
    let head = small.from
    // A subscriber that is not there yet hears nothing.
    const telling = setInterval(() => { head = head === small.from ? small.from + 1 : small.from; node.control.change({ head }) }, 50)
    await waiting
    clearInterval(telling)
  })

  it('are polled alone where no node announces', async () => {
    assert.equal(open(store, [(await startNode({ relink: small })).url]).source.announced, undefined)
  })
})
