/** Labelled addresses of Bitcoin by what they moved, up to the newest block: all who pay a transaction are told with what each brought, and who pays with what came back. */
import assert from 'node:assert/strict'
import { indexWallets, insertPriced } from '../support/btcAnswered.js'
import { addressOf, idOf, type Block } from '../support/btcLedger.js'
import { startService, type Service } from './support/service.js'

const out = (name: string, coins: number) => ({ address: addressOf(name), value: Math.round(coins * 1e8), type: 'pubkeyhash' })
const mined: Block[] = [1, 2, 3, 4, 5, 6].map((number) => ({ number, txs: [{ coinbase: true, ins: [{ address: '', value: 0 }], outs: [out('main', 50)] }] }))
const paid: Block = { number: 7, txs: [
  { coinbase: true, ins: [{ address: '', value: 0 }], outs: [out('miner', 50)] },
  { ins: [out('main', 10), out('other', 4)], outs: [out('shop', 12), out('main', 1.9)] },
  { ins: [out('other', 1)], outs: [out('shop', 0.9)] },
] }
/** Of a bitcoin at 50,000 dollars: in, out, dollars in, dollars out. Blocks 1 to 5 are a segment; 6 and 7 are after it. */
const moved = { main: [7, 1, 15_095_000, 500_000], shop: [2, 0, 645_000, 0], other: [0, 2, 0, 250_000] } as const

describe('labelled addresses of Bitcoin', function () {
  this.timeout(120_000)
  let service: Service
  const get = async (path: string): Promise<any> => (await service.call(`GET /v1/${path}`)).body
  const sums = (one: any): unknown => [one.transfers_in, one.transfers_out, one.usd_in, one.usd_out]
  before(async () => {
    service = await startService()
    const { store } = service
    await store.insert('labels', Object.keys(moved).map((name) => (
      { chain: 'BTC', address: `0x${idOf(addressOf(name))}`, label: `a coin's ${name}`, entity: '', category: 'fund', source: 'register', confidence: 90, licence: 'MIT', valid_from: '2009-01-01T00:00:00Z', removed: false, version: 1 })))
    await store.execute('SYSTEM RELOAD DICTIONARY label_of')
    await insertPriced(store, [...mined, paid])
    await indexWallets(store, 7)
  })
  after(() => service.stop())

  it('have what they moved in the newest blocks, of one chain or of all', async () => {
    for (const query of ['chain=BTC&label=COIN', 'chain=BTC&classification=fund', 'chain=ALL&label=coin', 'chain=ALL&classification=fund&limit=3']) {
      const told = await get(`wallets?${query}`)
      assert.deepEqual(told.map((one: any) => [one.address, sums(one)]), Object.entries(moved).map(([name, sum]) => [addressOf(name), sum]), query)
      for (const one of told) {
        const { profile } = await get(`wallets/${one.address}`)
        assert.deepEqual([sums(one), one.first_seen, one.last_seen], [sums(profile), profile.first_seen, profile.last_seen])
      }
    }
  })
})
