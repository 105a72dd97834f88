/** The top of Bitcoin where more addresses moved the same than one look would hold: a payout to thousands. */
import assert from 'node:assert/strict'
import { indexWallets, insertPriced } from '../support/btcAnswered.js'
import { addressOf } from '../support/btcLedger.js'
import { startService, type Service } from './support/service.js'

const paid = 1_200, few = 3, nameOf = (nth: number): string => addressOf(String(nth))

describe('the top of Bitcoin among equals', function () {
  this.timeout(120_000)
  let service: Service
  before(async () => {
    service = await startService()
    await insertPriced(service.store, [{ number: 1, txs: [
      { coinbase: true, ins: [{ address: '', value: 0 }], outs: [{ address: nameOf(0), value: 5_000_000 }] },
      { ins: [{ address: addressOf('payer'), value: 2_000_000 * paid }], outs: [...Array.from({ length: paid }, (_, nth) => ({ address: nameOf(nth + 1), value: 1_000_000 })), ...Array.from({ length: few }, (_, nth) => ({ address: nameOf(paid + nth + 1), value: 1_000 }))] },
    ] }])
    await indexWallets(service.store, 1)
  })
  after(() => service.stop())

  it('goes on to the last, each address once', async () => {
    const seen: string[] = [], ranks: number[] = []
    for (let next = ''; ;) {
      const { status, body, headers } = await service.call(`GET /v1/wallets/top/BTC?limit=100${next}`)
      assert.equal(status, 200)
      seen.push(...body.map((one: any) => one.address))
      ranks.push(...body.map((one: any) => one.volume_usd))
      const cursor = headers.get('x-next-cursor')
      if (cursor === null) break
      next = `&cursor=${cursor}`
    }
    assert.deepEqual([seen.length, new Set(seen).size, ranks.slice(-few)], [paid + few + 2, paid + few + 2, Array.from({ length: few }, () => 0.5)])
    assert.deepEqual(ranks, [...ranks].sort((a, b) => b - a))
  })
})
