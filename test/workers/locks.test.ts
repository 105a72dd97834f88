import assert from 'node:assert/strict'
import { z } from 'zod'
import { startAnvil } from '../../scripts/simulate/anvil.js'
import { stateDigest } from '../../stages/digest/digest.js'
import { openLocks } from '../../workers/locks.js'
import { pipelineEnvironment, settled, startPipeline, until } from '../support/pipeline.js'

describe('the lock of a job', function () {
  this.timeout(120_000)

  it('is held from when it was taken or renewed last, by who took it last', () => {
    let now = 0, suspended = 0
    const locks = openLocks(1_000, () => [now, now + suspended])
    const isHeld = ({ check }: { check(): void }): boolean => { try { check(); return true } catch { return false } }
    const first = locks.take('a')
    now = 700
    locks.renewed(['a', 'b'])
    now = 1_500
    assert.ok(isHeld(first))
    now = 1_501
    assert.throws(first.check, { code: 'JOB_LOST', retry: 'wait' })
    const second = locks.take('a')
    locks.renewed(['a'])
    assert.deepEqual([isHeld(first), isHeld(second)], [false, true])
    first.drop()
    assert.ok(isHeld(second))
    suspended = 900
    assert.equal(isHeld(second), false)
    locks.renewed(['a'])
    assert.ok(isHeld(second))
    second.drop()
    assert.equal(isHeld(second), false)
  })

  it('once it was lost, whoever worked on the job writes nothing beside who has it now', async () => {
    const anvil = await startAnvil()
    const environment = (): Promise<Record<string, string>> => pipelineEnvironment({ ETH_RPC_URL: anvil.url, ETH_CHAIN_ID: '31337', ETH_START_BLOCK: '1', ETH_FINALITY: '16', JOB_LOCK_MS: '1000' })
    const passed: string[] = [], after: string[] = []
    let slept: Promise<void> | undefined
    await anvil.mine(1)
    const settings = await environment()
    // The first to come to its movements sleeps until another has brought the batch through all stages; its lock is taken away meanwhile.
    const pipeline = await startPipeline(settings, async (where) => {
      if (passed.includes('first')) after.push(where)
      if (where !== 'before movements') return
      if (slept !== undefined) { passed.push('other'); return }
      slept = (async () => {
        const { redis, queues } = pipeline.running.parts
        const [job] = await queues.normalize.getActive()
        await redis.del(`${settings['QUEUE_PREFIX'] ?? ''}:normalize:${job?.id ?? ''}:lock`)
        await settled(pipeline.store, 'ETH', await tip(), 1)
      })()
      await slept
      passed.push('first')
    })
    const tip = async () => { const block = await anvil.client.getBlock(); return { number: Number(block.number), hash: block.hash } }
    try {
      await until(async () => passed.includes('first'), 'nobody took the job over')
      await until(async () => await pipeline.running.parts.queues.normalize.getActiveCount() === 0, 'it goes on')
      // How often another took it is no matter: on a slow machine a lock may run out once more.
      assert.deepEqual([passed.includes('other'), passed.indexOf('first'), after], [true, passed.length - 1, []])
      await anvil.mine(1)
      await settled(pipeline.store, 'ETH', await tip(), 1)
      const digest = await stateDigest(pipeline.store, 'ETH', 2)
      const Twice = z.object({ twice: z.coerce.number() })
      assert.deepEqual(await pipeline.store.query('SELECT count() - uniqExact(chain, block_number, kind, position, sub) AS twice FROM movements', {}, Twice), [{ twice: 0 }])
      const clean = await startPipeline(await environment())
      try {
        await settled(clean.store, 'ETH', await tip(), 1)
        assert.deepEqual(await stateDigest(clean.store, 'ETH', 2), digest)
      } finally { await clean.stop() }
    } finally { await pipeline.stop(); await anvil.stop() }
  })
})
