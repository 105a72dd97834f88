/** A node that went away and came back as another one: what is behind a name is looked at again. */
import assert from 'node:assert/strict'
import type { Store } from '../../../schemas/clickhouse.js'
import { freshStore } from '../../support/servers.js'
import { batchOf, landed, open, small, startNode, stopAll } from './support.js'

describe('a node of Bitcoin that comes back as another one', function () {
  this.timeout(60_000)
  let store: Store
  before(async () => { ({ store } = await freshStore()) })
  afterEach(stopAll)

  it('on another chain is not used, though nothing but its head was asked for meanwhile', async () => {
    const before = await startNode({ relink: small }), port = Number(new URL(before.url).port)
    const { source } = open(store, [before.url])
    await source.head()
    await before.close()
    await assert.rejects(source.head(), (thrown: { code?: string }) => thrown.code === 'RPC_DOWN')
    await startNode({ relink: small, port, faults: { wrongChainId: 1 } })
    await assert.rejects(source.head(), (thrown: { code?: string }) => thrown.code === 'WRONG_CHAIN')
  })

  it('of a newer version is asked for all that it offers now', async () => {
    const before = await startNode({ relink: small, serves: { spent: false } }), port = Number(new URL(before.url).port)
    const { source, context } = open(store, [before.url], { BTC_CHECK_WORK: 'false' })
    const [old, next] = [await batchOf(source, small.from), await batchOf(source, small.from + 1)]
    await source.ingest(old, context)
    await before.close()
    await assert.rejects(source.head())
    await startNode({ relink: small, port })
    await source.head()
    await source.ingest(next, context)
    assert.deepEqual([(await landed(store, old))[0]?.spent, ((await landed(store, next))[0]?.spent ?? '') !== ''], ['', true])
  })
})
