/** The thread on a real store: the event loop stays free, an end in the middle loses nothing, another thread takes over. */
import assert from 'node:assert/strict'
import { openUnderWay, whileUnderWay } from '../../schemas/givingWay.js'
import { openClusterThread } from '../../stages/clusters/clusterThread.js'
import { runClusters } from '../../stages/clusters/runClusters.js'
import { insertBlocks, type Block } from '../support/btcLedger.js'
import { clusterState } from '../support/clusters.js'
import { until } from '../support/pipeline.js'
import { freshStore } from '../support/servers.js'

const chain = Array.from({ length: 60 }, (_, n): Block => ({ number: n + 1, txs: Array.from({ length: 40 }, (_none, m) => ({
  ins: [0, 1, 2].map((k) => ({ address: `p${(n * 37 + m * 11 + k * k * 101 + n * m) % 3_000}`, value: 5 })), outs: [{ address: `o${n}-${m}`, value: 1 }],
})) }))

describe('the thread of the clusters', function () {
  this.timeout(120_000)

  it('does what a run does; ended in the middle, another goes on from there', async () => {
    const [one, other] = [await freshStore(), await freshStore()]
    await insertBlocks(one.store, chain)
    await insertBlocks(other.store, chain)
    while (await runClusters(one.store, 'BTC', { memory: null }) !== null);
    const first = openClusterThread(other.url, other.database), second = openClusterThread(other.url, other.database)
    try {
      const begun = first.run('BTC', { inputs: 200, deadAfter: 2 })
      await assert.rejects(first.run('BTC'), { code: 'CLUSTERS_FAILED' })
      const ended = assert.rejects(begun, { code: 'CLUSTERS_FAILED' })
      await until(async () => ((await clusterState(other.store)).rows['btc_cluster_log'] ?? 0) > 0, 'the first thread writes')
      await first.close()
      await ended
      await until(async () => { await second.run('BTC', { inputs: 500, deadAfter: 2 }); return (await clusterState(other.store)).rows['btc_cluster_blocks'] === 60 }, 'the second thread ends the work')
      assert.deepEqual(await clusterState(other.store), await clusterState(one.store))
      assert.equal(await first.run('BTC', { deadAfter: 2 }), null, 'a thread that was ended starts again')
    } finally {
      await Promise.all([first.close(), second.close()])
    }
  })

  it('begins no statement while a block is under way in its process', async () => {
    const { store, url, database } = await freshStore()
    const underWay = openUnderWay(), thread = openClusterThread(url, database, underWay)
    try {
      assert.equal(await thread.run('BTC'), null)
      await insertBlocks(store, chain.slice(0, 2))
      let ended = (): void => undefined
      const block = whileUnderWay(underWay, () => new Promise<void>((resolve) => { ended = resolve }))
      const run = thread.run('BTC')
      assert.equal(await Promise.race([run, new Promise((resolve) => { setTimeout(resolve, 900, 'waits') })]), 'waits')
      ended()
      await block
      assert.equal((await run)?.blocks, 2)
    } finally {
      await thread.close()
    }
  })

  it('says what failed, and lives on', async () => {
    const { url } = await freshStore()
    const thread = openClusterThread(url, 'no_such_database')
    try {
      for (let time = 0; time < 2; time += 1) await assert.rejects(thread.run('BTC'), { code: 'CLUSTERS_FAILED' })
    } finally {
      await thread.close()
    }
  })
})
