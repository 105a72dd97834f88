/** A clock that is set back while a worker runs: what is due every so often is due all the same. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { findChain } from '../../schemas/chains.js'
import { parseConfig } from '../../schemas/config.js'
import { openUnderWay } from '../../schemas/givingWay.js'
import { openLedger } from '../../stages/ledger/ledger.js'
import type { ChainModule } from '../../stages/stage.js'
import { usualBounds } from '../../workers/backfill.js'
import { conduct } from '../../workers/conductor.js'
import { askerConnection, openQueues, readyWithin } from '../../workers/queues.js'
import type { Parts } from '../../workers/runner.js'
import { until } from '../support/pipeline.js'
import { freshStore, randomName, redisUrl } from '../support/servers.js'

const hour = 3_600_000
/** Waits by a clock that the test does not set. */
const soon = async (done: () => Promise<boolean>, what: string): Promise<void> => {
  for (const deadline = performance.now() + 10_000; !(await done()); await sleep(20)) assert.ok(performance.now() < deadline, what)
}

describe('a clock that is set back by an hour', function () {
  this.timeout(60_000)
  const now = Date.now
  afterEach(() => { Date.now = now })

  const conducted = async (together: boolean) => {
    const { store } = await freshStore()
    const redis = askerConnection(await redisUrl())
    await readyWithin(redis, 5_000)
    const queues = openQueues(redis, randomName('q'), () => undefined)
    const chain = findChain('ETH')
    assert.ok(chain !== undefined)
    const node = { top: 3, looks: 0, atLook: (): void => undefined }
    const header = (number: number) => ({ number, hash: `0x${String(number).padStart(64, '0')}`, parentHash: `0x${String(number - 1).padStart(64, '0')}`, time: 1_700_000_000 + number })
    const source = {
      head: async () => { node.looks += 1; node.atLook(); return { ...header(node.top), finalized: 0, endpoint: 'node' } },
      header: async (number: number) => header(number),
    }
    const module = { chain, source, normalize: [], finality: 16, pollMs: 20, maxBatch: 8, startBlock: 1, ...(together ? { together: { everyMs: 100 } } : {}) } as unknown as ChainModule
    const ledger = openLedger(store)
    const parts = {
      config: parseConfig({}), store, ledger, queues, redis, redisStart: { isBefore: () => false }, controls: { current: () => ({ pipeline: 'running', pausedStages: new Set(), halted: new Map() }) },
      chains: new Map([['ETH', module]]), log: pino({ level: 'silent' }), bounds: usualBounds, underWay: openUnderWay(), checkpoint: async () => undefined,
    } as Parts
    const end = conduct(parts, module)
    return { node, ledger, stop: async () => { await end(); await Promise.all(Object.values(queues).map((queue) => queue.close())); redis.disconnect() } }
  }
  const back = (): void => { Date.now = () => now() - hour }

  it('keeps nobody from the next look at the node, also in the middle of one', async () => {
    const { node, stop } = await conducted(false)
    try {
      await until(async () => node.looks >= 3, 'nobody looked')
      node.atLook = back
      const before = node.looks
      await soon(async () => node.looks > before + 3, 'nobody looked after the clock was set')
    } finally { Date.now = now; await stop() }
  })

  it('keeps what waits together, and what is wanted since, from nothing', async () => {
    const { node, ledger, stop } = await conducted(true)
    try {
      await until(async () => (await ledger.intervals('ETH')).some(({ to }) => to === 3), 'nothing was planned')
      back()
      // The one before is through, so that the next need not wait for it.
      const [{ batch } = assert.fail()] = await ledger.unfinished('ETH', 1)
      for (const stage of ['ingest', 'normalize', 'enrich', 'index', 'alert'] as const) await ledger.land(batch, stage, { rows: 0, bytes: 0, endpoint: '' }, 1)
      node.top = 5
      await soon(async () => (await ledger.intervals('ETH')).some(({ to }) => to === 5), 'nothing was planned after the clock was set')
    } finally { Date.now = now; await stop() }
  })
})
