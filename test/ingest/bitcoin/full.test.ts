import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Store } from '../../../schemas/clickhouse.js'
import { freshStore } from '../../support/servers.js'
import { batchOf, landed, open, small, startNode, stopAll } from './support.js'

/** A door to `url` that lets `room` calls through at once and turns others away, as Bitcoin Core does when its queue is full. */
const startDoor = async (url: string, status: number, room: number) => {
  const counts = { inside: 0, refused: 0 }
  let space = room
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      if (counts.inside >= space) {
        counts.refused += 1
        response.writeHead(status, { 'content-type': 'text/html; charset=ISO-8859-1' }).end('Work queue depth exceeded')
        return
      }
      counts.inside += 1
      fetch(new URL(incoming.url ?? '/', url), { method: incoming.method ?? 'GET', ...(incoming.method === 'POST' ? { body: Buffer.concat(chunks) } : {}) })
        .then(async (answer) => { response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(Buffer.from(await answer.arrayBuffer())) })
        .catch(() => { response.destroy() })
        .finally(() => { counts.inside -= 1 })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, counts, narrow: (calls: number): void => { space = calls }, close: (): void => { server.close(); server.closeAllConnections() } }
}

describe('a node of Bitcoin with more calls than it has room for', function () {
  this.timeout(60_000)
  let store: Store
  before(async () => { ({ store } = await freshStore()) })
  afterEach(stopAll)

  for (const [status, serves] of [[500, {}], [503, { rest: false }]] as const) {
    it(`is asked again after a while, by fewer at once, and everything arrives (HTTP ${status}${'rest' in serves ? ', without REST' : ''})`, async () => {
      const door = await startDoor((await startNode({ relink: small, serves })).url, status, 1)
      try {
        const { source, context } = open(store, [door.url], { BTC_CHECK_WORK: 'false', BTC_CONCURRENCY: '16' })
        const batch = await batchOf(source, small.from, small.from + 9)
        await source.ingest(batch, context)
        assert.equal((await landed(store, batch)).length, 10)
        assert.ok(door.counts.refused > 0, 'nobody was turned away')
      } finally { door.close() }
    })
  }

  it('and none for very long: the batch waits, nothing failed and nothing landed', async () => {
    const door = await startDoor((await startNode({ relink: small })).url, 503, 4)
    try {
      const { source, context } = open(store, [door.url], { BTC_CHECK_WORK: 'false' })
      const batch = await batchOf(source, small.from + 3)
      door.narrow(0)
      await assert.rejects(source.ingest(batch, context), (thrown: Error & { code?: string; retry?: string }) => {
        assert.deepEqual([thrown.code, thrown.retry], ['RPC_FULL', 'wait'])
        assert.match(thrown.message, /#0: (getblock|\/rest\/block).*its queue of calls is full/)
        return true
      })
      assert.deepEqual(await landed(store, batch), [])
    } finally { door.close() }
  })
})
