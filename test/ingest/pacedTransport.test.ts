import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openEndpoint } from '../../stages/ingest/ethereum/endpoint.js'
import { latestOf } from '../../stages/ingest/ethereum/heads.js'

/** A node whose answers are given by hand: what it is asked waits in `asked`. */
const startNode = async () => {
  const asked: { readonly method: string; answer(body: object, status?: number): void }[] = []
  const server = createServer((incoming, response: ServerResponse) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const { method, id } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { method: string; id: number }
      asked.push({ method, answer: (body, status = 200) => { response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, ...body })) } })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const next = async (): Promise<(typeof asked)[number]> => {
    for (;;) {
      const one = asked.shift()
      if (one !== undefined) return one
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3/not-the-tide-table`, asked, next, close: () => { server.close(); server.closeAllConnections() } }
}

describe('what viem asks an endpoint', () => {
  let node: Awaited<ReturnType<typeof startNode>>
  let endpoint: ReturnType<typeof openEndpoint>
  beforeEach(async () => { node = await startNode(); endpoint = openEndpoint(node.url, 0, { concurrency: 2, perSecond: 1_000, timeoutMs: 5_000 }) })
  afterEach(async () => { await endpoint.close(); node.close() })
  const call = () => endpoint.viem.call({ to: `0x${'11'.repeat(20)}`, data: '0x95d89b41' })

  it('is under way within its limits, and slowed by a 429, like what is fetched', async () => {
    const calls = Promise.allSettled(Array.from({ length: 6 }, call))
    const first = await node.next(), second = await node.next()
    await new Promise(setImmediate)
    assert.deepEqual([endpoint.busy(), node.asked.length], [2, 0])
    first.answer({}, 429)
    second.answer({}, 429)
    for (let left = 4; left > 0; left -= 1) {
      const one = await node.next()
      assert.deepEqual([endpoint.allowed(), endpoint.busy()], [1, 1])
      one.answer({}, 429)
    }
    assert.ok((await calls).every(({ status }) => status === 'rejected'))
  })

  it('is slowed by a limit told in an answer as by a 429, and so is what is fetched', async () => {
    for (const ask of [call, () => endpoint.call('eth_getBlockReceipts', ['0x1'])]) {
      const both = Promise.allSettled([ask(), ask()])
      for (let left = 2; left > 0; left -= 1) (await node.next()).answer({ error: { code: -32005, message: 'rate exceeded' } })
      assert.ok((await both).every(({ status }) => status === 'rejected'))
      assert.equal(endpoint.allowed(), 1)
      // Answers let it grow again.
      for (let left = 2; left > 0; left -= 1) { const one = ask(); (await node.next()).answer({ result: '0x' }); await one }
      assert.equal(endpoint.allowed(), 2)
    }
  })

  it('is not slowed by what a contract says of limits', async () => {
    const one = call()
    const failing = assert.rejects(one, /daily limit reached/)
    ;(await node.next()).answer({ error: { code: -32000, message: 'execution reverted: daily limit reached' } })
    await failing
    assert.equal(endpoint.allowed(), 2)
  })

  it('about heads goes before what else waits', async () => {
    const calls = Array.from({ length: 5 }, call)
    const [first, second] = [await node.next(), await node.next()]
    const head = latestOf(endpoint)
    await new Promise(setImmediate)
    first.answer({ result: '0x' })
    const third = await node.next()
    assert.equal(third.method, 'eth_getBlockByNumber')
    third.answer({ result: null })
    assert.equal(await head, null)
    second.answer({ result: '0x' })
    for (let left = 3; left > 0; left -= 1) (await node.next()).answer({ result: '0x' })
    await Promise.all(calls)
  })

  it('fails by the name of the endpoint, in the node\'s words where it has some', async () => {
    const refused = async (body: object, status: number, expected: RegExp): Promise<void> => {
      const head = latestOf(endpoint)
      const failing = assert.rejects(head, (thrown: Error) => expected.test(thrown.message) && !/not-the-tide-table/.test(`${thrown.stack ?? ''}${JSON.stringify(thrown)}`))
      ;(await node.next()).answer(body, status)
      await failing
    }
    await refused({}, 429, /^127\.0\.0\.1:\d+#0: eth_getBlockByNumber: HTTP 429/)
    await refused({ error: { code: -32005, message: 'daily request count exceeded' } }, 200, /#0: eth_getBlockByNumber: -32005 daily request count/)
    await refused({ message: 'no such key' }, 401, /#0: eth_getBlockByNumber: HTTP 401/)
    await refused({ error: { code: -32000, message: 'the node says no' } }, 400, /the node says no/)
  })

  it('is over at once when the endpoint is closed', async () => {
    const head = assert.rejects(latestOf(endpoint), /eth_getBlockByNumber/)
    await node.next()
    await endpoint.close()
    await head
  })
})
