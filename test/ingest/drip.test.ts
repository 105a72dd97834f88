/** Answers that come so slowly that they never end: an endpoint gives them up, and slow ones it does not. */
import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openHttp, type HttpEndpoint } from '../../stages/ingest/endpoint.js'

const timeoutMs = 150

describe('an answer', function () {
  this.timeout(20_000)
  const open: (() => Promise<void>)[] = []
  afterEach(async () => { for (const close of open.splice(0)) await close() })

  /** A node that does to each answer what `answer` does, and again every 20 ms what that returns. */
  const start = async (answer: (response: ServerResponse) => () => void): Promise<HttpEndpoint> => {
    const timers = new Set<NodeJS.Timeout>()
    const server = createServer((incoming, response) => {
      incoming.resume()
      const timer = setInterval(answer(response), 20)
      timers.add(timer)
      response.on('close', () => { clearInterval(timer) })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const endpoint = openHttp(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 0, { concurrency: 2, perSecond: 1_000, timeoutMs })
    open.push(async () => { await endpoint.drop(); timers.forEach((timer) => { clearInterval(timer) }); server.closeAllConnections(); server.close() })
    return endpoint
  }
  /** Sends `bytes` at once every 20 ms, `times` times. */
  const sends = (bytes: number, times: number) => (response: ServerResponse): (() => void) => {
    let left = times
    response.writeHead(200)
    response.flushHeaders()
    return () => { if (left-- > 0) response.write('x'.repeat(bytes)); else response.end() }
  }
  const isOver = async (sent: Promise<unknown>): Promise<void> => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise((_, reject) => { timer = setTimeout(() => { reject(new Error('it hangs')) }, timeoutMs * 20) })
    await assert.rejects(Promise.race([sent, late]).finally(() => { clearTimeout(timer) }), { code: 'RPC_DOWN', retry: 'wait' })
  }

  it('of which a byte comes now and then is given up', async () => {
    const endpoint = await start(sends(1, Infinity))
    await isOver(endpoint.send({ label: 'getblock' }))
    assert.equal(endpoint.busy(), 0)
  })

  it('that says over and over that it is on its way is given up', async () => {
    const endpoint = await start((response) => () => { response.writeProcessing() })
    await isOver(endpoint.send({ label: 'getblock' }))
  })

  it('about a head is awaited no longer than the time of an answer, however much there is of it', async () => {
    const endpoint = await start(sends(1_000, Infinity))
    await isOver(endpoint.send({ label: 'getblockheader', urgent: true }))
  })

  it('that is data and comes slowly is awaited to its end', async () => {
    const endpoint = await start(sends(1_000, 60))
    const { body } = await endpoint.send({ label: 'getblock' })
    assert.equal(body.bytes.length, 60_000)
  })

  it('is over when who asks ends it', async () => {
    const endpoint = await start(sends(1_000, Infinity)), ending = new AbortController()
    const sent = endpoint.send({ label: 'leaderboard', signal: ending.signal })
    setTimeout(() => { ending.abort() }, 50)
    await isOver(sent)
    await isOver(endpoint.send({ label: 'leaderboard', signal: ending.signal }))
  })
})
