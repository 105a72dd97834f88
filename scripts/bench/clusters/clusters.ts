/** Clusters over a made stream of transactions: how fast, how large, with change links and peel chains, from and to ClickHouse. */
import { join } from 'node:path'
import { z } from 'zod'
import { openStore, type Store } from '../../../schemas/clickhouse.js'
import { migrate } from '../../../schemas/migrations.js'
import { loadSql } from '../../../schemas/sql.js'
import { startClickHouse } from '../../embedded/clickhouse.js'
import { beginFolder, endFolder } from '../begun.js'
import { startMeasured, usageOf, watchOthers } from '../processes.js'

const sql = (name: string) => loadSql(import.meta.url, `${name}.sql`)
const spendings = sql('spendings'), payments = sql('payments'), followers = [sql('frames'), sql('blocks'), sql('sightings')]

export const clusterSeed = 11
/** Transactions of a made block; height of the first. */
const perBlock = 2_500, first = 700_000
/** Transactions for each address there is to draw: about as many are then known by having spent with another. */
const perAddress = 0.85

export interface ClusterResult {
  readonly addresses: number; readonly transactions: number; readonly inputs: number; readonly known: number; readonly clusters: number; readonly largest: number; readonly changes: number; readonly links: number
  readonly seconds: number; readonly peak: number; readonly cpu: number; readonly storeCpu: number; readonly reloadSeconds: number; readonly others: number
}

const Count = z.object({ count: z.coerce.number() })
const countOf = async (store: Store, query: string): Promise<number> => (await store.query(query, {}, Count))[0]?.count ?? 0

const make = async (store: Store, addresses: number, transactions: number, say: (text: string) => void): Promise<void> => {
  const piece = 100 * perBlock
  for (let from = 0; from < transactions; from += piece) {
    const count = Math.min(piece, transactions - from), params = { from, count, first, per_block: perBlock, addresses, seed: clusterSeed }
    for (const statement of [spendings, payments]) await store.execute(statement, params, { max_insert_block_size: 500_000 })
    for (const statement of followers) await store.execute(statement, { from: first + from / perBlock, to: first + Math.ceil((from + count) / perBlock) - 1 })
    if ((from / piece) % 8 === 7) say(`clusters: ${((from + count) / 1e6).toFixed(0)} million transactions made …`)
  }
}

/** Clusters of about `addresses` addresses (as many known by having spent with another), from nothing, in a process of its own. */
export const benchClusters = async (addresses: number, say: (text: string) => void): Promise<ClusterResult> => {
  const directory = beginFolder('clusters-')
  const clickhouse = await startClickHouse(join(directory, 'clickhouse'))
  const database = 'clusters'
  await migrate(clickhouse.url, database)
  const store = openStore(clickhouse.url, database)
  const drawn = Math.round(addresses / 0.66), transactions = Math.ceil(drawn * perAddress / perBlock) * perBlock
  /** Runs to the end in a new process; resolves to seconds, its largest size and CPU. */
  const run = async (until: (text: string) => void): Promise<{ seconds: number; peak: number; cpu: number }> => {
    const worker = startMeasured(new URL('process.ts', import.meta.url), [clickhouse.url, database], {})
    await worker.line()
    const began = performance.now()
    for (let blocks = -1; ;) {
      const seen = await countOf(store, 'SELECT count() AS count FROM btc_cluster_blocks')
      const waiting = await countOf(store, 'SELECT uniqExact(block_number) AS count FROM btc_blocks') - seen
      if (waiting === 0) break
      if (seen !== blocks) until(`clusters: ${((seen * perBlock) / 1e6).toFixed(1)} of ${(transactions / 1e6).toFixed(1)} million transactions in ${((performance.now() - began) / 1_000).toFixed(0)} s …`)
      blocks = seen
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
    const measured = { seconds: (performance.now() - began) / 1_000, peak: worker.peak(), cpu: worker.cpu() }
    await worker.stop()
    return measured
  }
  try {
    await make(store, drawn, transactions, say)
    const before = usageOf(clickhouse.process.pid).cpu, others = watchOthers()
    const { seconds, peak, cpu } = await run(say)
    const taken = others(), storeCpu = usageOf(clickhouse.process.pid).cpu - before
    const [inputs, known, clusters, largest, changes, links] = [
      await countOf(store, 'SELECT count() AS count FROM btc_inputs'), await countOf(store, "SELECT uniqExact(address) AS count FROM btc_cluster_members WHERE cluster != toFixedString('', 20)"),
      await countOf(store, "SELECT uniqExact(cluster) AS count FROM btc_clusters_now"), await countOf(store, 'SELECT max(size) AS count FROM btc_cluster_log'),
      await countOf(store, 'SELECT count() AS count FROM btc_cluster_log'), await countOf(store, 'SELECT count() AS count FROM btc_change_links'),
    ]
    // The newest block again, by a process that knows nothing: it builds everything from the changelog first.
    await store.execute('DELETE FROM btc_cluster_blocks WHERE block_number = (SELECT max(block_number) FROM btc_blocks)')
    const reload = await run(() => undefined)
    return { addresses, transactions, inputs, known, clusters, largest, changes, links, seconds, peak: Math.max(peak, reload.peak), cpu, storeCpu, reloadSeconds: reload.seconds, others: taken }
  } finally {
    await store.close()
    await clickhouse.kill()
    endFolder(directory)
  }
}
