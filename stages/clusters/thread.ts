/** The thread clusters live in: it keeps them in memory from one order to the next and talks to ClickHouse for itself. */
import { parentPort, workerData } from 'node:worker_threads'
import { afterAll, openStore } from '../../schemas/clickhouse.js'
import { givingWay, openUnderWay } from '../../schemas/givingWay.js'
import { messageOf } from '../../schemas/errors.js'
import type { Answered, Ordered } from './clusterThread.js'
import { runClusters, type Holder } from './runClusters.js'

const { url, database, underWay } = (workerData as { data: { url: string; database: string; underWay?: SharedArrayBuffer } }).data
const store = givingWay(openStore(url, database, { connections: 4, nice: afterAll }), openUnderWay(underWay))
const holders = new Map<string, Holder>()

parentPort?.on('message', ({ chain, options }: Ordered) => {
  const holder = holders.get(chain) ?? { memory: null }
  holders.set(chain, holder)
  const answer = (answered: Answered): void => { parentPort?.postMessage(answered) }
  runClusters(store, chain, holder, options).then((run) => { answer({ run }) }, (thrown: unknown) => { holder.memory = null; answer({ failed: messageOf(thrown) }) })
})
