import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { z } from 'zod'
import { openStore } from '../../schemas/clickhouse.js'
import { freePort } from '../../scripts/embedded/ports.js'
import { lives, type Identity } from '../../scripts/up/processes.js'
import { startReplayNode } from '../../scripts/replay-node/server.js'
import { until } from '../support/pipeline.js'
import { clickhouseUrl, databaseName, randomName, redisUrl } from '../support/servers.js'
import { runScript, startScript } from '../support/run.js'

interface Lock extends Identity { readonly children: readonly (Identity & { readonly name: string })[] }

describe('npm run up', function () {
  this.timeout(180_000)

  it('stands beside no other, survives being killed, shows the admin key once, and leaves nothing running', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'hydrophone-up-'))
    const port = await freePort()
    const environment = { DATA_DIR: directory, PORT: String(port), CLICKHOUSE_URL: await clickhouseUrl(), CLICKHOUSE_DATABASE: databaseName(), QUEUE_PREFIX: randomName('q') }
    const lock = (): Lock => JSON.parse(readFileSync(join(directory, 'up.lock'), 'utf8')) as Lock
    try {
      const first = startScript('scripts/up.ts', ['--no-demo'], environment)
      await first.says('Ctrl-C stops it')
      assert.match(first.text(), /Admin key {2}hyd_\w+ {3}\(shown this once: keep it\)/)
      const key = readFileSync(join(directory, 'local-key'), 'utf8').trim()
      assert.ok(first.text().includes(`curl -s -H 'X-API-Key: ${key}' 'http://127.0.0.1:${port}/v1/blocks/latest?chain=ETH'`))
      assert.equal((await fetch(`http://127.0.0.1:${port}/v1/auth/me`, { headers: { 'x-api-key': key } })).status, 200)

      const second = await runScript('scripts/up.ts', ['--no-demo'], environment)
      assert.match(second.text, new RegExp(`^Hydrophone is already running on \\S+ \\(process ${lock().pid}\\)\\. Stop it with Ctrl-C`))
      assert.equal(second.code, 1)
      const elsewhere = await runScript('scripts/up.ts', ['--no-demo'], { ...environment, DATA_DIR: join(directory, 'other') })
      assert.match(elsewhere.text, new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is taken`))

      const left = lock().children
      assert.deepEqual(left.map(({ name }) => name), ['Redis', 'the API'])
      first.child.kill('SIGKILL')
      await first.ended
      assert.ok(left.every(lives), 'what a killed up started goes on')
      const third = await runScript('scripts/up.ts', ['--no-demo', '--once'], environment)
      assert.match(third.text, /^The last run on \S+ ended without stopping; ending what it left: Redis \(\d+\), the API \(\d+\)\n/)
      assert.ok(third.text.includes('the schema is up to date') && third.text.includes('registers are up to date'))
      assert.ok(!third.text.includes('Admin key') && third.text.includes(key), 'the local key is kept, the admin key not shown again')
      assert.match(third.text, /Stopped\.\n$/)
      assert.equal(third.code, 0)
      assert.ok(!left.some(lives))
    } finally { rmSync(directory, { recursive: true, force: true }) }
  })

  it('says where the metrics of requests and those of the pipeline are', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'hydrophone-up-'))
    const node = await startReplayNode({ renumber: { from: 23_000_000, count: 1 } })
    try {
      const up = startScript('scripts/up.ts', ['--no-demo'], { DATA_DIR: directory, PORT: String(await freePort()), ETH_RPC_URL: node.url, CLICKHOUSE_URL: await clickhouseUrl(), REDIS_URL: await redisUrl(), CLICKHOUSE_DATABASE: databaseName(), QUEUE_PREFIX: randomName('q') })
      await up.says('Ctrl-C stops it')
      const [, requests = '', pipeline = ''] = /Metrics +(\S+) +\(requests\)\n +(http:\/\/127\.0\.0\.1:\d+\/metrics) +\(stages/.exec(up.text()) ?? []
      const of = async (url: string): Promise<string> => (await fetch(url)).text()
      assert.match(await of(requests), /^hydrophone_api_requests_total\{/m)
      // The worker is not waited for, the API is: either may listen first.
      await until(async () => { const text = await of(pipeline).catch(() => ''); return /^hydrophone_batches_total\{/m.test(text) && /^bullmq_\w+\{/m.test(text) }, 'nothing of stages and BullMQ')
      up.child.kill('SIGTERM')
      assert.equal((await up.ended).code, 0)
    } finally { await node.close(); rmSync(directory, { recursive: true, force: true }) }
  })

  it('says that it listens to Hyperliquid where the venue or files of a node of it are given', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'hydrophone-up-'))
    const files = join(directory, 'node_fills')
    try {
      mkdirSync(files)
      const environment = { DATA_DIR: directory, PORT: String(await freePort()), HL_FILES_DIR: files, CLICKHOUSE_URL: await clickhouseUrl(), REDIS_URL: await redisUrl(), CLICKHOUSE_DATABASE: databaseName(), QUEUE_PREFIX: randomName('q') }
      const { code, text } = await runScript('scripts/up.ts', ['--no-demo', '--once'], environment)
      assert.match(text, /\nHydrophone is up\. It listens to Hyperliquid\.\n/)
      assert.equal(code, 0)
    } finally { rmSync(directory, { recursive: true, force: true }) }
  })

  it('stopped while it loads registers, waits for none of them, leaves nothing running, and goes on at the next start', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'hydrophone-up-'))
    const environment = { DATA_DIR: directory, PORT: String(await freePort()), CLICKHOUSE_URL: await clickhouseUrl(), CLICKHOUSE_DATABASE: databaseName() }
    try {
      const up = startScript('scripts/up.ts', ['--no-demo'], environment)
      await up.says('Stores are up')
      let children: Lock['children'] = []
      await until(async () => { ({ children } = JSON.parse(readFileSync(join(directory, 'up.lock'), 'utf8')) as Lock); return Promise.resolve(children.some(({ name }) => name === 'the registers')) }, 'no registers are being loaded')
      up.child.kill('SIGINT')
      up.child.kill('SIGINT')
      const { code, text } = await up.ended
      assert.match(text, /\nStopping …\n(?:.*\n)*Stopped\.\n$/)
      assert.equal(code, 0)
      assert.ok(!text.includes('Registers loaded') && !text.includes('Admin key'), text)
      assert.deepEqual(children.filter(lives), [])
      assert.throws(() => readFileSync(join(directory, 'up.lock')), { code: 'ENOENT' })
      const next = await runScript('scripts/up.ts', ['--no-demo', '--once'], environment)
      assert.match(next.text, /Stores are up; the schema is up to date\.\n(?:.*\n)*Registers loaded: .*JP_MOF \(\d+\)\.\nAdmin key {2}hyd_/)
      assert.equal(next.code, 0)
      const [, key = ''] = /^Admin key {2}(hyd_\w+)/m.exec(next.text) ?? []
      const store = openStore(environment.CLICKHOUSE_URL, environment.CLICKHOUSE_DATABASE)
      const audited = await store.query("SELECT actor, role, action, subject, detail FROM audit WHERE actor = 'up'", {}, z.object({ actor: z.string(), role: z.string(), action: z.string(), subject: z.string(), detail: z.string() }))
      await store.close()
      assert.deepEqual(audited, [{ actor: 'up', role: 'operator', action: 'issue_key', subject: key.slice(4, 12), detail: '{"role":"admin","name":"admin"}' }])
    } finally { rmSync(directory, { recursive: true, force: true }) }
  })

  it('has stores that only its owner may ask, and outlives whoever reads its output', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'hydrophone-up-'))
    try {
      const up = startScript('scripts/up.ts', ['--no-demo'], { DATA_DIR: directory, PORT: String(await freePort()) })
      await up.says('Ctrl-C stops it')
      const said = up.text(), { children } = JSON.parse(readFileSync(join(directory, 'up.lock'), 'utf8')) as Lock
      assert.ok(said.includes(`CLICKHOUSE_URL="$(cat '${directory}/clickhouse-url')" REDIS_URL="$(cat '${directory}/redis-url')"`))
      for (const file of ['clickhouse-url', 'redis-url', 'redis/redis.conf', 'clickhouse/config.xml']) assert.equal(statSync(join(directory, file)).mode & 0o777, 0o600, file)
      for (const store of ['clickhouse', 'redis']) assert.equal(statSync(join(directory, store)).mode & 0o777, 0o700, store)
      const [clickhouse, redis] = ['clickhouse-url', 'redis-url'].map((file) => new URL(readFileSync(join(directory, file), 'utf8').trim())) as [URL, URL]
      assert.ok(![clickhouse.pathname.slice(1), redis.password].some((secret) => secret === '' || said.includes(secret)))
      assert.equal((await runScript('scripts/digest.ts', ['--chain', 'ETH', '--height', '1'], { CLICKHOUSE_URL: clickhouse.href })).code, 0)
      for (const path of ['', 'ping', 'play', clickhouse.pathname.slice(1, -1)]) assert.equal((await fetch(`${clickhouse.origin}/${path}`, { method: 'POST', body: 'SELECT 1' })).status, 404, path)
      const astray = await runScript('scripts/digest.ts', ['--chain', 'ETH', '--height', '1'], { CLICKHOUSE_URL: `${clickhouse.origin}/elsewhere` })
      assert.match(astray.text, /^ClickHouse has nothing at the path of CLICKHOUSE_URL/)
      assert.ok(astray.code === 1 && !astray.text.includes('elsewhere'), astray.text)
      const stranger = new Redis({ host: '127.0.0.1', port: Number(redis.port), lazyConnect: true })
      stranger.on('error', () => undefined)
      await assert.rejects(stranger.set('a', 'b'), /NOAUTH/)
      stranger.disconnect()

      up.child.stdout?.destroy()
      up.child.stderr?.destroy()
      up.child.kill('SIGTERM')
      assert.equal((await up.ended).code, 0)
      assert.deepEqual(children.filter(lives), [])
    } finally { rmSync(directory, { recursive: true, force: true }) }
  })
})
