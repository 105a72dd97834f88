import assert from 'node:assert/strict'
import { startService, type Service } from './support/service.js'

describe('the queue board', function () {
  this.timeout(30_000)
  let service: Service
  before(async () => { service = await startService() })
  after(async () => { await service.stop() })
  const get = (path: string, headers: Record<string, string> = {}) => fetch(service.api.url + path, { headers })
  const basic = (key: string) => ({ Authorization: `Basic ${Buffer.from(`me:${key}`).toString('base64')}` })

  it('asks who one is, and shows itself to admins only', async () => {
    const nobody = await get('/admin/queues')
    assert.equal(nobody.status, 401)
    assert.match(nobody.headers.get('www-authenticate') ?? '', /^Basic /)
    assert.equal((await get('/admin/queues', basic(service.agentKey))).status, 403)
    const page = await get('/admin/queues', basic(service.adminKey))
    assert.equal(page.status, 200)
    assert.match(await page.text(), /<title>Hydrophone/)
  })

  it('is what HTTP Basic is for: it acts nowhere, for a browser sends it with what any page makes it send', async () => {
    const headers = basic(service.adminKey)
    assert.equal((await get('/metrics', headers)).status, 200)
    for (const [method, path] of [['POST', '/v1/pipeline/pause'], ['POST', '/v1/keys'], ['GET', '/v1/pipeline/status'], ['POST', '/mcp'], ['PUT', '/admin/queues/api/queues/enrich/pause']] as const) {
      const answer = await fetch(service.api.url + path, { method, headers })
      assert.deepEqual([answer.status, /HTTP Basic is taken/.test(await answer.text())], [401, true], `${method} ${path}`)
    }
  })

  it('lists the five queues', async () => {
    const answer = await get('/admin/queues/api/queues', basic(service.adminKey))
    const { queues } = await answer.json() as { queues: { name: string }[] }
    assert.deepEqual(queues.map((queue) => queue.name), ['ingest', 'normalize', 'enrich', 'index', 'alert'])
  })

  it('shows and does not act: orders go through the API, where they are written down', async () => {
    const put = await fetch(`${service.api.url}/admin/queues/api/queues/enrich/pause`, { method: 'PUT', headers: basic(service.adminKey) })
    assert.ok(put.status >= 400, `status ${put.status}`)
    const { queues } = await (await get('/admin/queues/api/queues', basic(service.adminKey))).json() as { queues: { name: string; isPaused: boolean }[] }
    assert.ok(queues.every((queue) => !queue.isPaused))
  })
})
