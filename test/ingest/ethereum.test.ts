import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { z } from 'zod'
import { parseConfig } from '../../schemas/config.js'
import type { Store } from '../../schemas/clickhouse.js'
import { findChain } from '../../schemas/chains.js'
import type { BatchRef } from '../../schemas/primitives.js'
import { openEthereumSource } from '../../stages/ingest/ethereum/source.js'
import type { ChainModule, Context } from '../../stages/stage.js'
import { startAnvil, type Anvil } from '../../scripts/simulate/anvil.js'
import { ending } from '../support/endings.js'
import { freshStore } from '../support/servers.js'

const Raw = z.object({ number: z.coerce.number(), kind: z.string(), problem: z.string(), hash: z.string() })

describe('Ethereum ingest from a node', () => {
  let anvil: Anvil
  let store: Store
  before(async () => { anvil = await startAnvil(); await anvil.mine(6); ({ store } = await freshStore()) })
  after(ending(() => anvil))

  const open = (extra: Record<string, string> = {}) => {
    const config = parseConfig({ ETH_RPC_URL: anvil.url, ETH_CHAIN_ID: '31337', ...extra })
    const source = openEthereumSource(config, config.ETH_RPC_URL ?? [])
    const chain = findChain('ETH')
    assert.ok(chain)
    const module: ChainModule = { chain, source, normalize: [], finality: 64, pollMs: 100, maxBatch: 64, startBlock: undefined }
    const context: Context = { config, store, log: pino({ level: 'silent' }), chain: module, again: true, checkpoint: async () => undefined }
    return { source, context }
  }

  const batchOf = async (from: number, to: number, generation: number): Promise<BatchRef> =>
    ({ chain: 'ETH', from, to, hash: (await anvil.client.getBlock({ blockNumber: BigInt(to) })).hash, generation, floor: from })

  const raw = (generation: number) => store.query(`SELECT number, traces_kind AS kind, problem, concat('0x', lower(hex(block_hash))) AS hash FROM raw_payloads WHERE generation = {generation:UInt32} ORDER BY number, kind`, { generation }, Raw)

  it('lands a range: block, receipts and traces of every block, byte for byte', async () => {
    const { source, context } = open()
    const batch = await batchOf(1, 5, 0)
    const outcome = await source.ingest(batch, context)
    assert.equal(outcome.rows, 5)
    const rows = await raw(0)
    assert.deepEqual(rows.map((row) => `${row.number} ${row.kind} ${row.problem}`), [1, 2, 3, 4, 5].map((number) => `${number} call_traces `))
    assert.equal(rows.at(-1)?.hash, batch.hash)
    const [payload] = await store.query(`SELECT receipts AS payload FROM raw_payloads WHERE number = 3`, {}, z.object({ payload: z.string() }))
    const direct = await fetch(anvil.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockReceipts', params: ['0x3'] }) })
    assert.equal(payload?.payload, await direct.text())
    await source.close()
  })

  it('has no more blocks under way than fill its connections', async () => {
    const asked: string[] = []
    let most = 0
    const slow = createServer((incoming, response) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => {
        const body = Buffer.concat(chunks).toString('utf8')
        const { method, params = [] } = JSON.parse(body) as { method: string; params?: unknown[] }
        const block = String(params[0])
        if (method !== 'eth_chainId') { asked.push(block); most = Math.max(most, new Set(asked).size) }
        // Traces are what a node is slow at: the blocks behind them must not pile up.
        const answer = async (): Promise<void> => {
          if (method.startsWith('debug_')) await new Promise((resolve) => setTimeout(resolve, 30))
          const text = await (await fetch(anvil.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).text()
          if (asked.includes(block)) asked.splice(asked.indexOf(block), 1)
          response.end(text)
        }
        answer().catch(() => { response.destroy() })
      })
    })
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
    const { source, context } = open({ ETH_RPC_URL: `http://127.0.0.1:${(slow.address() as AddressInfo).port}`, ETH_CONCURRENCY: '4' })
    try {
      assert.equal((await source.ingest(await batchOf(1, 6, 70), context)).rows, 6)
      assert.equal(most, 2)
    } finally { await source.close(); slow.close(); slow.closeAllConnections() }
  })

  it('fetches nothing again when the batch has landed', async () => {
    const { source, context } = open()
    assert.equal((await source.ingest(await batchOf(1, 5, 0), context)).bytes, 0)
    await source.close()
  })

  it('refuses a node of another chain by name', async () => {
    const { source, context } = open({ ETH_CHAIN_ID: '1' })
    await assert.rejects(source.ingest(await batchOf(1, 5, 7), context), /127\.0\.0\.1:\d+#0 is on chain 31337, not 1/)
    assert.deepEqual(await raw(7), [])
    await source.close()
  })

  it('says of a block that is no longer there that it is gone, and lands nothing', async () => {
    const { source, context } = open()
    const batch = { ...await batchOf(6, 6, 8), hash: `0x${'ab'.repeat(32)}` }
    await assert.rejects(source.ingest(batch, context), (thrown: { code?: string }) => thrown.code === 'BLOCK_GONE')
    assert.deepEqual(await raw(8), [])
    await source.close()
  })

  it('refuses a range whose tip is not the planned one', async () => {
    const { source, context } = open()
    await assert.rejects(source.ingest({ ...await batchOf(2, 4, 9), hash: `0x${'cd'.repeat(32)}` }, context), (thrown: { code?: string }) => thrown.code === 'BLOCK_REPLACED')
    assert.deepEqual(await raw(9), [])
    await source.close()
  })
})
