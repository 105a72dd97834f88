import assert from 'node:assert/strict'
import type { Store } from '../../../schemas/clickhouse.js'
import { recordedBitcoin } from '../../../scripts/replay-node/bitcoin/chain.js'
import { freshStore } from '../../support/servers.js'
import { batchOf, landed, open, startNode, stopAll } from './support.js'

describe('recorded blocks of Bitcoin', function () {
  this.timeout(60_000)
  const chain = recordedBitcoin()
  const singles = [277_647, 426_884, 482_683, 514_485, 540_107, 574_200]
  let store: Store
  before(async () => { ({ store } = await freshStore()) })
  afterEach(stopAll)

  for (const [name, serves, calls] of [
    ['by REST, with the spent outputs that are known', {}, ['rest/block', 'rest/spenttxouts']], ['by getblock as bytes, where there is no REST', { rest: false }, ['getblock']], ['by REST without spent outputs, on an older node', { spent: false }, ['rest/block']],
  ] as const) {
    it(`land byte for byte ${name}`, async () => {
      const node = await startNode({ serves, auth: 'user:tide-table' })
      const { source, context } = open(store, [node.url.replace('http://', 'http://user:tide-table@')])
      for (const height of singles) {
        const batch = await batchOf(source, height)
        await source.ingest(batch, context)
        const rows = await landed(store, batch)
        const spent = 'rest' in serves || 'spent' in serves ? '' : chain.spent(height)?.toString('hex') ?? ''
        assert.deepEqual(rows.map((row) => ({ ...row, payload: row.payload === chain.block(height).toString('hex'), spent: row.spent === spent })), [{
          number: height, kind: 'btc_raw', hash: chain.hashOf(height) ?? '', parent: Buffer.from(chain.block(height).subarray(4, 36)).reverse().toString('hex'), payload: true, spent: true, endpoint: `${new URL(node.url).host}#0`,
        }])
      }
      assert.deepEqual(Object.keys((node.control.state() as { calls: object }).calls).filter((call) => /^rest|^getblock$/.test(call)).sort(), [...calls])
    })
  }

  it('land as a range, each on the one below, with what blocks of the range spend', async () => {
    const { source, context } = open(store, [(await startNode()).url])
    const batch = await batchOf(source, 1, 255)
    const outcome = await source.ingest(batch, context)
    const rows = await landed(store, batch)
    assert.deepEqual([outcome.rows, rows.length], [255, 255])
    assert.ok(rows.every((row, index) => index === 0 || row.parent === rows[index - 1]?.hash))
    // The first payment between people: block 170 spends an output of block 9.
    const coins = rows[169]?.spent ?? ''
    assert.equal(coins.slice(0, 6), '020001')
    assert.equal(coins.slice(6, 22), '00f2052a01000000')
    assert.equal((await source.ingest(batch, { ...context, again: true })).bytes, 0)
  })

  it('land as JSON, byte for byte as the node wrote it, from nodes that give nothing else', async () => {
    for (const [highest, height] of [[3, 277_647], [2, 482_683]] as const) {
      const node = await startNode({ serves: { rest: false, lowest: 1, highest } })
      const { source, context } = open(store, [node.url])
      const batch = await batchOf(source, height)
      await source.ingest(batch, context)
      const [row] = await landed(store, batch)
      assert.equal(row?.kind, 'btc_json')
      const direct = await fetch(node.url, { method: 'POST', body: JSON.stringify({ jsonrpc: '1.0', id: 1, method: 'getblock', params: [chain.hashOf(height), 3] }) })
      assert.ok(Buffer.from(row.payload, 'hex').equals(Buffer.from(await direct.arrayBuffer())))
    }
  })

  it('land by getblock from then on when a node was started anew without REST, and nobody saw it gone', async () => {
    const before = await startNode()
    const { source, context } = open(store, [before.url])
    await source.ingest(await batchOf(source, 482_683), context)
    const again = await batchOf(source, 277_647)
    await before.close()
    const after = await startNode({ serves: { rest: false }, port: Number(new URL(before.url).port) })
    await source.ingest(again, context)
    assert.deepEqual((await landed(store, again)).map(({ number, kind, spent }) => [number, kind, spent]), [[277_647, 'btc_raw', '']])
    assert.ok('getblock' in (after.control.state() as { calls: object }).calls)
  })

  it('land in the shape that is asked for, or not at all', async () => {
    const node = await startNode({ serves: { rest: false } })
    const [json, rest] = [open(store, [node.url], { BTC_BLOCKS: 'json' }), open(store, [node.url], { BTC_BLOCKS: 'rest' })]
    const batch = await batchOf(json.source, 482_683)
    await json.source.ingest(batch, json.context)
    assert.deepEqual((await landed(store, batch)).map(({ kind }) => kind), ['btc_json'])
    await assert.rejects(rest.source.ingest(await batchOf(rest.source, 482_683), rest.context), /serves no blocks by REST/)
  })

  it('no node and no password shows in what goes wrong', async () => {
    const node = await startNode({ auth: 'user:tide-table' })
    const { source } = open(store, [node.url.replace('http://', 'http://user:not-the-tide-table@')])
    await assert.rejects(source.head(), (thrown: Error) => /127\.0\.0\.1:\d+#0: getblockhash: HTTP 401/.test(thrown.message) && !/not-the-tide-table/.test(`${thrown.stack ?? ''}${JSON.stringify(thrown)}`))
  })
})
