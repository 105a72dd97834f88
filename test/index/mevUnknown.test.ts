/** What a find brought is not known where tokens of its own trades are not: zero stands for them, which is the coin's address, too. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { indexStatements } from '../../stages/index/statements.js'
import { at, coin, majors, putBlocks, putTokens, run, units, weth } from '../enrich/handmade.js'
import { freshStore } from '../support/servers.js'

const valuing = indexStatements.map((group) => group.filter(({ writes }) => writes === 'mev')).filter((group) => group.length > 0)
/** A leg of the find `id` in the block's only transaction, in for 10 coins' worth and out for `out`. */
interface Leg { id: string; kind: string; grade: string; position: number; tokenIn: string; knownIn: boolean; tokenOut: string; knownOut: boolean; out: string }
const putLegs = async (store: Store, legs: readonly Leg[]): Promise<void> => {
  for (const leg of legs) {
    await store.execute(`INSERT INTO mev_legs (chain, block_number, mev_id, kind, rule, grade, searcher, role, own, position, block_time, tx_index, account, token_in, token_in_known, amount_in, token_out, token_out_known, amount_out)
      SELECT 'ETH', 1, SHA256({id:String}), {kind:String}, 'made', {grade:String}, unhex({account:String}), 'swap', true, {position:UInt32}, block_time, 0, unhex({account:String}), unhex({tokenIn:String}), {knownIn:Bool}, toUInt256({in:String}), unhex({tokenOut:String}), {knownOut:Bool}, toUInt256({out:String})
      FROM blocks WHERE block_number = 1`, { ...leg, tokenIn: leg.tokenIn.slice(2), tokenOut: leg.tokenOut.slice(2), account: at('ee').slice(2), in: units(10, 18) })
  }
}

describe('extracted value of which tokens are not known', () => {
  it('is no coin and no dollars; what is known of it stands', async function () {
    this.timeout(60_000)
    const { store } = await freshStore()
    await putTokens(store, majors)
    await putBlocks(store, 1, 1)
    await store.execute(`INSERT INTO prices (chain, token, block_number, block_time, usd, method) SELECT 'ETH', toFixedString('', 20), 1, block_time, 2000, 'chainlink' FROM blocks`)
    const known = { tokenIn: weth, knownIn: true, tokenOut: coin, knownOut: true, out: units(13, 18) }
    await putLegs(store, [
      { id: 'known', kind: 'arbitrage', grade: 'high', position: 1, ...known },
      { id: 'unnamed beside it', kind: 'arbitrage', grade: 'low', position: 2, ...known },
      { id: 'both unknown', kind: 'jit', grade: 'high', position: 3, tokenIn: coin, knownIn: false, tokenOut: coin, knownOut: false, out: units(15, 18) },
      { id: 'one unknown', kind: 'liquidation', grade: 'high', position: 4, tokenIn: weth, knownIn: true, tokenOut: coin, knownOut: false, out: units(15, 18) },
    ])
    await run(store, valuing, [[1, 1]])
    const rows = await store.query('SELECT toString(kind) AS kind, arrayMap(n -> toString(n.amount / 1000000000000000000), nets) AS nets, isNull(profit_token) = 0 AS profit, round(gross_usd, 6) AS gross FROM mev ORDER BY position', {}, z.object({ kind: z.string(), nets: z.array(z.string()), profit: z.coerce.boolean(), gross: z.number().nullable() }))
    assert.deepEqual(rows, [
      { kind: 'arbitrage', nets: ['3'], profit: true, gross: 6_000 }, { kind: 'arbitrage', nets: ['3'], profit: false, gross: null },
      { kind: 'jit', nets: [], profit: false, gross: null }, { kind: 'liquidation', nets: ['-10'], profit: false, gross: null },
    ])
  })

  it('costs what its transaction paid for blobs, too', async function () {
    this.timeout(60_000)
    const { store } = await freshStore()
    await putTokens(store, majors)
    await putBlocks(store, 1, 1)
    await store.execute('ALTER TABLE transactions UPDATE gas_used = 100000, gas_price = 20, blob_gas_used = 131072, blob_gas_price = 30 WHERE 1 SETTINGS mutations_sync = 1')
    await putLegs(store, [{ id: 'with a blob', kind: 'arbitrage', grade: 'high', position: 1, tokenIn: weth, knownIn: true, tokenOut: coin, knownOut: true, out: units(13, 18) }])
    await run(store, valuing, [[1, 1]])
    const rows = await store.query('SELECT toString(gas_cost) AS gas FROM mev', {}, z.object({ gas: z.string() }))
    assert.deepEqual(rows, [{ gas: String(100_000 * 20 + 131_072 * 30) }])
  })
})
