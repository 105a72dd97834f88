/** What a process lands goes to its own normalize in memory, and only where the store has nothing else of the batch. */
import assert from 'node:assert/strict'
import type { Store } from '../../../schemas/clickhouse.js'
import type { BatchRef } from '../../../schemas/primitives.js'
import { normalizeBitcoin } from '../../../stages/normalize/bitcoin/statements.js'
import { runStatements } from '../../../stages/stage.js'
import { bitcoinContext } from '../../support/bitcoin.js'
import { handingOf } from '../../../stages/normalize/bitcoin/handed.js'
import { freshStore } from '../../support/servers.js'
import { batchOf, open, small, startNode, stopAll } from '../../ingest/bitcoin/support.js'
import { until } from '../../support/pipeline.js'
import { rowsOf } from './facts.js'

/** A store as one process has it, and how often blocks were read back from it. */
const process = (store: Store) => {
  let reads = 0
  const own: Store = { ...store, read: (sql, params) => { reads += 1; return store.read(sql, params) } }
  return { own, reads: () => reads, normalize: (batch: BatchRef, again = false) => runStatements(normalizeBitcoin, batch, bitcoinContext(own, again)) }
}

const tables = ['blocks', 'btc_outputs', 'btc_inputs', 'btc_txids', 'btc_spends']

describe('blocks of Bitcoin from hand to hand', function () {
  this.timeout(60_000)
  const withoutWork = { BTC_CHECK_WORK: 'false' }
  afterEach(stopAll)

  /** Two processes on one store and one node; the first has normalized a block before, and so is known to normalize. */
  const opened = async () => {
    const { store } = await freshStore(), node = await startNode({ relink: small })
    const [mine, other] = [process(store), process(store)]
    const one = open(mine.own, [node.url], withoutWork), two = open(other.own, [node.url], withoutWork)
    const ingest = (of: typeof one, batch: BatchRef) => of.source.ingest(batch, { ...of.context, again: false })
    const first = await batchOf(one.source, small.from)
    await ingest(one, first)
    await mine.normalize(first)
    assert.equal(mine.reads(), 1)
    return { store, mine, other, batch: (from: number, to = from) => batchOf(one.source, from, to), land: (batch: BatchRef) => ingest(one, batch), landElsewhere: (batch: BatchRef) => ingest(two, batch) }
  }

  for (const [what, from, to] of [['one block', small.from + 1, small.from + 1], ['a range', small.from + 1, small.from + 4]] as const) {
    it(`${what}: nothing is read back, and the rows are those that the store's bytes give`, async () => {
      const { store, mine, batch, land } = await opened(), wanted = await batch(from, to)
      await land(wanted)
      assert.ok(await mine.normalize(wanted) > 0)
      assert.equal(mine.reads(), 1)
      const told = (await freshStore()).store, reader = process(told), node = await startNode({ relink: small })
      const { source, context } = open(told, [node.url], withoutWork)
      await source.ingest(wanted, context)
      await reader.normalize(wanted)
      assert.equal(reader.reads(), 1)
      for (const table of tables) for (let height = from; height <= to; height += 1) assert.deepEqual(await rowsOf(store, table, height), await rowsOf(told, table, height), `${table} ${height}`)
      // It was given once: who asks again reads.
      await mine.normalize(wanted)
      assert.equal(mine.reads(), 2)
    })
  }

  it('not where another attempt landed the batch too: what came first stands', async () => {
    const { mine, batch, land, landElsewhere } = await opened(), wanted = await batch(small.from + 1)
    await landElsewhere(wanted)
    await land(wanted)
    await mine.normalize(wanted)
    assert.equal(mine.reads(), 2)
  })

  it('not where what stands is of another attempt, though it is all there is', async () => {
    const { store, mine, batch, land } = await opened(), bare = await startNode({ relink: small, serves: { spent: false } })
    const other = process(store), elsewhere = open(other.own, [bare.url], withoutWork)
    for (const [from, to] of [[small.from + 1, small.from + 1], [small.from + 2, small.from + 4]] as const) {
      const wanted = await batch(from, to), before = mine.reads()
      await land(wanted)
      // As another attempt does whose answers were refused.
      await store.execute('DELETE FROM raw_payloads WHERE generation = {generation:UInt32}', { generation: wanted.generation })
      await elsewhere.source.ingest(wanted, { ...elsewhere.context, again: false })
      await mine.normalize(wanted)
      assert.equal(mine.reads(), before + 1)
      for (let height = from; height <= to; height += 1) assert.deepEqual((await rowsOf(store, 'btc_inputs', height)).length, 1, 'all but the coinbase are unknown')
    }
  })

  it('and nothing of it stays held, whatever became of it', async () => {
    const { store, mine, batch, land } = await opened(), { held } = handingOf(mine.own)
    const one = await batch(small.from + 1), range = await batch(small.from + 2, small.from + 5)
    await land(range)
    assert.ok(held() > 0)
    // The same batch again, as after a lock that ran out: it takes the place of the first.
    const once = held()
    await land(range)
    assert.equal(held(), once)
    // Alone it counts when it is decoded, whenever that is.
    await land(one)
    await mine.normalize(one)
    await mine.normalize(range)
    assert.equal(held(), 0)
    await assert.rejects(land({ ...range, hash: `0x${'00'.repeat(32)}` }), /planned/)
    assert.equal(held(), 0)
    // A block alone is with the decoder when its landing fails.
    const alone = await batch(small.from + 6)
    await assert.rejects(land({ ...alone, hash: `0x${'00'.repeat(32)}` }))
    const broken: Store = { ...mine.own, feed: () => Promise.reject(new Error('no room')), insertStream: async (_sql, data) => { for await (const _ of data) { /* all of it was read */ } throw new Error('no room') } }
    handingOf(broken).take('asks for it')
    const node = await startNode({ relink: small }), failing = open(broken, [node.url], withoutWork)
    await assert.rejects(failing.source.ingest(alone, { ...failing.context, again: false }), /no room/)
    await until(async () => handingOf(broken).held() === 0, 'it is held')
    // The store refuses what was made of it, or it is another's by then.
    for (const [at, isHeld] of [[9, undefined], [10, () => { throw new Error('it is no longer held') }]] as const) {
      const refused = await batch(small.from + at)
      await land(refused)
      assert.ok(held() > 0)
      mine.own.feed = (_sql, data, params, settings, given) => store.feed(`INSERT INTO ${isHeld === undefined ? 'nowhere' : 'btc_decoded'} FORMAT RowBinary`, data, params, settings, given)
      await assert.rejects(runStatements(normalizeBitcoin, refused, { ...bitcoinContext(mine.own), ...(isHeld === undefined ? {} : { isHeld }) })).finally(() => { mine.own.feed = store.feed })
      await until(async () => held() === 0, `block ${at} is held`)
    }
    // It ended in the meantime: what was taken is let go.
    const gone = await batch(small.from + 6, small.from + 8)
    await land(gone)
    await assert.rejects(runStatements(normalizeBitcoin, gone, { ...bitcoinContext(mine.own), checkpoint: () => Promise.reject(new Error('ended')) }), /ended/)
    // One of them is with the decoder.
    await until(async () => held() === 0, 'it is held')
  })

  it('not to a run that may be a second one, nor to another process', async () => {
    const { store, mine, other, batch, land } = await opened(), wanted = await batch(small.from + 1)
    await land(wanted)
    await mine.normalize(wanted, true)
    // Read back once, and what is not there of it is written.
    assert.equal(mine.reads(), 2)
    const next = await batch(small.from + 2)
    await land(next)
    assert.ok(await other.normalize(next) > 0)
    assert.deepEqual([mine.reads(), other.reads()], [2, 1])
    assert.equal((await rowsOf(store, 'btc_txids', small.from + 2)).length, 12)
  })

  it('not where an attempt was refused', async () => {
    const { mine, batch, land } = await opened(), wanted = await batch(small.from + 1)
    // It lands, and is not the block that was planned.
    await assert.rejects(land({ ...wanted, from: small.from, to: small.from + 1, hash: `0x${'00'.repeat(32)}` }), /planned/)
    assert.equal(await mine.normalize({ ...wanted, from: small.from, to: small.from + 1, hash: `0x${'00'.repeat(32)}` }), 0)
  })
})

describe('a new head of Bitcoin', function () {
  this.timeout(60_000)
  afterEach(stopAll)
  const counted = async () => {
    const { store } = await freshStore(), node = await startNode({ relink: small, head: small.from })
    const { source, context } = open(store, [node.url], { BTC_CHECK_WORK: 'false' })
    const asked = (): number => (node.control.state() as { calls: Record<string, number> }).calls['rest/block'] ?? 0
    const first = await batchOf(source, small.from)
    await source.head()
    await source.ingest(first, context)
    return { node, source, context, asked, show: async (head: number) => { node.control.change({ head }); return source.head() } }
  }
  const soon = async (asked: () => number, count: number): Promise<void> => { for (const end = Date.now() + 5_000; asked() < count && Date.now() < end;) await new Promise((resolve) => setTimeout(resolve, 5)) }

  it('right on the last one is fetched once, before it is asked for', async () => {
    const { source, context, asked, show } = await counted(), before = asked()
    await show(small.from + 1)
    await soon(asked, before + 1)
    assert.equal(asked(), before + 1)
    const batch = await batchOf(source, small.from + 1)
    assert.equal((await source.ingest(batch, context)).rows, 1)
    await show(small.from + 1)
    assert.equal(asked(), before + 1)
  })

  it('is fetched once, also where the node goes back and forth', async () => {
    const { asked, show } = await counted(), before = asked()
    await show(small.from + 1)
    await soon(asked, before + 1)
    for (const head of [0, 1, 0, 1]) await show(small.from + head)
    await new Promise((resolve) => setTimeout(resolve, 100))
    assert.equal(asked(), before + 1)
  })

  it('further above is not: what lies between comes first', async () => {
    const { asked, show } = await counted(), before = asked()
    await show(small.from + 4)
    await new Promise((resolve) => setTimeout(resolve, 100))
    assert.equal(asked(), before)
  })

  it('whose answer was faulty is fetched again when it is its turn', async () => {
    const { node, source, context, asked, show } = await counted(), before = asked()
    node.control.change({ faults: { shortBlock: 1 } })
    await show(small.from + 1)
    await soon(asked, before + 1)
    await new Promise((resolve) => setTimeout(resolve, 50))
    node.control.change({ faults: {} })
    const batch = await batchOf(source, small.from + 1)
    assert.equal((await source.ingest(batch, context)).rows, 1)
    assert.ok(asked() > before + 1)
  })
})
