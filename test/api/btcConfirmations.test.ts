/** How deep a flow of Bitcoin lies, by what is known of the head, on a recorded block. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { fillBitcoin } from './support/bitcoin.js'
import { startService, type Service } from './support/service.js'

const height = 482_683

describe('confirmations of flows of Bitcoin', function () {
  this.timeout(60_000)
  let service: Service, asked = 0
  before(async () => {
    service = await startService()
    await fillBitcoin(service.store, [height])
  })
  after(() => service.stop())
  /** Answers are kept for seconds, and heads for one: another span is another question. */
  const flows = async (): Promise<any[]> => { asked += 1; return (await service.call(`GET /v1/feed/btc/recent?min_btc=0&hours=${asked}`)).body }
  const seen = async (number: number): Promise<void> => {
    await service.store.insert('heads', [{ chain: 'BTC', number, hash: 'x', block_time: new Date().toISOString(), finalized: Math.max(0, number - 6), endpoint: 'node', observed_at: new Date().toISOString() }])
    await new Promise((resolve) => setTimeout(resolve, 1_100))
  }
  const told = async (): Promise<unknown> => { const all = await flows(); return [all.length, [...new Set(all.map(({ confirmations }) => confirmations))]] }

  it('are not known while the head is not', async () => { assert.deepEqual(await told(), [12, [null]]) })

  it('count the block itself and all that stand on it', async () => {
    await seen(height)
    assert.deepEqual(await told(), [12, [1]], 'a block is its first confirmation')
    await seen(height + 2)
    assert.deepEqual(await told(), [12, [3]])
  })

  it('are one at the least, also where the chain has gone back below a block that is still there', async () => {
    await seen(height - 1)
    assert.deepEqual(await told(), [12, [1]])
  })

  it('what has none is not there: the feed is of indexed blocks, whatever the head is', async () => {
    await seen(height + 5)
    const all = await flows()
    assert.deepEqual([...new Set(all.map(({ block_number: number, confirmations }) => `${number} ${confirmations}`))], [`${height} 6`])
    const [row] = await service.store.query("SELECT count() AS txs FROM btc_transactions WHERE chain = 'BTC'", {}, z.object({ txs: z.coerce.number() }))
    assert.equal(all.length, row?.txs)
  })
})
