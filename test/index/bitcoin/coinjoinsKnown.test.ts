/** Detectors on known CoinJoins of the chain. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { coinbase, madeRaw, makeBlock } from '../../normalize/bitcoin/madeUp.js'
import { insertBlocks } from '../../support/btcLedger.js'
import { normalizeAnswers } from '../../support/bitcoin.js'
import { bytesOf, knownCoinjoins as known, sideOf, txOf, wholeCoinjoins as whole } from '../../support/coinjoins.js'
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
  it('of Wasabi 1 and JoinMarket are read from their bytes and found by detectors of their own; one of JoinMarket without change for its taker by the shape alone', async () => {
    const { store } = await freshStore()
    const blocks = whole.map((one) => ({ number: one.block, ...makeBlock(one.block, [coinbase(Buffer.from('a block that is made up'), []), bytesOf(one)]) }))
    assert.deepEqual(whole.map(({ version }, index) => version === null || blocks[index]?.txids[1]).filter((one) => one !== true), whole.filter(({ version }) => version !== null).map(({ txid }) => txid))
    await normalizeAnswers(store, blocks.map((block) => madeRaw(block.number, block)))
    await store.execute(sql, { chain: 'BTC', from: 0, to: 10_000_000, generation: 1 })
    const Row = z.object({ block: z.coerce.number(), detector: z.string(), confidence: z.number(), others: z.array(z.string()), denomination: z.coerce.number(), equal: z.number(), inputs: z.number(), outputs: z.number(), fee: z.coerce.number() })
    const found = await store.query(`SELECT c.block_number AS block, detector, confidence, others, denomination, equal_outputs AS equal, t.input_count AS inputs, t.output_count AS outputs, t.fee AS fee
      FROM btc_coinjoins AS c INNER JOIN btc_transactions AS t ON t.block_number = c.block_number AND t.tx_index = c.tx_index ORDER BY block`, {}, Row)
    assert.deepEqual(found.map((one) => Object.values(one)), [
      [530_523, 'joinmarket', 60, ['generic'], 83_240_446, 5, 8, 10, 10_631],
      [558_343, 'wasabi1', 90, ['generic'], 9_981_700, 41, 43, 81, 12_122],
      [674_250, 'generic', 40, [], 4_116_232, 7, 11, 13, 156_384],
    ])
    assert.deepEqual(found.map(({ detector, confidence }) => [detector, confidence]), [...whole].sort((a, b) => a.block - b.block).map(({ detector, confidence }) => [detector, confidence]))
  })
})
