/** What a bench runs on: ClickHouse, Redis and a replay node of its own, all on loopback. */
import { join } from 'node:path'
import { startClickHouse, type Embedded } from '../embedded/clickhouse.js'
import { startRedis } from '../embedded/redis.js'
import { beginFolder, endFolder } from './begun.js'
import { startMeasured, type Measured } from './processes.js'

export interface Stack {
  readonly clickhouse: Embedded; readonly redis: Embedded; readonly node: Measured; readonly nodeUrl: string
  control(change: object): Promise<void>
  /** Ends ClickHouse and Redis; the node goes on. */
  stopStores(): Promise<void>
  stop(): Promise<void>
}

/** Blocks `from`…`from + count - 1` of ordinary mainnet shape behind the node. */
export const openStack = async (from: number, count: number, args: readonly string[] = []): Promise<Stack> => {
  const directory = beginFolder()
  const [clickhouse, redis] = [await startClickHouse(join(directory, 'clickhouse')), await startRedis(join(directory, 'redis'))]
  const node = startMeasured(new URL('../replay-node/main.ts', import.meta.url), ['--from', String(from), '--count', String(count), ...args], {})
  const nodeUrl = await node.line()
  const stopStores = async (): Promise<void> => { await Promise.all([clickhouse.kill(), redis.kill()]) }
  return {
    clickhouse, redis, node, nodeUrl, stopStores,
    control: async (change) => { await fetch(`${nodeUrl}/control`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(change) }) },
    stop: async () => {
      await node.stop()
      await stopStores()
      endFolder(directory)
    },
  }
}
