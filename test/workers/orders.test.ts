import assert from 'node:assert/strict'
import { freshStore, randomName, redisUrl } from '../support/servers.js'
import { until } from '../support/pipeline.js'
import { openPipelineControl } from '../../workers/control.js'
import { markOrder, openMarks } from '../../workers/orders.js'
import { askerConnection, firstMs, readyWithin } from '../../workers/queues.js'

describe('marks of orders', () => {
  it('an order is heard of once, by every planner of its chain; an emptied Redis is noticed', async () => {
    const redis = askerConnection(await redisUrl()), prefix = randomName('q')
    await readyWithin(redis, firstMs)
    const one = openMarks(redis, prefix, 'ETH'), other = openMarks(redis, prefix, 'ETH'), apart = openMarks(redis, prefix, 'BTC')
    assert.deepEqual(await one.look(), { emptied: true, ordered: false })
    await one.keep()
    await other.look()
    assert.deepEqual(await apart.look(), { emptied: true, ordered: false }, 'of the jobs of each chain its own planner knows')
    await apart.keep()
    await markOrder(redis, prefix, 'ETH')
    for (const marks of [one, other]) {
      assert.deepEqual(await marks.look(), { emptied: false, ordered: true })
      assert.deepEqual(await marks.look(), { emptied: false, ordered: false })
    }
    assert.deepEqual(await apart.look(), { emptied: false, ordered: false })
    await redis.del(`${prefix}:alive:ETH`, `${prefix}:orders:ETH`)
    assert.deepEqual(await one.look(), { emptied: true, ordered: true }, 'what may have been missed is looked at')
    redis.disconnect()
  })

  it('a backfill and its withdrawal leave one; a dry run does not', async () => {
    const { store } = await freshStore(), url = await redisUrl(), prefix = randomName('q')
    const control = openPipelineControl(store, url, prefix), redis = askerConnection(url)
    await readyWithin(redis, firstMs)
    const marks = openMarks(redis, prefix, 'ETH'), request = { chain: 'ETH', from: 1, to: 2, requestedBy: 'test' }
    await marks.look()
    await control.backfill({ ...request, dryRun: true })
    assert.equal((await marks.look()).ordered, false)
    const { target } = await control.backfill({ ...request, dryRun: false })
    await until(async () => (await marks.look()).ordered, 'the order left no mark')
    await control.withdraw(target, 'test')
    await until(async () => (await marks.look()).ordered, 'the withdrawal left no mark')
    assert.equal(await redis.get(`${prefix}:orders:ETH`), '2', 'one each, and none of the dry run')
    await control.close()
    redis.disconnect()
  })
})
