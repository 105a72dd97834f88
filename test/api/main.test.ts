import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
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
    const child = spawn(process.execPath, ['--import', 'tsx', fileURLToPath(new URL('../../api/main.ts', import.meta.url))], {
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

  it('answers 503 with an envelope while the store is away', async () => {
    const door = await openDoor(await clickhouseUrl())
    const service = await startService({}, { clickhouseUrl: door.url })
    try {
      door.cut()
      for (const path of ['/v1/blocks/ETH/1', '/health']) {
        const { status, body, headers } = await service.call(`GET ${path}`)
        assert.deepEqual([status, body.error.code, body.error.request_id], [503, 'UPSTREAM_UNAVAILABLE', headers.get('x-request-id')], path)
        assert.equal(headers.get('retry-after'), '5')
      }
    } finally { await service.stop(); door.close() }
  })
})
