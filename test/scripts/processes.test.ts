import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { z } from 'zod'
import { freePort } from '../../scripts/embedded/ports.js'
import { openDoor } from '../api/support/door.js'
import { freshStore, randomName, redisUrl } from '../support/servers.js'
import { runScript, startScript } from '../support/run.js'
import { startHeldNode } from './support/heldNode.js'

const worker = 'workers/main.ts'
const environment = async (database: string, url: string, extra: Record<string, string> = {}): Promise<Record<string, string>> => ({
  CLICKHOUSE_URL: url, CLICKHOUSE_DATABASE: database, REDIS_URL: await redisUrl(), QUEUE_PREFIX: randomName('q'), LOG_TO_STORE: 'false', ...extra,
})
const Stage = z.object({ stage: z.string() })
const landed = 'SELECT DISTINCT stage FROM batches ORDER BY stage'
const one = { renumber: { from: 23_000_000, count: 1 } }

describe('worker and API as processes of their own', function () {
  this.timeout(60_000)

  it('a worker of two stages runs those alone, serves metrics, and ends a batch it is in before it goes', async () => {
    const [{ store, database, url }, node, port] = [await freshStore(), await startHeldNode(one), await freePort()]
    try {
      const given = await environment(database, url, { ETH_RPC_URL: node.url, METRICS_PORT: String(port) })
      const first = startScript(worker, ['--stages', 'ingest, normalize'], given)
      await node.kept
      assert.match(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text(), /^# HELP/m)
      const second = await runScript(worker, ['--stages', 'alert'], given)
      assert.match(second.text, new RegExp(`^METRICS_PORT ${port} on 127\\.0\\.0\\.1 cannot be listened on: .*EADDRINUSE`))
      assert.equal(second.code, 1)
      first.child.kill('SIGTERM')
      first.child.kill('SIGTERM')
      await first.says('"msg":"draining"')
      node.open()
      const { code, text } = await first.ended
      assert.equal(code, 0, text)
      for (const line of text.trim().split('\n')) assert.doesNotThrow(() => { JSON.parse(line) }, line)
      assert.ok((await store.query(landed, {}, Stage)).some(({ stage }) => stage === 'ingest'), 'the batch under way was not finished')
    } finally { await node.close() }
  })

  it('a worker whose batch does not end is gone at its deadline; the next worker runs that batch', async () => {
    const [{ store, database, url }, node] = [await freshStore(), await startHeldNode(one)]
    try {
      const given = await environment(database, url, { ETH_RPC_URL: node.url, SHUTDOWN_SECONDS: '1', JOB_LOCK_MS: '1000' })
      const first = startScript(worker, ['--stages', 'ingest'], given)
      await node.kept
      first.child.kill('SIGTERM')
      assert.equal((await first.ended).code, 1)
      assert.deepEqual(await store.query(landed, {}, Stage), [])
      node.open()
      const second = startScript(worker, ['--stages', 'ingest'], given)
      await second.says('"msg":"landed"')
      second.child.kill('SIGTERM')
      assert.equal((await second.ended).code, 0)
      assert.deepEqual(await store.query(landed, {}, Stage), [{ stage: 'ingest' }])
    } finally { await node.close() }
  })

  it('a worker waits for a ClickHouse that is away and says so, and does not work on a database that is not migrated', async () => {
    const { url } = await freshStore()
    const away = startScript(worker, ['--stages', 'alert'], await environment('hydrophone', `http://127.0.0.1:${await freePort()}`, { ETH_RPC_URL: 'http://127.0.0.1:1', SHUTDOWN_SECONDS: '2' }))
    await away.says('ClickHouse does not answer: waiting for it')
    await away.says('the controls cannot be read')
    away.child.kill('SIGTERM')
    assert.equal((await away.ended).signal, null)
    const bare = await runScript(worker, ['--stages', 'alert'], await environment(randomName('none'), url, { ETH_RPC_URL: 'http://127.0.0.1:1' }))
    assert.match(bare.text, /does not exist.*Run `npm run migrate` first\n$/)
    assert.equal(bare.code, 1)
  })

  it('the API answers the request it is in before it goes, and takes no new ones', async () => {
    const [{ database, url }, port] = [await freshStore(), await freePort()]
    const api = startScript('api/main.ts', [], await environment(database, url, { PORT: String(port), SHUTDOWN_SECONDS: '600' }))
    await api.says('"msg":"listening"')
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.on('data', (chunk: Buffer) => { answer += chunk.toString('utf8') })
    await once(socket, 'connect')
    socket.write('POST /v1/keys HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n')
    // The API is in this request as soon as it asks for the body.
    await once(socket, 'data')
    api.child.kill('SIGTERM')
    await api.says('"msg":"draining"')
    await assert.rejects(fetch(`http://127.0.0.1:${port}/health`))
    socket.write('{}')
    const { code } = await api.ended
    assert.match(answer, /HTTP\/1\.1 200 .*"api_key"/s)
    assert.equal(code, 0)
  })

  it('the API is gone soon after its deadline, also where ClickHouse is silent', async () => {
    const [{ database, url }, port] = [await freshStore(), await freePort()]
    const door = await openDoor(url)
    try {
      const api = startScript('api/main.ts', [], await environment(database, door.url, { PORT: String(port), SHUTDOWN_SECONDS: '1', LOG_TO_STORE: 'true' }))
      await api.says('"msg":"listening"')
      door.hold()
      const asked = fetch(`http://127.0.0.1:${port}/v1/blocks/ETH/1`).catch(() => undefined)
      api.child.kill('SIGTERM')
      assert.equal((await api.ended).code, 1)
      await asked
    } finally { door.close() }
  })
})
