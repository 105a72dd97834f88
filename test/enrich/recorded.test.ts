import assert from 'node:assert/strict'
import { z } from 'zod'
import { alertStatements } from '../../stages/alert/statements.js'
import { enrichStatements } from '../../stages/enrich/statements.js'
import { indexStatements } from '../../stages/index/statements.js'
import { normalizeEthereum } from '../../stages/normalize/ethereum/statements.js'
import { insertRaw } from '../support/raw.js'
import { fillRegisters } from '../support/registered.js'
import { freshStore } from '../support/servers.js'
import { run } from './handmade.js'

const Price = z.object({ usd: z.number(), method: z.string() })
const Counts = z.object({ movements: z.coerce.number(), transfers: z.coerce.number(), legs: z.coerce.number(), swaps: z.coerce.number(), valued: z.coerce.number(), sides: z.coerce.number(), blocks: z.coerce.number() })

describe('recorded blocks', () => {
  it('are priced as the market was, and every movement and swap is carried through', async function () {
    this.timeout(120_000)
    const { store } = await freshStore()
    await fillRegisters(store)
    const heights = [18000000, 19426586, 19426587]
    await insertRaw(store, heights, 0)
    for (const height of heights) await run(store, [...normalizeEthereum, ...enrichStatements, ...indexStatements, ...alertStatements], [[height, height]], 0, height === 19426587 ? 19426586 : height)
    const at = (height: number) => store.query(`SELECT usd, method FROM prices WHERE block_number = {height:UInt64} AND token = toFixedString('', 20)`, { height }, Price)
    for (const [height, low, high, method] of [[18000000, 1600, 1700, 'vwap'], [19426586, 3900, 4050, 'chainlink']] as const) {
      const [price] = await at(height)
      assert.ok(price !== undefined && price.usd > low && price.usd < high && price.method === method, `${height}: ${JSON.stringify(price)}`)
    }
    const [counts] = await store.query(`SELECT (SELECT count() FROM movements) AS movements, (SELECT count() FROM transfers) AS transfers, (SELECT count() FROM swap_legs) AS legs,
      (SELECT count() FROM swaps) AS swaps, (SELECT countIf(value_usd > 0) FROM swaps) AS valued, (SELECT count() FROM address_transfers) AS sides, (SELECT count() FROM chunks WHERE topic = 'block') AS blocks`, {}, Counts)
    assert.ok(counts !== undefined && counts.movements > 300)
    assert.deepEqual([counts.transfers, counts.swaps, counts.sides, counts.blocks], [counts.movements, counts.legs, counts.movements * 2, heights.length])
    assert.ok(counts.valued > counts.legs * 0.5, `${counts.valued} of ${counts.legs} swaps valued`)
  })
})
