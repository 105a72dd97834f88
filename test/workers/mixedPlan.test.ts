/** A plan may come to hold blocks of two branches: a height the node did not have at first is planned while another branch is shown, shorter than what is planned above it. */
import assert from 'node:assert/strict'
import { pino } from 'pino'
import { z } from 'zod'
import { findChain } from '../../schemas/chains.js'
import { parseConfig } from '../../schemas/config.js'
import { openLedger } from '../../stages/ledger/ledger.js'
import type { BlockHead, ChainModule } from '../../stages/stage.js'
import { usualBounds } from '../../workers/backfill.js'
import { openChainPlanner } from '../../workers/planner.js'
import { askerConnection, openQueues, readyWithin } from '../../workers/queues.js'
import { freshStore, randomName, redisUrl } from '../support/servers.js'

const hashOf = (branch: string, number: number): string => `0x${Buffer.from(`${number <= 2 ? '' : branch}${number}`).toString('hex').padStart(64, '0')}`
const headOf = (branch: string, number: number): BlockHead => ({ number, hash: hashOf(branch, number), parentHash: hashOf(branch, number - 1), time: 1_700_000_000 + number })

describe('a plan of two branches', function () {
  this.timeout(60_000)

  it('is made whole when the node is back on the first: what does not stand under the rest is rolled back', async () => {
    const { store } = await freshStore()
    const redis = askerConnection(await redisUrl())
    await readyWithin(redis, 5_000)
    const log = pino({ level: 'silent' }), queues = openQueues(redis, randomName('q'), () => undefined)
    let shown = { branch: 'a', top: 6 }, hidden: readonly number[] = [3, 4]
    const source = {
      head: async () => ({ ...headOf(shown.branch, shown.top), finalized: 0, endpoint: 'made' }),
      header: async (number: number) => (number > shown.top || hidden.includes(number) ? null : headOf(shown.branch, number)),
    }
    const chain = findChain('ETH')
    assert.ok(chain !== undefined)
    const module = { chain, source, normalize: [], finality: 16, pollMs: 50, maxBatch: 8, startBlock: 1 } as unknown as ChainModule
    const planner = openChainPlanner({
      config: parseConfig({}), store, ledger: openLedger(store), queues, redis, controls: { current: () => ({ pipeline: 'running', stages: new Map(), halted: new Map() }) } as never, chains: new Map([['ETH', module]]), log, bounds: usualBounds, checkpoint: async () => undefined,
    }, module)
    const planned = async (): Promise<string[]> => (await store.query('SELECT hash FROM live_batches ORDER BY from_block', {}, z.object({ hash: z.string() }))).map(({ hash }) => hash)
    const look = async (branch: string, top: number, lacking: readonly number[] = []): Promise<void> => { shown = { branch, top }; hidden = lacking; for (let turn = 0; turn < 3; turn += 1) await planner.tick() }
    try {
      await look('a', 6, [3, 4])
      assert.deepEqual(await planned(), [1, 2, 5, 6].map((number) => hashOf('a', number)), 'what the node lacks is left out')
      await look('b', 4)
      assert.deepEqual(await planned(), [1, 2, 3, 4].map((number) => hashOf('b', number)).concat([5, 6].map((number) => hashOf('a', number))), 'two branches')
      await look('a', 7)
      assert.deepEqual(await planned(), [1, 2, 3, 4, 5, 6, 7].map((number) => hashOf('a', number)))
    } finally {
      await Promise.all(Object.values(queues).map((queue) => queue.close()))
      redis.disconnect()
    }
  })
})
