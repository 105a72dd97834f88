/** More addresses than memory is to hold: clusters stop, say so, and go on when they may hold more. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { parseConfig } from '../../schemas/config.js'
import type { Store } from '../../schemas/clickhouse.js'
import { runClusters, type Holder } from '../../stages/clusters/runClusters.js'
import { tasks } from '../../workers/tasks.js'
import { insertBlocks, type Block } from '../support/btcLedger.js'
import { clusterState } from '../support/clusters.js'
import { freshStore } from '../support/servers.js'

/** Block n joins two addresses that nobody saw before. */
const blocks = Array.from({ length: 6 }, (_, n): Block => ({ number: n + 1, txs: [{ ins: [{ address: `a${n}`, value: 5 }, { address: `b${n}`, value: 5 }], outs: [{ address: `o${n}`, value: 9 }] }] }))
const incidents = (store: Store) => store.query("SELECT summary, detail, isNull(closed_at) AS open FROM incidents FINAL WHERE kind = 'clusters_full'", {}, z.object({ summary: z.string(), detail: z.string(), open: z.coerce.boolean() }))
const none = { groups: 0, changes: 0, quarantined: 0, rewinds: 0 }

describe('clusters of more addresses than there may be', function () {
  this.timeout(120_000)

  it('stop before the next blocks, read nothing into memory when they start anew, and go on with a higher bound to what they would have been', async () => {
    const { store } = await freshStore(), { store: other } = await freshStore(), holder: Holder = { memory: null }
    await insertBlocks(store, blocks.slice(0, 3))
    await insertBlocks(other, blocks)
    await runClusters(other, 'BTC', { memory: null })
    assert.equal((await runClusters(store, 'BTC', holder, { most: 6 }))?.blocks, 3)
    await insertBlocks(store, blocks.slice(3))
    const full = { height: 3, waiting: 3, blocks: 0, ...none, full: 6 }
    assert.deepEqual(await runClusters(store, 'BTC', holder, { most: 6 }), full)
    const read: string[] = [], again: Holder = { memory: null }
    const watched: Store = { ...store, read: (sql, params) => { read.push(sql.name); return store.read(sql, params) } }
    for (let time = 0; time < 2; time += 1) assert.deepEqual(await runClusters(watched, 'BTC', again, { most: 6 }), full)
    assert.deepEqual([read, again.memory], [[], null])
    assert.equal((await runClusters(watched, 'BTC', again, { most: 7 }))?.blocks, 3)
    assert.deepEqual((await clusterState(store)).digests['btc_cluster_members'], (await clusterState(other)).digests['btc_cluster_members'])
  })

  it('are an incident that says what to do, and is over when they go on', async () => {
    const { store, url, database } = await freshStore()
    const taskOf = (most: number) => tasks(parseConfig({ CLICKHOUSE_URL: url, CLICKHOUSE_DATABASE: database, CLUSTERS_ADDRESSES: String(most) })).find(({ name }) => name === 'clusters') ?? assert.fail()
    await insertBlocks(store, blocks.slice(0, 3))
    const task = taskOf(6)
    assert.deepEqual(await task.run(store, 'BTC'), { height: 3, waiting: 0, blocks: 3, ...none, groups: 3, changes: 3 })
    await insertBlocks(store, blocks.slice(3))
    for (let time = 0; time < 2; time += 1) assert.equal(await task.run(store, 'BTC'), null)
    assert.deepEqual(await incidents(store), [{ open: true, summary: 'BTC: clusters stand still at 6 addresses, as many as they may hold', detail: '3 blocks above 3 wait. Each address takes 60 to 100 bytes of memory in the worker of the index stage: raise CLUSTERS_ADDRESSES as far as there is room.' }])
    assert.deepEqual(await taskOf(100).run(store, 'BTC'), { height: 6, waiting: 0, blocks: 3, ...none, groups: 3, changes: 3 })
    assert.deepEqual((await incidents(store)).map(({ open }) => open), [false])
  })
})
