/** Commands of the API to Redis, while the process is busy and while Redis is silent. */
import assert from 'node:assert/strict'
import { pino } from 'pino'
import { connectRedis } from '../../api/redis.js'
import { redisUrl } from '../support/servers.js'
import { openDoor } from './support/door.js'

const log = pino({ level: 'silent' })

describe("the API's Redis", function () {
  this.timeout(30_000)

  it('is not given up for a process that was busy: what had come counts', async () => {
    const redis = await connectRedis(await redisUrl(), log)
    try {
      const answer = redis.echo('here')
      // Commands of one turn leave together in the next.
      await new Promise((resolve) => { setImmediate(resolve) })
      for (const end = performance.now() + 1_000; performance.now() < end;);
      assert.equal(await answer, 'here')
    } finally { redis.disconnect() }
  })

  it('is given up where it is silent', async () => {
    const door = await openDoor(await redisUrl()), redis = await connectRedis(door.url, log)
    try {
      assert.equal(await redis.echo('here'), 'here')
      door.hold()
      await assert.rejects(redis.echo('here'), /Command timed out/)
    } finally { redis.disconnect(); door.close() }
  })
})
