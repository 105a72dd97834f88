import assert from 'node:assert/strict'
import { pino } from 'pino'
import { z } from 'zod'
import { findChain } from '../../schemas/chains.js'
import type { Store } from '../../schemas/clickhouse.js'
import { parseConfig } from '../../schemas/config.js'
import type { BatchRef } from '../../schemas/primitives.js'
import { startReplayNode, type ReplayNode, type ReplayOptions } from '../../scripts/replay-node/server.js'
import { openEthereumSource } from '../../stages/ingest/ethereum/source.js'
import type { ChainModule, Context } from '../../stages/stage.js'
import { freshStore } from '../support/servers.js'

const from = 1_000
const Landed = z.object({ good: z.coerce.number(), endpoints: z.array(z.string()) })

describe('several Ethereum endpoints', function () {
  this.timeout(60_000)
  let store: Store
  const nodes: ReplayNode[] = []
  before(async () => { ({ store } = await freshStore()) })
  afterEach(async () => { await Promise.all(nodes.splice(0).map((node) => node.close())) })

  const start = async (options: ReplayOptions = {}): Promise<ReplayNode> => {
    const node = await startReplayNode({ renumber: { from, count: 12, shapes: [17_034_869] }, ...options })
    nodes.push(node)
    return node
  }
  let generation = 0
  const open = (extra: Record<string, string> = {}) => {
    const config = parseConfig({ ETH_RPC_URL: nodes.map((node) => node.url).join(','), ...extra })
    const source = openEthereumSource(config, config.ETH_RPC_URL ?? [])
    const chain = findChain('ETH')
    assert.ok(chain)
    const module: ChainModule = { chain, source, normalize: [], finality: 4, pollMs: 100, maxBatch: 64, startBlock: undefined }
    const context: Context = { config, store, log: pino({ level: 'silent' }), chain: module, again: true, checkpoint: async () => undefined }
    return { source, context }
  }
  const batchOf = async (source: ReturnType<typeof open>['source'], low: number, high: number): Promise<BatchRef> => {
    generation += 1
    return { chain: 'ETH', from: low, to: high, hash: (await source.header(high))?.hash ?? '', generation, floor: low }
  }
  const landed = async () => (await store.query(
    `SELECT uniqExactIf(number, problem = '') AS good, arraySort(groupUniqArrayIf(toString(endpoint), problem = '')) AS endpoints FROM raw_payloads WHERE generation = {generation:UInt32}`, { generation }, Landed))[0]

  it('take the head most agree on, and name the one that dissents', async () => {
    await start(); await start()
    const liar = await start()
    liar.control.change({ forkAt: from + 5 })
    const { source } = open()
    const head = await source.head()
    const honest = await (await fetch(nodes[0]?.url ?? '', { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: ['latest', false] }) })).json() as { result: { hash: string } }
    assert.equal(head.hash, honest.result.hash)
    assert.ok(!head.endpoint.endsWith('#2'))
    await source.close()
  })

  it('give no head when they are split evenly', async () => {
    await start()
    const other = await start()
    other.control.change({ forkAt: from + 5 })
    const { source } = open()
    await assert.rejects(source.head(), /disagree about block/)
    await source.close()
  })

  for (const fault of ['rpcError', 'http429', 'http500', 'truncated', 'nullReceipts', 'otherBlock', 'missingReceipt'] as const) {
    it(`${fault} of one: the batch comes from the other, whole`, async () => {
      await start({ faults: { [fault]: 1 } })
      await start()
      const { source, context } = open()
      const batch = await batchOf(source, from + 1, from + 6)
      // Answers that arrive but do not fit are refused after they landed, and asked for elsewhere at the next attempt.
      for (let attempt = 0; ; attempt += 1) {
        try { await source.ingest(batch, context); break } catch (thrown) { if (attempt > 3) throw thrown; assert.match((thrown as Error).message, /127\.0\.0\.1:\d+#0/) }
      }
      assert.equal((await landed())?.good, 6)
      await source.close()
    })
  }

  it('of the wrong chain are not used while another is right', async () => {
    await start({ chainId: 5 })
    await start()
    const { source, context } = open()
    await source.ingest(await batchOf(source, from + 1, from + 3), context)
    const row = await landed()
    assert.equal(row?.good, 3)
    assert.deepEqual(row.endpoints.map((name) => name.split('#')[1]), ['1'])
    await source.close()
  })

  it('bad answers of the only one land nothing that counts, and say who and why', async () => {
    await start({ faults: { missingReceipt: 1 } })
    const { source, context } = open()
    await assert.rejects(source.ingest(await batchOf(source, from + 1, from + 2), context), /127\.0\.0\.1:\d+#0: block \d+: receipts: 92 for 93 transactions/)
    assert.equal((await landed())?.good, 0)
    await source.close()
  })
})
