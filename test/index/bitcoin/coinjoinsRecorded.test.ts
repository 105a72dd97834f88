/** Detectors on recorded blocks. Most of their inputs spend outputs that were not recorded, so what is found is of halved confidence. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { recordedHeights, seedBitcoin } from '../../support/bitcoin.js'
import { freshStore } from '../../support/servers.js'

const sql = loadSql(new URL('../../../stages/index/bitcoin/x', import.meta.url).href, 'coinjoins.sql')
const Row = z.object({ block: z.coerce.number(), index: z.number(), detector: z.string(), confidence: z.number(), others: z.array(z.string()), inputs: z.number(), outputs: z.number(), unresolved: z.number(), denomination: z.coerce.number() })

describe('CoinJoins in recorded blocks', function () {
  this.timeout(120_000)

  it('a few look like small ones; none is of a coordinator, and the dust of token protocols is none', async () => {
    const { store } = await freshStore()
    await seedBitcoin(store, recordedHeights)
    for (const height of recordedHeights) await store.execute(sql, { chain: 'BTC', from: height, to: height, generation: 1 })
    const found = await store.query(`SELECT block_number AS block, tx_index AS index, detector, confidence, others, input_count AS inputs, output_count AS outputs, unresolved_inputs AS unresolved, denomination
      FROM btc_coinjoins ORDER BY block, index`, {}, Row)
    // Those of 50000 and 600 carry an OP_RETURN of a token protocol, which is no change of a JoinMarket round; 426884, 211 pays twice 3000 beside one, and two outputs are none.
    assert.deepEqual(found.map(({ block, index, detector, others, denomination }) => [block, index, detector, others.join(), denomination]), [
      [426_884, 281, 'generic', '', 50_000],
      [514_485, 86, 'generic', '', 50_000], [514_485, 91, 'generic', '', 50_000], [514_485, 92, 'generic', '', 50_000], [514_485, 433, 'generic', '', 10_987_079],
      [574_200, 1_199, 'generic', '', 600], [574_200, 1_200, 'generic', '', 600], [574_200, 1_206, 'generic', '', 600], [574_200, 1_213, 'generic', '', 600], [574_200, 1_214, 'generic', '', 600],
      [574_200, 2_515, 'generic', '', 500_000_000],
    ])
    assert.ok(found.every(({ detector, confidence, unresolved }) => unresolved > 0 && detector === 'generic' && confidence === 20))
  })
})
