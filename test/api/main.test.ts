import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { openDoor } from './support/door.js'
import { startService } from './support/service.js'
import { clickhouseUrl, freshStore, redisUrl } from '../support/servers.js'
import { freePort } from '../../scripts/embedded/ports.js'
import { startApi } from '../../api/main.js'

describe('the API process', function () {
  this.timeout(60_000)

  it('says which port is taken', async () => {
    const service = await startService()
    try {
      const { config, log } = service.api.parts
      await assert.rejects(startApi({ ...config, PORT: Number(new URL(service.api.url).port) }, { clickhouseUrl: await clickhouseUrl(), redisUrl: await redisUrl(), log }), { code: 'PORT_TAKEN' })
    } finally { await service.stop() }
  })

  it('starts from the environment alone, and ends on SIGTERM', async () => {
    const { database } = await freshStore()
    const port = await freePort()
    const child = spawn(process.execPath, ['--import', 'tsx/esm', fileURLToPath(new URL('../../api/main.ts', import.meta.url))], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: process.env['PATH'], PORT: String(port), CLICKHOUSE_URL: await clickhouseUrl(), REDIS_URL: await redisUrl(), CLICKHOUSE_DATABASE: database, QUEUE_PREFIX: database },
    })
    let lines = ''
    for await (const chunk of child.stdout) { lines += String(chunk); if (lines.includes('listening')) break }
    const answer = await fetch(`http://127.0.0.1:${port}/health`)
    assert.equal(answer.status, 200)
    child.kill('SIGTERM')
    const [code] = await once(child, 'exit')
    assert.equal(code, 0)
  })

  it('lets mounts in behind the same callers and limits', async () => {
    const service = await startService({}, { mounts: () => [{ paths: ['/admin/queues'], name: 'board', auth: 'key', role: 'admin', middleware: (ctx) => { ctx.body = { board: true } } }] })
    try {
      assert.equal((await service.call('GET /admin/queues/x', { key: null })).status, 401)
      assert.equal((await service.call('GET /admin/queues')).status, 403)
      const { status, headers } = await service.call('GET /admin/queues', { key: service.adminKey })
      assert.equal(status, 200)
      assert.ok(headers.get('x-ratelimit-remaining'))
      assert.equal((await service.call('GET /admin/queuesx', { key: service.adminKey })).status, 404)
    } finally { await service.stop() }
  })

  it('answers 503 with an envelope while the store is away, in one line of the log; of its health it says what is known', async () => {
    const door = await openDoor(await clickhouseUrl())
    const lines: any[] = []
    const log = pino({ level: 'warn' }, { write: (text: string) => { lines.push(JSON.parse(text)) } })
    const service = await startService({}, { clickhouseUrl: door.url, log })
    try {
      door.cut()
      const { status, body, headers } = await service.call('GET /v1/blocks/ETH/1')
      assert.deepEqual([status, body.error.code, body.error.request_id], [503, 'UPSTREAM_UNAVAILABLE', headers.get('x-request-id')])
      assert.equal(headers.get('retry-after'), '5')
      const of = lines.filter(({ traceId }) => traceId === headers.get('x-request-id'))
      assert.deepEqual(of.map(({ level, reason, stack }) => [level, reason, stack]), [[40, 'ClickHouse does not answer', undefined]])
      for (const path of ['/health', '/v1/health']) {
        const { status: answered, body: health } = await service.call(`GET ${path}`, { key: null })
        assert.deepEqual([answered, health.system.clickhouse_connected, health.system.redis_connected, health.system.total_blocks_processed, health.chains[0]],
          [200, false, true, null, { chain: 'ETH', status: 'unknown', block_number: null, head_block: null, lag: null, rpc_health: 'unknown' }], path)
      }
    } finally { await service.stop(); door.close() }
  })

  it('says the same of its health where the store is there and its files or its tables are gone', async () => {
    const service = await startService({}, { pipeline: undefined as never })
    const told = async (): Promise<unknown> => {
      const { status, body } = await service.call('GET /health', { key: null })
      return [status, body.system?.clickhouse_connected, body.system?.redis_connected, body.chains?.[0]?.status]
    }
    try {
      await service.store.execute("INSERT INTO plans (chain, seq, kind, from_block, to_block, hash) VALUES ('ETH', 1, 'plan', 7, 7, 'x')")
      await service.store.execute("INSERT INTO batches (chain, stage, from_block, to_block, hash) VALUES ('ETH', 'ingest', 7, 7, 'x')")
      await service.store.execute("INSERT INTO dead_letters (id, chain, stage, from_block, to_block, hash, state) VALUES ('x', 'ETH', 'normalize', 7, 7, 'x', 'dead')")
      await service.store.execute('RENAME TABLE batches TO kept_batches')
      await service.store.execute(`CREATE VIEW batches AS SELECT k.* FROM kept_batches AS k WHERE throwIf(k.from_block = 7, 'Cannot open file x.bin, errno: 2', toInt16(107)) = 0
        SETTINGS allow_custom_error_code_in_throwif = 1`)
      assert.deepEqual(await told(), [200, false, true, 'unknown'])
      const { status, body } = await service.call('GET /v1/pipeline/status')
      assert.deepEqual([status, body.error.code], [503, 'UPSTREAM_UNAVAILABLE'])
      await service.store.execute('DROP VIEW batches')
      assert.deepEqual(await told(), [200, false, true, 'unknown'])
    } finally { await service.stop() }
  })

  it('says of its health within seconds what is known while the store is silent, and refuses within seconds', async () => {
    const door = await openDoor(await clickhouseUrl())
    const service = await startService({}, { clickhouseUrl: door.url, pipeline: undefined as never })
    try {
      assert.equal((await service.call('GET /health', { key: null })).body.system.clickhouse_connected, true)
      const refused = async (known: number, seconds: number, key = service.agentKey): Promise<void> => {
        const started = performance.now()
        assert.equal((await service.call('POST /v1/pipeline/pause', { key })).status, known)
        assert.ok(performance.now() - started < seconds * 1_000, `the refusal took ${Math.round(performance.now() - started)} ms`)
      }
      await refused(403, 10)
      // One that is remembered from this moment on.
      const { key } = await service.api.parts.services.keys.issue({ name: 'x', role: 'agent', tier: 'free', rate_limit: 1_000, daily_cap: 0, scopes: [], source_ip: '' })
      door.hold()
      await refused(403, 10, key)
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      const asked = performance.now()
      const question = service.call('GET /v1/whales/recent', { key: null }).then((answer) => ({ ...answer, after: performance.now() - asked }))
      const { status, body: health } = await service.call('GET /health', { key: null })
      assert.ok(performance.now() - asked < 10_000, `it took ${Math.round(performance.now() - asked)} ms`)
      assert.deepEqual([status, health.status, health.system.clickhouse_connected, health.system.redis_connected, health.pipeline.stages], [200, 'stopped', false, true, []])
      // By now nobody remembers the key: what needs none is answered as without it.
      for (const path of ['/health', '/v1/health', '/v1/meta', '/openapi.json']) {
        const began = performance.now(), answer = await service.call(`GET ${path}`)
        assert.deepEqual([answer.status, answer.body.error], [200, undefined], path)
        assert.ok(performance.now() - began < 9_000, `${path} took ${Math.round(performance.now() - began)} ms`)
        assert.equal((await service.call(`GET ${path}`, { key: 'hyd_none' })).status, 401, `${path}: what is no key is none`)
      }
      assert.equal((await service.call('GET /v1/keys/mine')).status, 503, 'whose keys nobody knows')
      // A scraper on this machine needs no key either, and what it reads is wanted most now; of one elsewhere it is not known whether it may.
      const scrape = (headers: Record<string, string>) => fetch(`${service.api.url}/metrics`, { headers: { Authorization: `Bearer ${service.adminKey}`, ...headers } })
      assert.equal((await scrape({})).status, 200)
      const elsewhere = await scrape({ 'X-Forwarded-For': '192.0.2.1' })
      assert.deepEqual([elsewhere.status, elsewhere.headers.get('retry-after'), (await elsewhere.json() as any).error.code], [503, '5', 'UPSTREAM_UNAVAILABLE'])
      // Every tool is a key's: whose one nobody can tell gets nothing of it, and hears when to ask again.
      const tools = await service.call('POST /mcp', { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })
      assert.deepEqual([tools.status, tools.headers.get('retry-after'), tools.body.error.code, tools.body.result], [503, '5', 'UPSTREAM_UNAVAILABLE', undefined])
      await refused(503, 20, key)
      const { status: unanswered, body: told, after } = await question
      assert.ok(after < 40_000, `it took ${Math.round(after)} ms`)
      assert.deepEqual([unanswered, told.error.code], [503, 'UPSTREAM_UNAVAILABLE'])
    } finally { door.close(); await service.stop() }
  })
})
