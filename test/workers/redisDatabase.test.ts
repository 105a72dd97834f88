import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { freePort } from '../../scripts/embedded/ports.js'
import { startRedis } from '../../scripts/embedded/redis.js'
import { startReplayNode } from '../../scripts/replay-node/server.js'
import { openPipelineControl } from '../../workers/control.js'
import { runScript, startScript } from '../support/run.js'
import { freshStore, randomName, redisUrl } from '../support/servers.js'

describe('a database that Redis does not have', function () {
  this.timeout(120_000)

  it('ends a worker and an API that start with it, named, and nothing is written into another', async () => {
    const [{ store, database, url }, node, server] = [await freshStore(), await startReplayNode(), new URL(await redisUrl())]
    server.pathname = '/'
    const first = new Redis(server.href), prefix = randomName('q')
    try {
      server.pathname = '/99'
      const given = { CLICKHOUSE_URL: url, CLICKHOUSE_DATABASE: database, REDIS_URL: server.href, QUEUE_PREFIX: prefix, ETH_RPC_URL: node.url, LOG_LEVEL: 'silent', LOG_TO_STORE: 'false' }
      for (const program of ['workers/main.ts', 'api/main.ts']) {
        const { code, text } = await runScript(program, [], given)
        assert.deepEqual([code, text], [1, 'Redis does not let us into database 99, which REDIS_URL names (ERR DB index is out of range): name one it has\n'], program)
      }
      const control = openPipelineControl(store, server.href, prefix)
      try {
        await control.setStage('enrich', true, 'test')
        assert.equal(control.redisConnected(), false)
      } finally { await control.close() }
      assert.deepEqual(await first.keys(`${prefix}*`), [])
    } finally { first.disconnect(); await node.close() }
  })
})

describe('a password that Redis refuses', function () {
  this.timeout(150_000)

  it('ends a worker and an API that start with it, or without the one it wants, in whatever database', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'hydrophone-test-'))
    const [{ database, url }, server] = [await freshStore(), await startRedis(directory, 0, 'sesame')]
    try {
      const ended = async (program: string, redis: string): Promise<unknown> => {
        const started = startScript(program, [], { CLICKHOUSE_URL: url, CLICKHOUSE_DATABASE: database, REDIS_URL: redis, QUEUE_PREFIX: database, ETH_RPC_URL: 'http://127.0.0.1:9', LOG_LEVEL: 'silent', LOG_TO_STORE: 'false', PORT: String(await freePort()) })
        const timer = setTimeout(() => { started.child.kill('SIGKILL') }, 75_000)
        const { code, text } = await started.ended
        clearTimeout(timer)
        return [code, text]
      }
      const wrong = server.url.replace('sesame', 'wrong'), none = server.url.replace(':sesame@', '')
      const given = [['workers/main.ts', wrong], ['workers/main.ts', `${none}/1`], ['workers/main.ts', none], ['api/main.ts', wrong]] as const
      const all = await Promise.all(given.map(([program, redis]) => ended(program, redis)))
      assert.deepEqual(all, given.map(() => [1, 'Redis refuses the user or the password of REDIS_URL\n']))
    } finally { await server.kill(); rmSync(directory, { recursive: true, force: true }) }
  })
})
