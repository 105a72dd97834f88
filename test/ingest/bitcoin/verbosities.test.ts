/** Nodes that give blocks as JSON at verbosity 2 and refuse 3: found out once, and the rows are those of the bytes. */
import assert from 'node:assert/strict'
import type { Store } from '../../../schemas/clickhouse.js'
import { normalizeBitcoin, resolvingBitcoin } from '../../../stages/normalize/bitcoin/statements.js'
import { runStatements } from '../../../stages/stage.js'
import { addressesOf, facts, rowsOf } from '../../normalize/bitcoin/facts.js'
import { bare, old } from '../../normalize/bitcoin/olderJson.js'
import { bitcoinContext, seedBitcoin } from '../../support/bitcoin.js'
import { freshStore } from '../../support/servers.js'
import { batchOf, landed, open, startNode, stopAll } from './support.js'

describe('a node of Bitcoin that refuses verbosity 3', function () {
  this.timeout(60_000)
  const heights = [277_647, 482_683, 540_107]
  let bytes: Store
  before(async () => {
    bytes = (await freshStore()).store
    await seedBitcoin(bytes, heights)
  })
  afterEach(stopAll)

  // Nodes say in different ways that they do not know a parameter.
  for (const [shape, writes, refusal] of [['an address', bare, -8], ['a list of addresses', old, -1]] as const) {
    it(`with ${refusal} is asked at 2 from then on; where outputs have ${shape}, the rows are the same`, async () => {
      const node = await startNode({ serves: { rest: false, lowest: 1, highest: 2, refusal, writes } })
      const { store } = await freshStore()
      const { source, context } = open(store, [node.url])
      const calls: number[] = []
      for (const height of heights) {
        const batch = await batchOf(source, height)
        await source.ingest(batch, context)
        const [row] = await landed(store, batch)
        assert.deepEqual([row?.kind, row?.spent], ['btc_json', ''])
        assert.equal(Buffer.from(row?.payload ?? '', 'hex').includes('"addresses":["'), writes === old)
        for (const statements of [normalizeBitcoin, Object.values(resolvingBitcoin)]) await runStatements(statements, batch, bitcoinContext(store))
        calls.push((node.control.state() as { calls: { getblock: number } }).calls.getblock)
      }
      assert.deepEqual(calls, [3, 4, 5], 'bytes and verbosity 3 are tried for the first block alone')
      for (const height of heights) for (const table of facts) assert.deepEqual(await rowsOf(store, table, height), await rowsOf(bytes, table, height), `${table} of ${height}`)
      assert.deepEqual(await addressesOf(store), await addressesOf(bytes))
    })
  }

  it('because it is starting up is not taken for one that does not know it', async () => {
    const node = await startNode({ serves: { rest: false, lowest: 1, highest: 2, refusal: -28 } })
    const { store } = await freshStore()
    const { source, context } = open(store, [node.url])
    const batch = await batchOf(source, 482_683)
    await assert.rejects(source.ingest(batch, context), (thrown: { code?: string; retry?: string }) => thrown.code === 'RPC_DOWN' && thrown.retry === 'wait')
    assert.deepEqual(await landed(store, batch), [])
  })
})
