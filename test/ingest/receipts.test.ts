import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startAnvil } from '../../scripts/simulate/anvil.js'
import type { Body } from '../../stages/ingest/endpoint.js'
import { openEndpoint } from '../../stages/ingest/ethereum/endpoint.js'
import { fetchBlock, type Abilities } from '../../stages/ingest/ethereum/fetchBlock.js'

const json = (body: Body): { result: unknown } => JSON.parse(body.bytes.toString('utf8')) as { result: unknown }

/** A node in front of another that lacks the methods named. */
const lacking = async (url: string, methods: readonly string[]) => {
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const { method, id } = JSON.parse(text) as { method?: string; id?: number }
      if (method !== undefined && methods.includes(method)) {
        response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: `the method ${method} does not exist` } }))
        return
      }
      fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text }).then((answer) => answer.text()).then((body) => { response.end(body) }, () => { response.destroy() })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => new Promise<void>((resolve) => { server.close(() => { resolve() }); server.closeAllConnections() }) }
}

describe('a node without the newer methods', function () {
  this.timeout(30_000)
  it('gives the same receipts one by one, and traces by trace_block or none', async () => {
    const anvil = await startAnvil()
    await anvil.mine(2)
    const limits = { concurrency: 4, perSecond: 1_000, timeoutMs: 5_000 }
    const whole = openEndpoint(anvil.url, 0, limits)
    const old = await lacking(anvil.url, ['eth_getBlockReceipts', 'debug_traceBlockByNumber'])
    const older = await lacking(anvil.url, ['eth_getBlockReceipts', 'debug_traceBlockByNumber', 'trace_block'])
    const [oldEndpoint, olderEndpoint] = [openEndpoint(old.url, 1, limits), openEndpoint(older.url, 2, limits)]
    const abilities: Abilities = {}
    const expected = await fetchBlock(whole, {}, 2, '', true)
    const each = await fetchBlock(oldEndpoint, abilities, 2, '', true)
    const bare = await fetchBlock(olderEndpoint, {}, 2, '', true)
    assert.deepEqual(json(each.receipts).result, json(expected.receipts).result)
    assert.deepEqual(abilities, { receipts: 'each', traces: 'parity_traces' })
    assert.equal(expected.tracesKind, 'call_traces')
    assert.equal(each.tracesKind, 'parity_traces')
    assert.equal(bare.tracesKind, '')
    assert.equal(bare.traces.bytes.length, 0)
    await Promise.all([whole.close(), oldEndpoint.close(), olderEndpoint.close(), old.close(), older.close(), anvil.stop()])
  })
})
