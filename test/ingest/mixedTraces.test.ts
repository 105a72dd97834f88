/** Endpoints of which one has traces and the other has not: what the one has is never left out for the other. */
import assert from 'node:assert/strict'
import { pino } from 'pino'
import { z } from 'zod'
import { findChain } from '../../schemas/chains.js'
import type { Store } from '../../schemas/clickhouse.js'
import { parseConfig } from '../../schemas/config.js'
import { startReplayNode, type ReplayNode } from '../../scripts/replay-node/server.js'
import { openEndpoint } from '../../stages/ingest/ethereum/endpoint.js'
import { fetchBlock, hasNoTraces, type Abilities } from '../../stages/ingest/ethereum/fetchBlock.js'
import { openEthereumSource } from '../../stages/ingest/ethereum/source.js'
import { freshStore } from '../support/servers.js'
import { lackingNode, type Refusal } from './lackingNode.js'

const from = 1_000, count = 12, tracing = ['debug_traceBlockByNumber', 'debug_traceBlockByHash', 'trace_block']
const Kinds = z.object({ kind: z.string(), blocks: z.coerce.number() })

describe('an endpoint without traces beside one with them', function () {
  this.timeout(60_000)
  let store: Store, node: ReplayNode
  const ended: (() => Promise<void>)[] = []
  before(async () => { ({ store } = await freshStore()); node = await startReplayNode({ renumber: { from, count, shapes: [17_000_000] } }) })
  afterEach(async () => { await Promise.all(ended.splice(0).map((end) => end())) })
  after(() => node.close())

  let generation = 0
  /** Kinds of traces of a batch of all blocks, then of one of the newest alone. */
  const kinds = async (urls: readonly string[], extra: Record<string, string> = {}, attempts = 1): Promise<string[]> => {
    const config = parseConfig({ ETH_RPC_URL: urls.join(','), ...extra }), source = openEthereumSource(config, urls), chain = findChain('ETH')
    assert.ok(chain)
    ended.push(() => source.close())
    const context = { config, store, log: pino({ level: 'silent' }), chain: { chain, source, normalize: [], finality: 4, pollMs: 100, maxBatch: 64, startBlock: undefined }, again: true, checkpoint: async () => undefined }
    const to = from + count - 1, hash = (await source.header(to))?.hash ?? ''
    for (const low of [from, to]) {
      generation += 1
      // What arrives and is wrong is refused, and asked for elsewhere at the next attempt.
      for (let attempt = 1; ; attempt += 1) {
        try { await source.ingest({ chain: 'ETH', from: low, to, hash, generation, floor: low }, context); break } catch (thrown) { if (attempt >= attempts) throw thrown }
      }
    }
    const rows = await store.query("SELECT traces_kind AS kind, count() AS blocks FROM raw_payloads WHERE generation >= {least:UInt32} AND problem = '' GROUP BY kind ORDER BY kind", { least: generation - 1 }, Kinds)
    return rows.map(({ kind, blocks }) => `${kind} ${blocks}`)
  }
  const traceless = async (error?: Refusal, methods: readonly string[] = tracing, only = ''): Promise<string> => {
    const one = await lackingNode(node.url, methods, error, only)
    ended.push(one.close)
    return one.url
  }

  it('gives no block without them: one that offers none, and one that has pruned them', async () => {
    assert.deepEqual(await kinds([await traceless(), node.url]), [`call_traces ${count + 1}`])
    assert.deepEqual(await kinds([node.url, await traceless({ code: -32000, message: 'missing trie node 12 (path )' })]), [`call_traces ${count + 1}`])
  })

  it('is believed where nobody has them, or they are not wanted', async () => {
    assert.deepEqual(await kinds([await traceless(), await traceless({ code: -32000, message: 'required historical state unavailable' })]), [` ${count + 1}`])
    assert.deepEqual(await kinds([await traceless(), node.url], { ETH_TRACES: 'off' }), [` ${count + 1}`])
  })

  it('is one that has pruned them, in whatever words, and however much it says beside them', async () => {
    const refusals: readonly Refusal[] = [
      { code: -32002, message: 'No state available for block 17000000' },
      { code: -32000, message: 'old data not available due to pruning' },
      { code: -32603, message: 'Internal error', data: `Nethermind.Trie.MissingTrieNodeException: A node is missing in the trie\n${'   at Nethermind.Trie.TrieNode.ResolveNode()\n'.repeat(200)}` },
    ]
    for (const refusal of refusals) {
      assert.deepEqual(await kinds([await traceless(refusal)]), [` ${count + 1}`], refusal.message)
      assert.deepEqual(await kinds([await traceless(refusal), node.url]), [`call_traces ${count + 1}`], refusal.message)
    }
    // Its stack alone says nothing.
    await assert.rejects(kinds([await traceless({ code: -32603, message: 'Internal error', data: 'at Nethermind.Serialization\n'.repeat(200) })]), { code: 'RPC_ERROR', message: /-32603 Internal error$/ })
  })

  it('is asked for the traces it kept where it has pruned the state, and for each block first for what has not been pruned', async () => {
    const pruned = { code: -32000, message: 'missing trie node 12 (path )' }, kept = await startReplayNode({ renumber: { from, count, shapes: [12_914_944] } })
    ended.push(kept.close)
    assert.deepEqual(await kinds([kept.url]), [`parity_traces ${count + 1}`])
    assert.deepEqual(await kinds([await traceless(pruned), kept.url]), [`parity_traces ${count + 1}`])
    const bare = await lackingNode(node.url, tracing.slice(0, 2), pruned), endpoint = openEndpoint(bare.url, 0, { concurrency: 4, perSecond: 1_000, timeoutMs: 5_000 })
    ended.push(bare.close, endpoint.close)
    const abilities: Abilities = {}, fetched = async (number: number): Promise<string> => (await fetchBlock(endpoint, abilities, number, '', true)).tracesKind
    assert.deepEqual([await fetched(from), hasNoTraces(abilities, from, false), hasNoTraces(abilities, from + 1, false)], ['', true, false])
    bare.refuse(false)
    assert.equal(await fetched(from + 1), 'call_traces')
  })

  it('lands traces of blocks of which a node has them by either call, side by side', async () => {
    const both = await startReplayNode({ renumber: { from, count, shapes: [12_914_944, 17_000_000] } })
    ended.push(both.close)
    assert.deepEqual(await kinds([both.url]), [`call_traces ${count / 2 + 1}`, `parity_traces ${count / 2}`])
  })

  it('is one of which a block has more traces than can be given: the block lands without them, and those beside it with theirs', async () => {
    const refusal = { code: -32008, message: 'Response is too big', data: 'Exceeded max limit of 167772160' }
    assert.deepEqual(await kinds([await traceless(refusal, tracing, `"0x${(from + 2).toString(16)}"`)]), [' 1', `call_traces ${count}`])
    const whole = openEndpoint(node.url, 0, { concurrency: 4, perSecond: 1_000, timeoutMs: 5_000 })
    ended.push(whole.close)
    const sizes = await fetchBlock(whole, {}, from, '', true)
    const rest = Math.max(sizes.block.bytes.length, sizes.receipts.bytes.length)
    assert.ok(sizes.traces.bytes.length > rest)
    const endpoint = openEndpoint(node.url, 0, { concurrency: 4, perSecond: 1_000, timeoutMs: 5_000, maxBytes: rest })
    ended.push(endpoint.close)
    const abilities: Abilities = {}
    assert.equal((await fetchBlock(endpoint, abilities, from, '', true)).tracesKind, '')
    assert.deepEqual([hasNoTraces(abilities, from, true), hasNoTraces(abilities, from + 1, true)], [true, false])
  })

  it('is one whose plan or key has no part in them, however that is said', async () => {
    const refusals: readonly Refusal[] = [
      { code: -32600, message: 'debug_traceBlockByHash is not available on the Free tier', status: 400 },
      { code: -32000, message: 'forbidden', status: 403 },
      { code: -32001, message: 'this call is not part of your plan' },
      { code: 35, message: 'method is not available on freetier, please use a paid one' },
      { code: -32600, message: "The method 'debug_traceBlockByNumber' is found but the namespace 'Debug' is disabled for this port" },
      { code: -32000, message: 'containing module is disabled' },
    ]
    for (const refusal of refusals) {
      assert.deepEqual(await kinds([await traceless(refusal), node.url]), [`call_traces ${count + 1}`], refusal.message)
      assert.deepEqual(await kinds([await traceless(refusal)]), [` ${count + 1}`], refusal.message)
    }
  })

  it('is none that has had too many calls', async () => {
    const busy: readonly Refusal[] = [{ code: -32005, message: 'project ID request rate exceeded' }, { code: -32003, message: 'daily request limit reached - upgrade your account' }]
    for (const refusal of busy) {
      const url = await traceless(refusal)
      await assert.rejects(kinds([url]), { code: 'RPC_LIMITED' })
      assert.deepEqual(await kinds([url, node.url]), [`call_traces ${count + 1}`])
    }
  })

  it('is none that gave some before: its refusal is a fault, until it was away', async () => {
    for (const refusal of [{ code: -32000, message: 'forbidden', status: 403 }, { code: -32601, message: 'the method does not exist' }] as const) {
      const one = await lackingNode(node.url, tracing, refusal), endpoint = openEndpoint(one.url, 0, { concurrency: 4, perSecond: 1_000, timeoutMs: 5_000 })
      ended.push(one.close, endpoint.close)
      const abilities: Abilities = {}, fetched = async (): Promise<string> => (await fetchBlock(endpoint, abilities, from, '', true)).tracesKind
      one.refuse(false)
      assert.equal(await fetched(), 'call_traces')
      one.refuse(true)
      await assert.rejects(fetched(), { code: 'RPC_ERROR', message: /refuses traces of block 1000, and gave others before/ })
      one.refuse(false)
      assert.equal(await fetched(), 'call_traces')
    }
  })

  it('is asked again after a while where it was a plan or a key that had no part in them', async () => {
    const one = await lackingNode(node.url, tracing, { code: -32000, message: 'forbidden', status: 403 }), endpoint = openEndpoint(one.url, 0, { concurrency: 4, perSecond: 1_000, timeoutMs: 5_000 })
    ended.push(one.close, endpoint.close)
    const abilities: Abilities = {}, fetched = async (): Promise<string> => (await fetchBlock(endpoint, abilities, from, '', true)).tracesKind
    assert.equal(await fetched(), '')
    one.refuse(false)
    assert.deepEqual([await fetched(), hasNoTraces(abilities, from, false)], ['', true])
    abilities.refusedUntil = performance.now() - 1
    assert.deepEqual([hasNoTraces(abilities, from, false), await fetched()], [false, 'call_traces'])
  })

  it('is none whose key is refused for all calls', async () => {
    const one = await lackingNode(node.url, [...tracing, 'eth_getBlockByNumber', 'eth_getBlockReceipts'], { code: -32000, message: 'no such key', status: 401 }), endpoint = openEndpoint(one.url, 0, { concurrency: 4, perSecond: 1_000, timeoutMs: 5_000 })
    ended.push(one.close, endpoint.close)
    const abilities: Abilities = {}
    await assert.rejects(fetchBlock(endpoint, abilities, from, '', true), { code: 'RPC_REFUSED', message: /no such key \(HTTP 401\)$/ })
    assert.deepEqual(abilities, {})
  })

  it('is believed where the other is wrong', async () => {
    const liar = await startReplayNode({ renumber: { from, count, shapes: [17_000_000] }, faults: { missingReceipt: 1 } })
    ended.push(liar.close)
    assert.deepEqual(await kinds([liar.url, await traceless()], {}, 3), [` ${count + 1}`])
  })

  it('takes its place while the other fails', async () => {
    const broken = await traceless({ code: -32000, message: 'out of order' }, ['eth_getBlockReceipts'])
    assert.deepEqual(await kinds([broken, await traceless()]), [` ${count + 1}`])
    const once = await traceless({ code: -32000, message: 'out of order' }, tracing, `"0x${(from + 2).toString(16)}"`)
    assert.deepEqual(await kinds([once, await traceless()]), [' 1', `call_traces ${count}`], 'of one block')
  })
})
