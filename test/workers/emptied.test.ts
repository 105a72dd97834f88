/** Redis that loses what it has gives jobs again that somebody still works on: of two workers only the one with the lock writes. */
import assert from 'node:assert/strict'
import { pino } from 'pino'
import { z } from 'zod'
import { parseConfig } from '../../schemas/config.js'
import { stageNames } from '../../schemas/primitives.js'
import { startAnvil } from '../../scripts/simulate/anvil.js'
import { stateDigest } from '../../stages/digest/digest.js'
import { startWorkers } from '../../workers/start.js'
import { ending } from '../support/endings.js'
import { pipelineEnvironment, settled, startPipeline, until } from '../support/pipeline.js'

const Twice = z.object({ rows: z.coerce.number(), twice: z.coerce.number() })

describe('Redis emptied while a batch is worked on by one of two processes', function () {
  this.timeout(120_000)
  it('has nothing written twice, though its lock would have held for a while', async () => {
    const anvil = await startAnvil()
    const environment = (): Promise<Record<string, string>> => pipelineEnvironment({ ETH_RPC_URL: anvil.url, ETH_CHAIN_ID: '31337', ETH_START_BLOCK: '1', ETH_FINALITY: '64', JOB_LOCK_MS: '60000' })
    const tip = async () => { const block = await anvil.client.getBlock(); return { number: Number(block.number), hash: block.hash } }
    const settings = await environment()
    // Whoever comes first to the transfers of a block waits there, until it has come through all stages by whoever was given it then.
    let held: { readonly who: number; readonly until: Promise<void> } | undefined, next: number | undefined, release = (): void => undefined
    const hold = (): void => { held = next = undefined; const until = new Promise<void>((resolve) => { release = resolve }); waits = (who) => { held ??= { who, until }; return until } }
    let waits: ((who: number) => Promise<void>) | undefined
    const at = (who: number) => async (where: string): Promise<void> => {
      if (where !== 'before transfers' || waits === undefined) return
      if (held === undefined) await waits(who)
      else next ??= who
    }
    const first = await startPipeline(settings, at(1))
    const second = await startWorkers(parseConfig(settings), stageNames, pino({ level: 'silent' }), at(2))
    const end = ending(() => first, () => ({ stop: () => second.drain() }), () => anvil)
    try {
      let others = 0
      // The same process may be given it again: that one knows by itself that it lost it.
      for (let block = 1; block <= 30 && others < 1; block += 1) {
        hold()
        await anvil.mine(1, block)
        await until(async () => Promise.resolve(held !== undefined), 'nobody came to it')
        await first.running.parts.redis.flushdb()
        await settled(first.store, 'ETH', await tip(), 1)
        if (next !== held?.who) others += 1
        release()
      }
      assert.equal(others, 1, 'the other process was never given it')
      // A further block goes through the same hands, so what was held is over, and its segment is computed again.
      waits = undefined
      await anvil.mine(1)
      await settled(first.store, 'ETH', await tip(), 1)
      const [counted] = await first.store.query('SELECT count() AS rows, count() - uniqExact(chain, block_number, kind, position, sub) AS twice FROM transfers', {}, Twice)
      assert.ok(counted !== undefined && counted.rows > 0)
      assert.equal(counted.twice, 0)
      const { parts } = await stateDigest(first.store, 'ETH', (await tip()).number)
      const clean = await startPipeline(await environment())
      try {
        await settled(clean.store, 'ETH', await tip(), 1)
        assert.deepEqual((await stateDigest(clean.store, 'ETH', (await tip()).number)).parts, parts)
      } finally { await clean.stop() }
    } finally { release(); await end() }
  })
})
