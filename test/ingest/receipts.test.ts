import assert from 'node:assert/strict'
import { startAnvil } from '../../scripts/simulate/anvil.js'
import type { Body } from '../../stages/ingest/endpoint.js'
import { openEndpoint } from '../../stages/ingest/ethereum/endpoint.js'
import { fetchBlock, type Abilities } from '../../stages/ingest/ethereum/fetchBlock.js'
import { lackingNode } from './lackingNode.js'

const json = (body: Body): { result: unknown } => JSON.parse(body.bytes.toString('utf8')) as { result: unknown }

describe('a node without the newer methods', function () {
  this.timeout(30_000)
  it('gives the same receipts one by one, and traces by trace_block or none', async () => {
    const anvil = await startAnvil()
    await anvil.mine(2)
    const limits = { concurrency: 4, perSecond: 1_000, timeoutMs: 5_000 }
    const whole = openEndpoint(anvil.url, 0, limits)
    const old = await lackingNode(anvil.url, ['eth_getBlockReceipts', 'debug_traceBlockByNumber'])
    const older = await lackingNode(anvil.url, ['eth_getBlockReceipts', 'debug_traceBlockByNumber', 'trace_block'])
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
