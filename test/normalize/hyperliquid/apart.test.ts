/** A trade whose two fills, or whose two tellings, come apart: what stands hangs on the order of segments, not on how they were batched. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { stateDigest } from '../../../stages/digest/digest.js'
import { digest, insertHeard, message, type Heard } from '../../support/hyperliquid.js'
import { freshStore } from '../../support/servers.js'

const [buyer, seller] = ['11', '22'].map((byte) => `0x${byte.repeat(20)}`) as [string, string]
const hash = `0x${'ab'.repeat(32)}`, now = Math.floor(Date.now() / 1_000) * 1_000 - 60_000
const fill = (account: string, tid: number): string => JSON.stringify([account, { coin: 'BTC', px: '100.0', sz: '2.0', side: account === buyer ? 'B' : 'A', time: now + tid, startPosition: '0.0', dir: 'Open Long', closedPnl: '0.0', hash, oid: tid, crossed: account === buyer, fee: '1.0', tid, feeToken: 'USDC' }])
const file = (...lines: string[]): Heard => ({ kind: 'node_fills', payload: lines.join('\n'), at: now + 1_000 })
const trade = (tid: number): Heard => message('trades', [{ coin: 'BTC', side: 'B', px: '100.0', sz: '2.0', time: now + tid, hash, tid, users: [buyer, seller] }], {}, now + 2_000)
/** The same trade as a node's file of trades tells it: without an id. */
const unnamed = (tid: number): Heard => ({ kind: 'node_trades', at: now + 3_000, payload: JSON.stringify({ coin: 'BTC', side: 'B', time: new Date(now + tid).toISOString().replace('Z', ''), px: '100.0', sz: '2.0', hash, trade_dir_override: 'Na', side_info: [buyer, seller].map((user) => ({ user, start_pos: '0.0', oid: tid, twap_id: null, cloid: null })) }) })

/** Trades by tid: 1 apart, 2 apart and repeated, 3 in one segment, 4 half heard; 5 apart with the stream's telling in between; 6 without an id first, 7 with one first, 8 both in one segment. */
const segments: readonly (readonly Heard[])[] = [
  [file(fill(buyer, 1), fill(seller, 2), fill(buyer, 3), fill(seller, 3), fill(buyer, 4), fill(buyer, 5)), unnamed(6), trade(7), unnamed(8), trade(8)],
  [file(fill(seller, 2), fill(seller, 1)), trade(5)],
  [file(fill(buyer, 2), fill(buyer, 1), fill(seller, 5)), trade(6), unnamed(7)],
  [file(fill(buyer, 1), fill(seller, 1), fill(buyer, 2), fill(buyer, 4))],
]
const batchings: readonly (readonly (readonly [number, number])[])[] = [[[1, 4]], [[1, 1], [2, 2], [3, 3], [4, 4]], [[1, 2], [3, 4]], [[1, 1], [2, 4]], [[1, 3], [4, 4]]]

const rows = async (store: Store): Promise<string[]> => (await store.query("SELECT concatWithSeparator(' ', toUnixTimestamp64Milli(time) - {now:Int64}, block_number, source, tid != 0, toString(side), toString(px), toString(sz), lower(hex(buyer)) = {buyer:String}, lower(hex(seller)) = {seller:String}, toUnixTimestamp64Milli(heard_at) - {now:Int64}) AS text FROM hl_trades ORDER BY time, tid", { now, buyer: buyer.slice(2), seller: seller.slice(2) }, z.object({ text: z.string() }))).map(({ text }) => text)

describe('a trade that is heard in parts', function () {
  this.timeout(240_000)
  const stores: Store[] = []
  before(async () => {
    for (const batches of batchings) {
      const { store } = await freshStore()
      for (const [index, segment] of segments.entries()) await insertHeard(store, index + 1, segment)
      for (const [from, to] of batches) await digest(store, from, to)
      stores.push(store)
    }
  })

  it('stands once, where the later of its fills was heard first; half a trade is none', async () => {
    const known = (await rows(stores[0]!)).map((text) => text.split(' ').slice(0, 4).filter((_, place) => place !== 2).join(' '))
    assert.deepEqual(known, ['1 2 1', '2 3 1', '3 1 1', '5 2 1', '6 1 0', '7 1 1', '8 1 1'])
  })

  it('is the same row however the segments were batched', async () => {
    const [whole, ...others] = await Promise.all(stores.map(rows))
    for (const [index, one] of others.entries()) assert.deepEqual(one, whole, JSON.stringify(batchings[index + 1]))
    const digests = await Promise.all(stores.map(async (store) => (await stateDigest(store, 'HL', 4)).digest))
    assert.equal(new Set(digests).size, 1)
  })

  it('and when a batch is done again', async () => {
    const [whole] = await Promise.all([rows(stores[0]!)])
    await digest(stores[1]!, 2, 2, true)
    await digest(stores[1]!, 3, 3, true)
    assert.deepEqual(await rows(stores[1]!), whole)
  })
})
