/** Lists of all chains by time: a block that arrives on a chain of which nothing was shown yet changes no page. */
import assert from 'node:assert/strict'
import { seed } from './support/seed.js'
import { startService } from './support/service.js'

describe('pages of all chains by time', () => {
  it('/v1/whales/recent: hold nothing newer than the page before them', async function () {
    this.timeout(90_000)
    const service = await startService()
    try {
      await seed(service.store, 100, 5)
      const copy = (of: number, number: number, seconds: number) => service.store.execute(`INSERT INTO transfers SELECT * REPLACE ('BTC' AS chain, {number:UInt64} AS block_number, t.block_time + toIntervalSecond({seconds:Int64}) AS block_time)
        FROM transfers AS t WHERE t.chain = 'ETH' AND t.block_number = {of:UInt64} AND t.kind = 'native'`, { of, number, seconds })
      await copy(100, 800, 1)
      const rows: { chain: string; block_number: number; timestamp: string }[] = []
      let next: string | null = ''
      while (next !== null) {
        const { status, body } = await service.call(`GET /v1/whales/recent?chain=ALL&limit=2${next === '' ? '' : `&cursor=${next}`}`)
        assert.equal(status, 200)
        rows.push(...body.whales)
        if (next === '') await copy(104, 801, 5)
        next = body.next_cursor
      }
      assert.deepEqual(rows.map(({ timestamp }) => timestamp), rows.map(({ timestamp }) => timestamp).sort().reverse())
      assert.deepEqual(rows.filter(({ chain }) => chain === 'BTC').map((row) => row.block_number), [800])
    } finally { await service.stop() }
  })
})
