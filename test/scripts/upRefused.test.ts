import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../scripts/embedded/ports.js'
import { clickhouseUrl, databaseName, randomName, redisUrl } from '../support/servers.js'
import { runScript } from '../support/run.js'

describe('npm run up with a setting that its worker refuses', function () {
  this.timeout(120_000)

  it('says so at once, starts nothing and never says that it is up', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'hydrophone-up-'))
    try {
      const { code, text } = await runScript('scripts/up.ts', ['--no-demo', '--once'], { DATA_DIR: directory, PORT: String(await freePort()), BTC_RPC_URL: 'http://127.0.0.1:1', BTC_GENESIS: 'ab'.repeat(32),
        CLICKHOUSE_URL: await clickhouseUrl(), REDIS_URL: await redisUrl(), CLICKHOUSE_DATABASE: databaseName(), QUEUE_PREFIX: randomName('q') })
      assert.ok(!text.includes('Hydrophone is up'), text)
      assert.match(text, /^BTC_GENESIS: no network begins with abab/)
      assert.deepEqual([code, existsSync(join(directory, 'logs'))], [1, false])
    } finally { rmSync(directory, { recursive: true, force: true }) }
  })
})
