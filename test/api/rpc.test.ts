/** Raw questions to a real node (anvil): what is passed on, how the answers read, and what never is. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startAnvil, type Anvil } from '../../scripts/simulate/anvil.js'
import { post, session } from '../mcp/support/client.js'
import { ending } from '../support/endings.js'
import { isRefusal } from './support/refusal.js'
import { startService, type Reply, type Service } from './support/service.js'

const [miner, other] = ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'] as const
const at = `0x${'c0'.repeat(20)}`
const nowhere = `0x${'ab'.repeat(32)}`
/** What a node lacks it may have pruned, or not yet have: no evidence. */
const gap = { is_successful_empty: false, empty_reason: 'data_gap' }
const topic = `0x${'07'.repeat(32)}`
/** Logs 32 bytes under the topic and returns 42; with call data: reverts with 0xdeadbeef. */
const code = `0x36603457602a6000527f${topic.slice(2)}60206000a160206000f35b63deadbeef60e01b60005260046000fd`

/** Logs 0 to 129, a word each, without a topic. */
const talkative = `0x${'c1'.repeat(20)}`
const talk = '0x60005b8060005260206000a06001018060821160025700'

describe('raw questions to a node', function () {
  this.timeout(60_000)
  let anvil: Anvil
  let service: Service
  let block: { hash: string; number: string }
  let sent: string
  const secret = 'key-that-nobody-sees'
  /** A node that is none: how often it was asked. */
  let asked = 0
  const broken = createServer((incoming, response) => { asked += 1; incoming.resume().on('end', () => { response.end('<html>') }) })
  before(async () => {
    anvil = await startAnvil()
    await anvil.rpc('anvil_setCode', [at, code])
    await anvil.rpc('anvil_setStorageAt', [at, '0x3', `0x${'5'.padStart(64, '0')}`])
    await anvil.mine(3)
    for (let n = 0; n < 3; n++) sent = await anvil.client.sendTransaction({ account: anvil.accounts[0]!, chain: anvil.chain, to: at as `0x${string}`, gas: 100_000n }).then((hash) => anvil.client.mine({ blocks: 1 }).then(() => hash))
    block = await anvil.rpc('eth_getBlockByNumber', ['latest', false]) as typeof block
    await new Promise<void>((resolve) => { broken.listen(0, '127.0.0.1', resolve) })
    service = await startService({ ETH_RPC_URL: `http://127.0.0.1:${(broken.address() as AddressInfo).port}/${secret},${anvil.url}/?token=${secret}`, ETH_CHAIN_ID: '31337' })
  })
  after(ending(() => service, () => anvil, () => ({ stop: () => { broken.closeAllConnections(); broken.close() } })))

  it('reads the state of a block that it names', async () => {
    const { body } = await service.call(`GET /v1/rpc/balance?address=${other.toUpperCase().replace('0X', '0x')}`)
    assert.equal(body.balance, BigInt(await anvil.rpc('eth_getBalance', [other, 'latest']) as string).toString())
    assert.deepEqual([body.address, body.block_number, body.block_hash, body._meta.sources], [other, 6, block.hash, ['node']])
    assert.equal((await service.call(`GET /v1/rpc/balance?address=${other}&block_number=0`)).body.balance, '10000000000000000000000')
    assert.deepEqual([(await service.call(`GET /v1/rpc/nonce?address=${miner}`)).body.nonce, (await service.call(`GET /v1/rpc/nonce?address=${miner}&block_number=1`)).body.nonce], ['4', '1'])
    const held = (await service.call(`GET /v1/rpc/code?address=${at}`)).body
    assert.deepEqual([held.code, held.size, held.is_contract], [code, (code.length - 2) / 2, true])
    assert.deepEqual((await service.call(`GET /v1/rpc/code?address=${other}`)).body.is_contract, false)
    // A delegation (EIP-7702) is of an account with a key.
    const [delegated, delegation] = [`0x${'77'.repeat(20)}`, `0xef0100${'5'.repeat(40)}`]
    await anvil.rpc('anvil_setCode', [delegated, delegation])
    const account = (await service.call(`GET /v1/rpc/code?address=${delegated}`)).body
    assert.deepEqual([account.code, account.size, account.is_contract], [delegation, 23, false])
    assert.equal((await service.call(`GET /v1/rpc/storage?address=${at}&slot=0x3`)).body.value, `0x${'5'.padStart(64, '0')}`)
    const missing = await service.call(`GET /v1/rpc/balance?address=${other}&block_number=99`)
    assert.deepEqual([missing.status, missing.body.error.code], [404, 'NOT_FOUND'])
  })

  it('calls a contract, and tells a revert from a result', async () => {
    const done = (await service.call('POST /v1/rpc/call', { body: { to: at, data: '0x' } })).body
    assert.deepEqual([done.reverted, BigInt(done.result), done.block_number], [false, 42n, 6])
    const reverted = (await service.call('POST /v1/rpc/call', { body: { to: at, data: '0x01' } })).body
    assert.deepEqual([reverted.reverted, reverted.result], [true, '0xdeadbeef'])
    for (const body of [{ to: at, data: `0x${'00'.repeat(8_193)}` }, { to: at, data: '0x', gas: 10_000_001 }, { to: at, data: '0x0' }]) assert.equal((await service.call('POST /v1/rpc/call', { body })).status, 422)
  })

  it('gives transactions, receipts, headers and fees', async () => {
    const { transaction } = (await service.call(`GET /v1/rpc/transaction?tx_hash=${sent}`)).body
    assert.deepEqual([transaction.from, transaction.to, transaction.block_number, transaction.pending, transaction.value], [miner, at, 6, false, '0'])
    const { receipt } = (await service.call(`GET /v1/rpc/receipt?tx_hash=${sent}`)).body
    assert.deepEqual([receipt.succeeded, receipt.log_count, receipt.logs[0].topics, BigInt(receipt.logs[0].data)], [true, 1, [topic], 42n])
    const nothing = (await service.call(`GET /v1/rpc/receipt?tx_hash=${nowhere}`)).body
    assert.deepEqual([nothing.receipt, nothing._meta.empty], [null, gap])
    const unknown = (await service.call(`GET /v1/rpc/transaction?tx_hash=${nowhere}`)).body
    assert.deepEqual([unknown.transaction, unknown._meta.empty], [null, gap])
    const { header } = (await service.call('GET /v1/rpc/block')).body
    assert.deepEqual([header.hash, header.number, header.tx_count, header.state_root.length], [block.hash, 6, 1, 66])
    const beyond = (await service.call('GET /v1/rpc/block?block_number=99')).body
    assert.deepEqual([beyond.header, beyond._meta.empty], [null, gap])
    const fees = (await service.call('GET /v1/rpc/fee-history?blocks=3')).body
    assert.deepEqual(fees.blocks.map((one: { block_number: number }) => one.block_number), [4, 5, 6])
    assert.equal(fees.blocks[2].base_fee_per_gas, header.base_fee_per_gas)
    assert.match(fees.next_base_fee_per_gas, /^\d+$/)
  })

  it('pages through logs within bounds', async () => {
    const first = (await service.call(`GET /v1/rpc/logs?from_block=0&to_block=99&address=${at}&limit=2`)).body
    assert.deepEqual([first.count, first.has_more, first.logs.map((log: { block_number: number }) => log.block_number)], [2, true, [4, 5]])
    const next = (await service.call(`GET /v1/rpc/logs?from_block=0&to_block=99&address=${at}&limit=2&cursor=${encodeURIComponent(first.next_cursor)}`)).body
    assert.deepEqual([next.logs.map((log: { block_number: number }) => log.block_number), next.next_cursor, next.has_more], [[6], null, false])
    assert.equal((await service.call(`GET /v1/rpc/logs?from_block=0&to_block=9&topic0=${topic}`)).body.count, 3)
    for (const wrong of [`from_block=0&to_block=100&address=${at}`, `from_block=2&to_block=1&address=${at}`, 'from_block=0&to_block=1']) assert.equal((await service.call(`GET /v1/rpc/logs?${wrong}`)).status, 422)
    assert.equal((await service.call(`GET /v1/rpc/logs?from_block=0&to_block=9&address=${at}&cursor=x`)).body.detail.error, 'INVALID_CURSOR')
    const quiet = async (from: number, to: number) => { const { body } = await service.call(`GET /v1/rpc/logs?from_block=${from}&to_block=${to}&address=${other}`); return [body.count, body.head_block, body._meta.empty] }
    assert.deepEqual(await quiet(0, 6), [0, 6, { is_successful_empty: true, empty_reason: 'no_signal' }])
    assert.deepEqual([await quiet(5, 7), await quiet(90, 99)], [[0, 6, gap], [0, 6, gap]], 'the node has not got so far')
  })

  it('passes on reading methods only, with parameters that were looked at', async () => {
    const call = (method: string, params: unknown[] = [], chain = 'ETH'): Promise<Reply> => service.call('POST /v1/rpc', { body: { method, params, chain } })
    assert.equal((await call('eth_blockNumber')).body.result, '0x6')
    assert.equal((await call('eth_getBlockByNumber', [6])).body.result.hash, block.hash)
    assert.equal((await call('eth_blockNumber')).body._meta.empty, undefined)
    for (const method of ['eth_getBlockByHash', 'eth_getTransactionByHash', 'eth_getTransactionReceipt']) {
      const { body } = await call(method, [nowhere])
      assert.deepEqual([body.result, body._meta.empty], [null, gap], method)
    }
    const height = await anvil.rpc('eth_blockNumber')
    for (const method of ['eth_sendRawTransaction', 'eth_sendTransaction', 'eth_sign', 'debug_traceTransaction', 'debug_setHead', 'admin_peers', 'personal_unlockAccount', 'miner_stop', 'txpool_content', 'anvil_mine', 'evm_mine', 'eth_call', 'constructor', 'toString']) {
      const { status, body } = await call(method)
      assert.deepEqual([status, body.error.code, body.error.details[0].type], [422, 'VALIDATION_ERROR', 'method_refused'], method)
    }
    assert.equal(await anvil.rpc('eth_blockNumber'), height)
    for (const params of [[], ['0x1'], [other, '0x1', 'more'], [other, 'pending'], [{ toString: 1 }]]) assert.equal((await call('eth_getBalance', params)).status, 422, JSON.stringify(params))
    assert.equal((await call('eth_getBlockByNumber', ['latest', true])).status, 422)
    assert.deepEqual((await call('getblockcount', [], 'BTC')).body.error.code, 'NODE_NOT_CONFIGURED')
    assert.equal((await call('eth_blockNumber', [], 'HL')).body.detail.error, 'CHAIN_NO_BLOCKS')
  })

  it('says over MCP what it says over REST', async () => {
    const open = await session(`${service.api.url}/mcp`, service.agentKey)
    const tool = async (name: string, args: object) => (await post(`${service.api.url}/mcp`, open, { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name, arguments: args } })).body.result
    assert.equal((await tool('get_nonce', { address: miner })).structuredContent.nonce, '4')
    for (const [name, args] of [['get_receipt', { tx_hash: nowhere }], ['get_transaction', { tx_hash: nowhere }], ['get_block_raw', { block_number: 99 }], ['call_node', { method: 'eth_getBlockByHash', params: [nowhere] }]] as const) {
      const { is_successful_empty: settled, empty_reason: reason } = (await tool(name, args)).structuredContent
      assert.deepEqual({ is_successful_empty: settled, empty_reason: reason }, gap, name)
    }
    const refused = await tool('call_node', { method: 'eth_sendRawTransaction', params: ['0x00'] })
    assert.deepEqual([refused.isError, JSON.parse(refused.content[0].text).error.code], [true, 'VALIDATION_ERROR'])
    const none = await tool('call_node', { method: 'getblockcount', chain: 'BTC' })
    assert.deepEqual([none.isError, JSON.parse(none.content[0].text).error.code], [true, 'NODE_NOT_CONFIGURED'])
  })

  it('never tells where the node is, nor its words; without one it says so', async () => {
    let answer = ''
    const rude = createServer((incoming, response) => { incoming.resume().on('end', () => { response.setHeader('Content-Type', 'application/json').end(answer) }) })
    await new Promise<void>((resolve) => { rude.listen(0, '127.0.0.1', resolve) })
    const { port } = rude.address() as AddressInfo
    const one = await startService({ BTC_RPC_URL: `http://user:${secret}@127.0.0.1:${port}/${secret}` })
    const call = async (status: number, code: string): Promise<void> => {
      const { status: seen, body, text } = await one.call('POST /v1/rpc', { body: { method: 'getblockcount', chain: 'BTC' } })
      assert.deepEqual([seen, body.error.code], [status, code])
      if (status === 422) assert.deepEqual([typeof body.error.hint, body.error.details], ['string', [{ type: code.toLowerCase(), loc: ['body'], msg: body.error.message }]])
      assert.ok(!text.includes(secret) && !text.includes(String(port)), text)
    }
    answer = JSON.stringify({ id: 1, result: null, error: { code: -32000, message: `bad project ${secret}` } })
    await call(422, 'NODE_REFUSED')
    answer = JSON.stringify({ id: 1, result: `0x${'00'.repeat(3 * 1024 * 1024)}` })
    await call(422, 'RESULT_TOO_LARGE')
    answer = JSON.stringify({ id: 1, result: 'a\u202e name', error: null })
    assert.equal((await one.call('POST /v1/rpc', { body: { method: 'getblockcount', chain: 'BTC' } })).body.result, 'a name')
    // Of a text nothing is cut: the script that spends from two of three is longer than 500 characters.
    const asm = `0 ${'30'.repeat(72)}[ALL] ${'31'.repeat(71)}[ALL] ${'52'.repeat(105)}`
    answer = JSON.stringify({ id: 1, result: { vin: [{ scriptSig: { asm } }], [`${'n'.repeat(60)}\u202e`]: 1 }, error: null })
    assert.deepEqual((await one.call('POST /v1/rpc', { body: { method: 'getrawtransaction', params: ['ab'.repeat(32)], chain: 'BTC' } })).body.result, { vin: [{ scriptSig: { asm } }], ['n'.repeat(60)]: 1 })
    answer = JSON.stringify({ id: 1, result: null, error: null })
    const emptyOf = async (method: string, params: unknown[]) => (await one.call('POST /v1/rpc', { body: { method, params, chain: 'BTC' } })).body._meta.empty
    assert.deepEqual(await emptyOf('gettxout', ['ab'.repeat(32), 0]), { is_successful_empty: true, empty_reason: 'no_signal' })
    assert.deepEqual(await emptyOf('getblockheader', ['ab'.repeat(32)]), gap)
    answer = `<html>${secret}`
    await call(503, 'UPSTREAM_UNAVAILABLE')
    await new Promise((resolve) => { rude.close(resolve); rude.closeAllConnections() })
    await call(503, 'UPSTREAM_UNAVAILABLE')
    assert.equal((await one.call(`GET /v1/rpc/balance?address=${miner}&chain=BTC`)).status, 422)
    const { status, body } = await one.call(`GET /v1/rpc/balance?address=${miner}`)
    assert.deepEqual([status, body.error.code], [404, 'NODE_NOT_CONFIGURED'])
    await one.stop()
  })

  it('asks another node where one does not answer, and the silent one last for a while', async () => {
    const before = asked
    assert.ok(before > 0)
    assert.equal((await service.call('GET /v1/rpc/block')).status, 200)
    assert.ok(asked - before <= 1)
  })

  it('bounds what one caller has under way', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => service.call(`GET /v1/rpc/balance?address=${miner}`)))
    const seen = answers.map(({ status }) => status)
    for (const { status, headers } of answers) if (status === 429) isRefusal(headers, 'node_questions_at_once', 4)
    assert.ok(seen.includes(200) && seen.every((status) => status === 200 || status === 429), seen.join())
    assert.equal((await service.call(`GET /v1/rpc/balance?address=${miner}`)).status, 200)
  })

  it('gives all logs of a receipt that has more than one answer holds, each once', async () => {
    await anvil.rpc('anvil_setCode', [talkative, talk])
    const hash = await anvil.client.sendTransaction({ account: anvil.accounts[0]!, chain: anvil.chain, to: talkative as `0x${string}`, gas: 500_000n })
    await anvil.client.mine({ blocks: 1 })
    const every = Array.from({ length: 130 }, (_, nth) => nth), said = (logs: readonly { data: string }[]): number[] => logs.map(({ data }) => Number(data))
    const part = async (offset: string): Promise<Reply> => service.call(`GET /v1/rpc/receipt?tx_hash=${hash}${offset}`)
    const [first, rest] = [(await part('')).body.receipt, (await part('&offset=100')).body.receipt]
    assert.deepEqual([first.log_count, said(first.logs), rest.log_count, said(rest.logs)], [130, every.slice(0, 100), 130, every.slice(100)])
    assert.deepEqual([(await part('')).body.has_more, (await part('&offset=100')).body.has_more], [true, false])
    const beyond = await part('&offset=130')
    assert.deepEqual([beyond.status, beyond.body.error.details[0].loc], [422, ['query', 'offset']])
    // Cut to what an agent reads next goes on; to what one answer holds, offset does, as over REST.
    const open = await session(`${service.api.url}/mcp`, service.agentKey)
    for (const tokens of [2_000, 20_000]) {
      const seen: number[] = []
      let calls = 0
      for (let asked: object | undefined = { tx_hash: hash }; asked !== undefined; calls += 1) {
        const { structuredContent: told }: any = (await post(`${service.api.url}/mcp?max_tokens=${tokens}`, open, { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'get_receipt', arguments: asked } })).body.result
        seen.push(...said(told.receipt.logs))
        const { truncated } = told._meta
        assert.ok(calls < 60 && told.receipt.log_count === 130)
        assert.deepEqual([truncated?.field ?? 'receipt.logs', told.has_more], ['receipt.logs', seen.length < 130])
        asked = truncated?.next?.arguments ?? (told.has_more ? { tx_hash: hash, offset: seen.length } : undefined)
      }
      assert.deepEqual([seen, calls > 1], [every, true], `${tokens}`)
    }
  })
})
