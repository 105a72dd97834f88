/** Detectors on known CoinJoins of the chain. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { insertBlocks } from '../../support/btcLedger.js'
import { knownCoinjoins as known, sideOf, txOf } from '../../support/coinjoins.js'
import { freshStore } from '../../support/servers.js'

const sql = loadSql(new URL('../../../stages/index/bitcoin/x', import.meta.url).href, 'coinjoins.sql')
describe('known CoinJoins', function () {
  this.timeout(60_000)

  it('are whole: what they bring is what they pay and a fee', () => {
    const fees = known.map(({ txid, ins, outs }) => [txid.slice(0, 8), sideOf('', ins).reduce((sum, { value }) => sum + value, 0) - sideOf('', outs).reduce((sum, { value }) => sum + value, 0)])
    assert.deepEqual([...fees.slice(0, 3), ...fees.slice(4)], [['323df21f', 30_000], ['4f112abd', 1_290], ['6cb2433f', 4_538], ['0cb4870c', 10_982], ['8e563173', 60_000], ['015d9cf0', 72_364]])
    assert.deepEqual(known.map(({ ins, outs }) => [ins.split(' ').length, outs.split(' ').length]), [[5, 5], [2, 4], [23, 19], [326, 279], [12, 21], [2, 4], [9, 4]])
  })

  it('are found, three of JoinMarket by the shape that every CoinJoin has: the change of one is too near its input, and two have no change for their taker; what looks like one of JoinMarket is taken for one', async () => {
    const { store } = await freshStore()
    await insertBlocks(store, known.map((one) => ({ number: one.block, txs: [txOf(one)] })))
    await store.execute(sql, { chain: 'BTC', from: 0, to: 10_000_000, generation: 0 })
    const found = await store.query('SELECT lower(hex(txid)) AS txid, detector, confidence FROM btc_coinjoins', {}, z.object({ txid: z.string(), detector: z.string(), confidence: z.number() }))
    assert.deepEqual(known.map(({ txid }) => { const one = found.find((row) => row.txid === txid); return [txid, one?.detector, one?.confidence] }), known.map(({ txid, detector, confidence }) => [txid, detector, confidence]))
  })
})
