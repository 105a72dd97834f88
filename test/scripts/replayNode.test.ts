import assert from 'node:assert/strict'
import { recorded, recordedRanges } from '../../scripts/replay-node/fixtures.js'
import { ordinary } from '../../scripts/replay-node/renumbered.js'
import { startReplayNode, type ReplayNode, type ReplayOptions } from '../../scripts/replay-node/server.js'

interface Log { blockNumber: string; blockHash: string; transactionHash: string }
interface Receipt extends Log { logs: Log[] }
interface Block { number: string; hash: string; parentHash: string; timestamp: string; transactions: { hash: string; blockHash: string; blockNumber: string }[] }

const nodes: ReplayNode[] = []
const start = async (options: ReplayOptions = {}): Promise<ReplayNode> => {
  const node = await startReplayNode(options)
  nodes.push(node)
  return node
}
const post = (node: ReplayNode, body: unknown, path = ''): Promise<Response> => fetch(node.url + path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
const ask = async <Result>(node: ReplayNode, method: string, ...params: unknown[]): Promise<Result> => {
  const answer = await (await post(node, { jsonrpc: '2.0', id: 7, method, params })).json() as { id: number; result?: Result; error?: { code: number; message: string } }
  assert.equal(answer.id, 7)
  if (answer.error !== undefined) throw Object.assign(new Error(answer.error.message), { code: answer.error.code })
  return answer.result as Result
}
const hex = (value: number) => `0x${value.toString(16)}`

describe('replay node', () => {
  afterEach(async () => { await Promise.all(nodes.splice(0).map((node) => node.close())) })

  it('serves every recorded block and its receipts with the heights, hashes and counts of the index', async () => {
    const node = await start()
    for (const { height, hash, parentHash, txs, logs } of recorded) {
      const block = await ask<Block>(node, 'eth_getBlockByNumber', hex(height), true)
      const receipts = await ask<Receipt[]>(node, 'eth_getBlockReceipts', hash)
      assert.deepEqual([block.hash, block.parentHash, block.transactions.length], [hash, parentHash, txs])
      assert.deepEqual(receipts.map((receipt) => receipt.transactionHash), block.transactions.map((transaction) => transaction.hash))
      assert.equal(receipts.flatMap((receipt) => receipt.logs).length, logs)
    }
    assert.equal(await ask(node, 'eth_blockNumber'), hex(recorded.at(-1)?.height ?? 0))
  })

  it('finds blocks by tag and hash, single transactions and receipts, and answers null for what is not there', async () => {
    const node = await start()
    const { height, hash } = recorded.at(-1) ?? assert.fail('no recorded block')
    const latest = await ask<{ hash: string; transactions: string[] }>(node, 'eth_getBlockByNumber', 'latest', false)
    assert.equal(latest.hash, hash)
    const receipts = await ask<Receipt[]>(node, 'eth_getBlockReceipts', 'latest')
    for (const index of [0, 150, latest.transactions.length - 1]) {
      assert.deepEqual(await ask(node, 'eth_getTransactionReceipt', latest.transactions[index]), receipts[index])
      assert.equal((await ask<{ hash: string }>(node, 'eth_getTransactionByHash', latest.transactions[index])).hash, latest.transactions[index])
    }
    assert.equal(await ask(node, 'eth_getBlockByNumber', hex(height - 1), true), null)
    assert.equal(await ask(node, 'eth_getBlockByNumber', hex(height + 1), true), null)
    assert.equal(await ask(node, 'eth_getBlockByHash', `0x${'1'.repeat(64)}`, true), null)
    assert.equal(await ask(node, 'eth_getTransactionReceipt', `0x${'1'.repeat(64)}`), null)
  })

  it('has traces where they were recorded and says the state is gone elsewhere', async () => {
    const node = await start()
    const traced = await ask<{ txHash: string; result: { type: string } }[]>(node, 'debug_traceBlockByNumber', hex(16_899_757), { tracer: 'callTracer' })
    assert.equal(traced.length, 147)
    assert.equal((await ask<{ blockNumber: number }[]>(node, 'trace_block', hex(12_914_944)))[0]?.blockNumber, 12_914_944)
    await assert.rejects(ask(node, 'debug_traceBlockByNumber', hex(18_000_000), { tracer: 'callTracer' }), { code: -32000 })
    await assert.rejects(ask(node, 'eth_sendRawTransaction', '0x'), { code: -32601 })
    await assert.rejects(ask(node, 'eth_getBlockByNumber', 'soon', true), { code: -32602 })
  })

  it('answers batches in order, and broken JSON with -32700', async () => {
    const node = await start()
    const batch = await (await post(node, [{ id: 'a', method: 'net_version' }, { id: 'b', method: 'nope' }, 5])).json() as { id: unknown; result?: string; error?: { code: number } }[]
    assert.deepEqual(batch.map((item) => [item.id, item.result ?? item.error?.code]), [['a', '1'], ['b', -32601], [null, -32600]])
    assert.equal((await (await fetch(node.url, { method: 'POST', body: '{' })).json() as { error: { code: number } }).error.code, -32700)
  })

  it('answers eth_getLogs by range, hash, address and topics with the logs of the receipts, in order', async () => {
    const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
    interface Entry extends Log { logIndex: string; address: string; topics: string[] }
    for (const node of [await start(), await start({ renumber: { from: 20_000_000, count: 50 } })]) {
      const latest = Number(await ask<string>(node, 'eth_blockNumber'))
      const heights = latest < 20_000_100 && latest >= 20_000_000 ? Array.from({ length: 6 }, (_, index) => 20_000_010 + index) : [16_899_757, 17_000_000, 17_034_869]
      const all = (await Promise.all(heights.map((height) => ask<{ logs: Entry[] }[]>(node, 'eth_getBlockReceipts', hex(height))))).flat().flatMap((receipt) => receipt.logs)
      const range = { fromBlock: hex(heights[0] ?? 0), toBlock: hex(heights.at(-1) ?? 0) }
      const get = (filter: object): Promise<Entry[]> => ask<Entry[]>(node, 'eth_getLogs', filter)
      assert.ok(all.length > 500)
      assert.deepEqual(await get(range), all)
      const address = all[7]?.address ?? ''
      assert.deepEqual(await get({ ...range, address: address.toUpperCase().replace('0X', '0x') }), all.filter((log) => log.address === address))
      const transfers = all.filter((log) => log.topics[0] === transfer)
      assert.deepEqual(await get({ ...range, topics: [[transfer]] }), transfers)
      assert.deepEqual(await get({ ...range, topics: [transfer, null, null, null] }), transfers.filter((log) => log.topics.length === 4))
      assert.deepEqual(await get({ blockHash: all[0]?.blockHash, topics: [transfer] }), transfers.filter((log) => log.blockHash === all[0]?.blockHash))
      assert.deepEqual(await get({ fromBlock: hex(latest + 1), toBlock: hex(latest + 900) }), [])
      await assert.rejects(get({ ...range, topics: ['0x12'] }), { code: -32602 })
      await assert.rejects(get({ blockHash: `0x${'1'.repeat(64)}` }), { code: -32000 })
    }
  })

  it('renumbers recorded blocks into one chain whose parents, receipts and transactions agree', async () => {
    const node = await start({ renumber: { from: 20_000_000, count: 200, shapes: [...ordinary, 12_914_944, 4_369_999] } })
    const seen = new Set<string>()
    let parent: Block | undefined
    for (let height = 20_000_000; height < 20_000_012; height += 1) {
      const block = await ask<Block>(node, 'eth_getBlockByNumber', hex(height), true)
      const receipts = await ask<Receipt[]>(node, 'eth_getBlockReceipts', block.hash)
      assert.equal(block.number, hex(height))
      if (parent !== undefined) assert.deepEqual([block.parentHash, Number(block.timestamp)], [parent.hash, Number(parent.timestamp) + 12])
      assert.deepEqual(receipts.map((receipt) => receipt.transactionHash), block.transactions.map((transaction) => transaction.hash))
      for (const row of [...block.transactions, ...receipts, ...receipts.flatMap((receipt) => receipt.logs)]) assert.deepEqual([row.blockNumber, row.blockHash], [block.number, block.hash])
      for (const log of receipts.flatMap((receipt) => receipt.logs.map((entry) => ({ entry, receipt })))) assert.equal(log.entry.transactionHash, log.receipt.transactionHash)
      for (const transaction of block.transactions) { assert.ok(!seen.has(transaction.hash)); seen.add(transaction.hash) }
      assert.deepEqual(await ask(node, 'eth_getTransactionReceipt', block.transactions[3]?.hash), receipts[3])
      assert.deepEqual((await ask<{ transactions: string[] }>(node, 'eth_getBlockByHash', block.hash, false)).transactions, block.transactions.map((transaction) => transaction.hash))
      parent = block
    }
    const traces = await ask<{ blockNumber: number }[]>(node, 'trace_block', hex(20_000_003))
    assert.equal(traces[0]?.blockNumber, 20_000_003)
    assert.equal(await ask(node, 'eth_getBlockByNumber', hex(20_000_200), true), null)
  })

  it('moves its head and forks on demand', async () => {
    const node = await start({ renumber: { from: 20_000_000, count: 100 }, head: 20_000_010 })
    assert.equal(await ask(node, 'eth_getBlockByNumber', hex(20_000_011), false), null)
    const before = await ask<Block>(node, 'eth_getBlockByNumber', hex(20_000_009), false)
    await post(node, { head: 20_000_020, forkAt: 20_000_008 }, '/control')
    assert.equal(await ask(node, 'eth_blockNumber'), hex(20_000_020))
    const [seventh, eighth, ninth] = await Promise.all([7, 8, 9].map((offset) => ask<Block>(node, 'eth_getBlockByNumber', hex(20_000_000 + offset), false)))
    assert.notEqual(ninth?.hash, before.hash)
    assert.deepEqual([eighth?.parentHash, ninth?.parentHash], [seventh?.hash, eighth?.hash])
    assert.equal(await ask(node, 'eth_getBlockByHash', before.hash, false), null)
    await post(node, { advanceMs: 5 }, '/control')
    for (let head = 0; head < 20_000_025;) head = Number(await ask<string>(node, 'eth_blockNumber'))
  })

  it('shows each fault it is told to, and counts it', async () => {
    const node = await start()
    const block = hex(17_062_257)
    const faulty = async (faults: object): Promise<void> => { await post(node, { faults }, '/control') }
    const receipts = (): Promise<Receipt[] | null> => ask<Receipt[] | null>(node, 'eth_getBlockReceipts', block)
    await faulty({ rpcError: 1 })
    await assert.rejects(receipts(), { code: -32000 })
    for (const [fault, status] of [['http429', 429], ['http500', 500]] as const) {
      await faulty({ [fault]: 1 })
      assert.equal((await post(node, { id: 1, method: 'eth_chainId' })).status, status)
    }
    await faulty({ truncated: 1 })
    await assert.rejects(receipts())
    await faulty({ nullReceipts: 1 })
    assert.equal(await receipts(), null)
    await faulty({ missingReceipt: 1 })
    assert.equal((await receipts())?.length, 207)
    await faulty({ otherBlock: 1 })
    assert.equal((await receipts())?.[0]?.blockNumber, hex(17_053_184))
    await faulty({ wrongChainId: 1 })
    assert.equal(await ask(node, 'eth_chainId'), '0x2')
    await faulty({ hang: 1 })
    await assert.rejects(fetch(node.url, { method: 'POST', body: '{"id":1,"method":"eth_chainId"}', signal: AbortSignal.timeout(100) }))
    const state = await (await fetch(`${node.url}/control`)).json() as { struck: Record<string, number>; calls: Record<string, number> }
    assert.deepEqual(Object.keys(state.struck).sort(), ['hang', 'http429', 'http500', 'missingReceipt', 'nullReceipts', 'otherBlock', 'rpcError', 'truncated', 'wrongChainId'])
    assert.equal(state.calls['eth_getBlockReceipts'], 5)
  })

  it('merges recorded heights into ranges that cover all of them', () => {
    assert.equal(recordedRanges().reduce((sum, range) => sum + range.to - range.from + 1, 0), recorded.length)
    assert.ok(recordedRanges().some((range) => range.from === 22_431_083 && range.to === 22_431_084))
  })
})
