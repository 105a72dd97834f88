import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Store } from '../../../schemas/clickhouse.js'
import { recordedBitcoin } from '../../../scripts/replay-node/bitcoin/chain.js'
import { relinkedChain } from '../../../scripts/replay-node/bitcoin/relinked.js'
import type { Faults } from '../../../scripts/replay-node/faults.js'
import { openEndpoint } from '../../../stages/ingest/bitcoin/endpoint.js'
import { checkBlock } from '../../../stages/ingest/bitcoin/checkBlock.js'
import { sha256d, shown } from '../../../stages/normalize/bitcoin/decodeBlock.js'
import { freshStore } from '../../support/servers.js'
import { batchOf, landed, open, small, startNode, stopAll } from './support.js'

const withoutWork = { BTC_CHECK_WORK: 'false' }

describe('what a node of Bitcoin gives', function () {
  this.timeout(60_000)
  let store: Store
  before(async () => { ({ store } = await freshStore()) })
  afterEach(stopAll)

  const refused: readonly (readonly [keyof Faults, RegExp])[] = [
    ['flipped', /block 102?\d+: (block: (its transactions|another block|.*announced|more bytes|a transaction|other witnesses)|spent)/], ['shortBlock', /block: truncated/], ['otherBlock', /block: another block/], ['missingSpent', /spent outputs: truncated/],
    ['truncated', /./], ['rpcError', /internal error/], ['http500', /HTTP 500/], ['http429', /HTTP 429/],
  ]
  for (const [fault, reason] of refused) {
    it(`${fault}: is refused with endpoint and reason, nothing lands; another endpoint is asked at once`, async () => {
      const good = await startNode({ relink: small })
      const bad = await startNode({ relink: small })
      const { source, context } = open(store, [bad.url, good.url], withoutWork)
      const batch = await batchOf(source, small.from + 1, small.from + 4)
      const alone = open(store, [bad.url], withoutWork)
      const alike = await batchOf(alone.source, small.from + 1, small.from + 4)
      // The hash of block 0 was right: what is spoilt from now on is not the chain but its answers.
      bad.control.change({ faults: { [fault]: 1 } })
      await assert.rejects(alone.source.ingest(alike, alone.context), (thrown: Error & { endpoint?: string }) => reason.test(thrown.message) && thrown.endpoint === `${new URL(bad.url).host}#0`)
      assert.deepEqual(await landed(store, alike), [])
      await source.ingest(batch, context)
      assert.deepEqual((await landed(store, batch)).map(({ number, endpoint }) => [number, endpoint.at(-1)]), [1, 2, 3, 4].map((offset) => [small.from + offset, '1']))
    })
  }

  it('of another network is not used, and is named', async () => {
    const other = await startNode({ relink: small, faults: { wrongChainId: 1 } })
    const alone = open(store, [other.url], withoutWork)
    await assert.rejects(alone.source.head(), /127\.0\.0\.1:\d+#0 is on the chain of block 0f9188f1[0-9a-f]+, not of 000000000019d668/)
    const { source, context } = open(store, [other.url, (await startNode({ relink: small })).url], withoutWork)
    const batch = await batchOf(source, small.from)
    await source.ingest(batch, context)
    assert.deepEqual((await landed(store, batch)).map(({ endpoint }) => endpoint.at(-1)), ['1'])
  })

  it('without proof of work is refused, unless it was said that there is none', async () => {
    const { source, context } = open(store, [(await startNode({ relink: small })).url])
    const batch = await batchOf(source, small.from)
    await assert.rejects(source.ingest(batch, context), /block 100000: block: without the work it claims/)
    assert.deepEqual(await landed(store, batch), [])
  })

  it('by redirect is not followed: the password goes nowhere else', async () => {
    const asked: string[] = []
    const thief = createServer((request, response) => { asked.push(String(request.headers.authorization)); response.end('{}') })
    const sender = createServer((_, response) => { response.writeHead(307, { location: `http://127.0.0.1:${(thief.address() as AddressInfo).port}/` }); response.end() })
    await Promise.all([thief, sender].map((server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))))
    try {
      const { source } = open(store, [`http://user:tide-table@127.0.0.1:${(sender.address() as AddressInfo).port}`])
      await assert.rejects(source.head(), /HTTP 307/)
      assert.deepEqual(asked, [])
    } finally { for (const server of [thief, sender]) { server.close(); server.closeAllConnections() } }
  })

  it('without end, or longer than it may be, is refused with a clear word and read no further', async () => {
    let sent = 0
    const endless = createServer((request, response) => {
      const chunk = Buffer.alloc(65_536, 32)
      response.on('error', () => undefined)
      if (request.url === '/rest/declared') { response.writeHead(200, { 'content-length': String(2 ** 40) }); response.write(chunk); return }
      const go = (): void => { while (!response.destroyed && sent < 64 * 1024 * 1024) { sent += chunk.length; if (!response.write(chunk)) { response.once('drain', go); return } } response.end() }
      response.writeHead(200, { 'content-type': 'application/json' })
      go()
    })
    await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve))
    const url = `http://user:tide-table@127.0.0.1:${(endless.address() as AddressInfo).port}`
    const wire = openEndpoint(url, 0, { concurrency: 2, perSecond: 100, timeoutMs: 10_000, maxBytes: 1_000_000 })
    const whole = openEndpoint(url, 0, { concurrency: 2, perSecond: 100, timeoutMs: 10_000 })
    try {
      await assert.rejects(wire.data('getblock', ['00', 2]), /getblock: the answer is larger than 1000000 bytes$/)
      await assert.rejects(wire.rest('/rest/declared'), /\/rest\/declared: the answer is larger than 1000000 bytes$/)
      sent = 0
      await assert.rejects(whole.rpc('getblockchaininfo'), /getblockchaininfo: the answer is larger than 4194304 bytes$/)
      assert.ok(sent < 64 * 1024 * 1024, 'it was read to the end')
    } finally { await Promise.all([wire.close(), whole.close()]); endless.close(); endless.closeAllConnections() }
  })

  it('is told apart bit by bit: no bit of a block may be another', () => {
    const block = recordedBitcoin().block(482_683), hash = recordedBitcoin().hashOf(482_683) ?? ''
    const demand = { hash, work: true, easiest: 0x1d00ffff, mweb: false }
    assert.equal(checkBlock(block, Buffer.alloc(0), demand).problem, '')
    for (let at = 0; at < block.length; at += 1) {
      block[at] = (block[at] ?? 0) ^ 4
      assert.notEqual(checkBlock(block, Buffer.alloc(0), demand).problem, '', `byte ${at}`)
      block[at] = (block[at] ?? 0) ^ 4
      if (at % 97 === 0) assert.notEqual(checkBlock(block.subarray(0, at), Buffer.alloc(0), demand).problem, '', `${at} bytes`)
    }
    assert.match(checkBlock(Buffer.concat([block, Buffer.alloc(1)]), Buffer.alloc(0), demand).problem, /more bytes/)
  })

  it('with an easier target than the chain ever had is refused, however well it is met', () => {
    const block = Buffer.from(relinkedChain({ ...small, count: 1 }).block(small.from))
    block.writeUInt32LE(0x207fffff, 72)
    const hash = shown(sha256d(block.subarray(0, 80)))
    assert.match(checkBlock(block, Buffer.alloc(0), { hash, work: true, easiest: 0x1d00ffff, mweb: false }).problem, /less work than any block/)
  })
})
