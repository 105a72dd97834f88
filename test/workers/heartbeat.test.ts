import assert from 'node:assert/strict'
import { parseConfig } from '../../schemas/config.js'
import { reportHealth, stageUptime } from '../../workers/heartbeat.js'
import { askerConnection, openQueues, readyWithin } from '../../workers/queues.js'
import type { Parts } from '../../workers/runner.js'
import { until } from '../support/pipeline.js'
import { randomName, redisUrl } from '../support/servers.js'

describe('the heartbeat', () => {
  it('is by the clock of Redis: another of who beats or who asks makes nobody gone', async () => {
    const redis = askerConnection(await redisUrl()), prefix = randomName('q'), queues = openQueues(redis, prefix, () => undefined), clock = Date.now
    await readyWithin(redis, 5_000)
    const begin = (ahead: number): (() => void) => {
      Date.now = () => clock() + ahead
      try { return reportHealth({ redis, queues, config: parseConfig({ QUEUE_PREFIX: prefix }) } as unknown as Parts, ['enrich']) } finally { Date.now = clock }
    }
    const stops = [begin(0), begin(3_600_000), begin(-3_600_000)]
    try {
      await until(async () => (await redis.hlen(`${prefix}:beat:enrich`)) === 3, 'one took another for gone')
      for (const ahead of [0, 3_600_000, -3_600_000]) {
        Date.now = () => clock() + ahead
        const uptime = await stageUptime(redis, prefix, 'enrich')
        assert.ok(uptime !== null && uptime >= 0 && uptime < 60, `${ahead}: ${uptime}`)
      }
    } finally {
      Date.now = clock
      for (const stop of stops) stop()
      await until(async () => (await queues.enrich.getJobCounts('wait'))['wait'] === 0, 'the beat is not over')
      await Promise.all(Object.values(queues).map((queue) => queue.close()))
      redis.disconnect()
    }
  })

  it('tells a stage that runs from one nobody runs, and forgets workers that are gone', async () => {
    const redis = askerConnection(await redisUrl()), prefix = randomName('q'), queues = openQueues(redis, prefix, () => undefined)
    await readyWithin(redis, 5_000)
    const key = `${prefix}:beat:enrich`, before = Date.now() - 3_600_000
    await redis.hset(key, { gone: `${before}|${Date.now() - 61_000}`, other: `${Date.now() - 120_000}|${Date.now() - 1_000}`, ahead: `${Date.now()}|${Date.now() + 3_600_000}` })
    const stop = reportHealth({ redis, queues, config: parseConfig({ QUEUE_PREFIX: prefix }) } as unknown as Parts, ['enrich'])
    await until(async () => { const workers = await redis.hkeys(key); return workers.length === 2 && !workers.includes('gone') && !workers.includes('ahead') }, 'who is gone is still known')
    const uptime = await stageUptime(redis, prefix, 'enrich') ?? 0
    assert.ok(uptime >= 119 && uptime < 180, String(uptime))
    assert.equal(await stageUptime(redis, prefix, 'alert'), null)
    stop()
    await until(async () => (await queues.enrich.getJobCounts('wait'))['wait'] === 0, 'the beat is not over')
    await Promise.all(Object.values(queues).map((queue) => queue.close()))
    redis.disconnect()
  })
})
