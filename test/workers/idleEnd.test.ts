/** A worker with nothing in hand ends when it is told to, also while Redis is silent. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { startRedis } from '../../scripts/embedded/redis.js'
import { parseConfig } from '../../schemas/config.js'
import { startWorkers } from '../../workers/start.js'
import { pipelineEnvironment } from '../support/pipeline.js'

describe('a worker that has nothing to do', function () {
  this.timeout(120_000)

  it('ends within seconds while Redis hangs', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'hydrophone-test-')), redis = await startRedis(directory)
    try {
      const config = parseConfig({ ...await pipelineEnvironment({ ETH_RPC_URL: 'http://127.0.0.1:9', LOG_LEVEL: 'silent' }), REDIS_URL: redis.url })
      const running = await startWorkers(config, ['alert', 'index'], pino({ level: 'silent' }))
      await new Promise((resolve) => setTimeout(resolve, 2_000))
      redis.process.kill('SIGSTOP')
      const drained = running.drain().then(() => 'drained')
      let timer: NodeJS.Timeout | undefined
      const ended = await Promise.race([drained, new Promise((resolve) => { timer = setTimeout(() => { resolve('hangs') }, 15_000) })])
      clearTimeout(timer)
      redis.process.kill('SIGCONT')
      await drained
      assert.equal(ended, 'drained')
    } finally { await redis.kill(); rmSync(directory, { recursive: true, force: true }) }
  })
})
