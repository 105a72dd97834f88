/** JSON of a real node of Bitcoin Core's family: all of its blocks are right, and another amount is not. */
import assert from 'node:assert/strict'
import { litecoinRegtest, startLitecoin, type Litecoin } from '../../../scripts/simulate/litecoin.js'
import { ending } from '../../support/endings.js'
import { freshStore } from '../../support/servers.js'
import { checkJson } from '../../../stages/ingest/bitcoin/checkJson.js'
import { openEndpoint } from '../../../stages/ingest/bitcoin/endpoint.js'
import { batchOf, landed, open, stopAll } from './support.js'

describe('JSON of a real node', function () {
  this.timeout(120_000)
  let node: Litecoin
  before(async () => { node = await startLitecoin() })
  after(ending(() => ({ stop: stopAll }), () => node))

  it('lands from its first block on; with an amount that is a satoshi more a block is refused', async () => {
    await node.mine(105)
    for (let time = 0; time < 3; time += 1) await node.rpc('sendtoaddress', await node.rpc('getnewaddress'), 0.12345678)
    const [hash = ''] = await node.mine(1), { store } = await freshStore()
    const { source, context } = open(store, [node.url], { BTC_BLOCKS: 'json', BTC_CHECK_WORK: 'false', BTC_GENESIS: litecoinRegtest })
    const batch = await batchOf(source, 0, 106)
    await source.ingest(batch, context)
    assert.deepEqual((await landed(store, batch)).map(({ kind }) => kind), Array.from({ length: 107 }, () => 'btc_json'))
    const endpoint = openEndpoint(node.url, 0, { concurrency: 1, perSecond: 100, timeoutMs: 10_000 }), demand = { hash, work: false, easiest: null, mweb: true }
    try {
      const text = (await endpoint.data('getblock', [hash, 2])).bytes.toString('utf8')
      assert.equal(checkJson(Buffer.from(text), demand).problem, '')
      assert.match(checkJson(Buffer.from(text.replace('0.12345678', '0.12345679')), demand).problem, /^block: transaction \d is not the one of its hash$/)
    } finally { await endpoint.close() }
  })
})
