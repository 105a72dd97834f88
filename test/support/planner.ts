/** A planner of Ethereum on a made node, turned by hand. */
import assert from 'node:assert/strict'
import type { Redis } from 'ioredis'
import { pino } from 'pino'
import type { Store } from '../../schemas/clickhouse.js'
import { findChain } from '../../schemas/chains.js'
import { parseConfig } from '../../schemas/config.js'
import { openUnderWay } from '../../schemas/givingWay.js'
import { openLedger } from '../../stages/ledger/ledger.js'
import type { BlockHead, ChainModule } from '../../stages/stage.js'
import { usualBounds } from '../../workers/backfill.js'
import { openChainPlanner, type ChainPlanner } from '../../workers/planner.js'
import { askerConnection, openQueues, readyWithin, type Queues } from '../../workers/queues.js'
import { randomName, redisUrl } from './servers.js'

export interface MadeNode { head(): Promise<BlockHead & { readonly finalized: number; readonly endpoint: string }>; header(number: number): Promise<BlockHead | null> }

/** Plans from block 1 on into `store`, 16 blocks below the head being final; its queues are its own. */
export const openPlanner = async (store: Store, source: MadeNode, extra: Partial<ChainModule> = {}, ledger = openLedger(store)): Promise<ChainPlanner & { readonly queues: Queues; readonly redis: Redis; stop(): Promise<void> }> => {
  const redis = askerConnection(await redisUrl())
  await readyWithin(redis, 5_000)
  const queues = openQueues(redis, randomName('q'), () => undefined)
  const chain = findChain('ETH')
  assert.ok(chain !== undefined)
  const module = { chain, source, normalize: [], finality: 16, pollMs: 50, maxBatch: 8, startBlock: 1, ...extra } as unknown as ChainModule
  const planner = openChainPlanner({
    config: parseConfig({}), store, ledger, queues, redis, redisStart: { isBefore: () => false }, controls: { current: () => ({ pipeline: 'running', stages: new Map(), halted: new Map() }) } as never,
    chains: new Map([['ETH', module]]), log: pino({ level: 'silent' }), bounds: usualBounds, underWay: openUnderWay(), checkpoint: async () => undefined,
  }, module)
  return { ...planner, queues, redis, stop: async () => { await Promise.all(Object.values(queues).map((queue) => queue.close())); redis.disconnect() } }
}
