import assert from 'node:assert/strict'
import { Redis } from 'ioredis'
import { startReplayNode } from '../../scripts/replay-node/server.js'
import { openPipelineControl } from '../../workers/control.js'
import { runScript } from '../support/run.js'
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
